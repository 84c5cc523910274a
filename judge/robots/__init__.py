"""A computer player: orders for the powers of one player, from what the report of that player says.

Knows the rules and nothing else: no game, no seat, no person, nobody's orders. The same view and the same
seed give the same orders.
"""

from judge.robots.playing import orders
from judge.robots.view import RobotView

__all__ = ["RobotView", "orders"]
