"""Orders of a robot for any phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from judge.robots.moving import moves
from judge.robots.retreating import retreats
from judge.robots.view import RobotView
from judge.robots.wintering import winter_orders
from judge.rules import Power
from judge.rules.orders import Hold, Order, Waive
from judge.rules.outcomes import Illegal
from judge.rules.position import PhaseKind


def orders(view: RobotView, seed: int) -> Mapping[Power, tuple[Order, ...]]:
    """Return power → its legal orders, one for everything to decide.

    Powers with nothing to decide are left out.
    """
    chance = Random(f"{seed} {view.position.phase} {' '.join(view.powers)}")  # noqa: S311 - no secret
    found: dict[Power, list[Order]] = {}
    match view.position.phase.kind:
        case PhaseKind.MOVEMENT:
            for order in moves(view, chance):
                found.setdefault(view.position.units[order.unit], []).append(order)
        case PhaseKind.RETREAT:
            for retreat in retreats(view, chance):
                found.setdefault(view.position.dislodged[retreat.unit].power, []).append(retreat)
        case PhaseKind.ADJUSTMENT:
            for power in view.powers:
                found[power] = [*winter_orders(view, power, chance)]
    return {power: _allowed(view, power, told) for power, told in found.items() if told and _leads(view, power)}


def _leads(view: RobotView, power: Power) -> bool:
    """Whether orders of that power count."""
    return power not in view.referee.silent


def _allowed(view: RobotView, power: Power, told: Sequence[Order]) -> tuple[Order, ...]:
    """Return the orders as the judge understands them.

    In a movement phase, a unit whose order a house rule forbids holds.
    """
    return tuple(_meant(view, power, order) for order in told)


def _meant(view: RobotView, power: Power, order: Order) -> Order:
    real = view.referee.meaning(power, order)
    if not isinstance(real, Illegal):
        return real
    is_movement = view.position.phase.kind is PhaseKind.MOVEMENT
    return Hold(order.unit) if is_movement and not isinstance(order, Waive) else order
