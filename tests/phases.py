"""Random phases and games, and the rules they must keep."""

from __future__ import annotations

from random import Random

from judge.rules import (
    Circumstances,
    Map,
    Options,
    Position,
    adjudicate,
    load_map,
)
from judge.rules.options import DefensePoints
from judge.rules.orders import Move
from judge.rules.outcomes import Bounced, Destroyed, Dislodged, Outcome
from judge.rules.position import province_of
from tests.nasty import Orders, nasty_phase, random_circumstances, random_options, random_orders

MAP = load_map()
Nasty = tuple[Position, Orders, Options, Circumstances]


def nasty(seed: int, map_: Map = MAP) -> Nasty:
    chance = Random(seed)
    return *nasty_phase(map_, chance), random_options(chance), random_circumstances(map_, chance)


def check_movement(
    position: Position, orders: Orders, options: Options, circumstances: Circumstances, map_: Map = MAP
) -> None:
    """Check what must hold for every movement phase."""
    resolution = adjudicate(map_, position, orders, options, circumstances)
    after = resolution.position
    check_legal(after, map_)
    destroyed = 0
    moved = set()
    for verdict in resolution.verdicts:
        kinds = {type(outcome) for outcome in verdict.outcomes}
        destroyed += Destroyed in kinds
        if isinstance(verdict.order, Move) and not kinds:
            moved.add(verdict.order.unit)
            assert verdict.order.goal not in circumstances.closed
        for outcome in verdict.outcomes:
            check_strengths(outcome, options)
    assert not moved & after.dislodged.keys()
    assert len(after.units) + len(after.dislodged) + destroyed == len(position.units)
    for unit, loss in after.dislodged.items():
        assert position.units[unit] == loss.power
        assert unit.province in {other.province for other in after.units}


def check_legal(position: Position, map_: Map = MAP) -> None:
    """Check that a game can reach the position."""
    occupied = {unit.province for unit in position.units}
    assert len(occupied) == len(position.units)
    assert all(map_.can_stand(unit) for unit in (*position.units, *position.dislodged))
    assert not occupied & position.contested
    for unit, loss in position.dislodged.items():
        assert loss.retreats
        assert set(loss.retreats) <= set(map_.neighbors(unit))
        assert not {province_of(to) for to in loss.retreats} & (occupied | position.contested)


def check_strengths(outcome: Outcome, options: Options) -> None:
    if isinstance(outcome, Bounced):
        assert outcome.by
        assert outcome.own_unit or outcome.strength <= outcome.against
    if isinstance(outcome, Dislodged):
        even = options.defense_points is DefensePoints.POINTS
        assert outcome.strength > outcome.against or (even and outcome.strength == outcome.against)


def play(seed: int, options: Options, phases: int, map_: Map = MAP) -> None:
    """Play a random game that starts over when it is won."""
    chance = Random(seed)
    position = map_.start()
    for _ in range(phases):
        resolution = adjudicate(map_, position, random_orders(map_, position, options, chance), options)
        after = resolution.position
        check_legal(after, map_)
        assert position.phase.order_key < after.phase.order_key or resolution.over
        position = map_.start() if resolution.over else after
