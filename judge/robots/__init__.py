"""A computer player: orders for one player's powers, from that player's report.

It knows the rules and nothing else: no game, no seat, no person, no orders of others. The same view and the same
seed give the same orders.
"""

from judge.robots.playing import orders
from judge.robots.view import RobotView

__all__ = ["RobotView", "orders"]
