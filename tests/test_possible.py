"""All legal movement orders of a unit, compared with every order that can be written."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from judge.rules import load_map
from judge.rules.circumstances import Circumstances
from judge.rules.legality import Referee
from judge.rules.orders import Convoy, Hold, Move, Order, Support
from judge.rules.outcomes import Illegal
from judge.rules.position import Location, Phase, Position, Power, Unit
from judge.rules.possible import possible_orders

MAP = load_map()
HERE, THERE = Power("FRANCE"), Power("ITALY")


def crowded(seed: int) -> Position:
    """Return up to thirty units anywhere."""
    chance = Random(seed)
    anywhere = sorted([*MAP.armies.values(), *MAP.fleets.values()], key=str)
    units: dict[str, Unit] = {}
    for unit in chance.sample(anywhere, 30):
        units.setdefault(unit.province, unit)
    owners = {unit: chance.choice((HERE, THERE)) for unit in units.values()}
    return Position(Phase.parse("S1901M"), owners, {})


def everything(unit: Unit, units: list[Unit]) -> Iterator[Order]:
    """Yield every order that can be written, to provinces and coasts.

    Supports go to provinces only.
    """
    places = sorted({*MAP.provinces, *MAP.fleets})
    yield Hold(unit)
    for to in places:
        yield Move(unit, Location(to))
        yield Move(unit, Location(to), by_convoy=True)
    for other in units:
        yield Support(unit, other)
        for to in sorted(MAP.provinces):
            yield Support(unit, other, to)
            yield Convoy(unit, other, to)


@pytest.mark.parametrize("seed", range(4))
def test_no_legal_order_is_left_out(seed: int) -> None:
    position = crowded(seed)
    referee = Referee(MAP, position)
    for unit, power in position.units.items():
        meant = (referee.meaning(power, order) for order in everything(unit, list(position.units)))
        legal = {order for order in meant if not isinstance(order, Illegal)}
        found = possible_orders(referee, power, unit)
        assert set(found) == legal, unit
        assert len(found) == len(legal)
        assert found[0] == Hold(unit)


def test_a_power_in_civil_disorder_has_none() -> None:
    position = MAP.start()
    referee = Referee(MAP, position, circumstances=Circumstances(unplayed=frozenset([HERE])))
    assert [possible_orders(referee, HERE, unit) for unit in position.units_of(HERE)] == [(), (), ()]
