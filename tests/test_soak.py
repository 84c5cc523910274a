"""Long random runs, by `make soak`."""

from __future__ import annotations

import random

import pytest

from judge.language import Context, read
from judge.rules import adjudicate, load_map
from judge.rules.adjustments import adjustments
from judge.rules.orders import Convoy, Hold, Move, Order, Retreat, Support
from judge.rules.position import PhaseKind, Position, Power, UnitKind, province_of

MAP = load_map()


def _random_orders(position: Position, chance: random.Random) -> dict[Power, list[Order]]:
    orders: dict[Power, list[Order]] = {}
    if position.phase.kind is PhaseKind.RETREAT:
        for unit, loss in position.dislodged.items():
            orders.setdefault(loss.power, []).append(Retreat(unit, chance.choice(loss.retreats)))
        return orders
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        for power, decision in adjustments(MAP, position).items():
            count = min(len(decision.options), abs(decision.count))
            orders[power] = chance.sample(decision.options, count)
        return orders
    everywhere = sorted(position.units, key=lambda unit: unit.location)
    coasts = sorted(place for place in MAP.sea_borders if not MAP.is_sea(place))
    for unit, power in position.units.items():
        other, goal = chance.choice(everywhere), chance.choice(MAP.neighbors(unit))
        far = chance.choice(coasts)
        choices: list[Order] = [
            Move(unit, goal),
            Move(unit, goal),
            Move(unit, far if unit.kind is UnitKind.ARMY else goal, chance.random() < 0.3),
            Support(unit, other),
            Support(unit, other, province_of(chance.choice(MAP.neighbors(other)))),
            Convoy(unit, other, far),
            Hold(unit),
        ]
        orders.setdefault(power, []).append(chance.choice(choices))
    return orders


def _play(phases: int, seed: int) -> None:
    chance = random.Random(seed)
    position = MAP.start()
    for _ in range(phases):
        orders = _random_orders(position, chance)
        resolution = adjudicate(MAP, position, orders)
        turned = {power: list(reversed(given)) for power, given in reversed(orders.items())}
        again = adjudicate(MAP, position, turned)
        if position.phase.kind is not PhaseKind.ADJUSTMENT:  # there the first orders count
            assert again.position == resolution.position
        after = resolution.position
        assert len({unit.province for unit in after.units}) == len(after.units)
        assert all(MAP.can_stand(unit) for unit in after.units)
        position = MAP.start() if resolution.over else after


def test_random_games_stay_legal() -> None:
    _play(300, seed=1)


@pytest.mark.soak
def test_many_random_games_stay_legal() -> None:
    for seed in range(20):
        _play(1000, seed)


@pytest.mark.soak
def test_random_lines_never_raise() -> None:
    chance = random.Random(7)
    words = [
        "A",
        "F",
        "Par",
        "Mun",
        "Nth",
        "-",
        "->",
        "S",
        "C",
        "to",
        "パリ",
        "陸軍",
        "を",
        "へ",
        "移動",
        "支援",
        "R",
        "H",
        "/nc",
        ",",
        ";",
        "B",
        "D",
        "(",
        ")",
        "VIA",
        "READY",
        "SET",
        "x",
        "。",
        "ー",
        "完了",
        "1901年春",
    ]
    context = Context(MAP, MAP.start(), (Power("FRANCE"),))
    for _ in range(20_000):
        line = chance.choice(["", " "]).join(chance.choices(words, k=chance.randint(1, 14)))
        for read_line in read(line, context):
            assert read_line.text == line
