"""The orders of a robot for any phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from judge.robots.moving import moves
from judge.robots.retreating import retreats
from judge.robots.sight import Sight
from judge.robots.wintering import winter_orders
from judge.rules import Power
from judge.rules.orders import Hold, Order, Waive
from judge.rules.outcomes import Illegal
from judge.rules.position import PhaseKind


def orders(sight: Sight, seed: int) -> Mapping[Power, tuple[Order, ...]]:
    """Power → its orders, legal and one for all that is to decide; who has nothing to decide is left out."""
    chance = Random(f"{seed} {sight.position.phase} {' '.join(sight.powers)}")  # noqa: S311 - no secret
    found: dict[Power, list[Order]] = {}
    match sight.position.phase.kind:
        case PhaseKind.MOVEMENT:
            for order in moves(sight, chance):
                found.setdefault(sight.position.units[order.unit], []).append(order)
        case PhaseKind.RETREAT:
            for retreat in retreats(sight, chance):
                found.setdefault(sight.position.dislodged[retreat.unit].power, []).append(retreat)
        case PhaseKind.ADJUSTMENT:
            for power in sight.powers:
                found[power] = [*winter_orders(sight, power, chance)]
    return {power: _allowed(sight, power, told) for power, told in found.items() if told and _leads(sight, power)}


def _leads(sight: Sight, power: Power) -> bool:
    """Whether what a power is told counts."""
    return power not in sight.referee.silent


def _allowed(sight: Sight, power: Power, told: Sequence[Order]) -> tuple[Order, ...]:
    """The orders as the judge understands them; a unit whose order some house rule forbids holds."""
    return tuple(_meant(sight, power, order) for order in told)


def _meant(sight: Sight, power: Power, order: Order) -> Order:
    real = sight.referee.meaning(power, order)
    if not isinstance(real, Illegal):
        return real
    is_movement = sight.position.phase.kind is PhaseKind.MOVEMENT
    return Hold(order.unit) if is_movement and not isinstance(order, Waive) else order
