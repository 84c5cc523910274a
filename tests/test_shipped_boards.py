"""Every shipped board is complete: borders, names, lines of orders, random phases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from judge.commands import Give
from judge.language import Context, read
from judge.language.words.normal import normal_form
from judge.names import names_on
from judge.resources import board_extended, boards
from judge.rules import STANDARD, Map, adjudicate, load_map, write_order
from judge.rules.orders import MovementOrder
from judge.rules.outcomes import Destroyed, Dislodged, Illegal
from judge.rules.position import Power, UnitKind, province_of
from judge.rules.soundness import check_position
from tests.nasty import melee, nasty_phase, random_orders
from tests.phases import check_movement, nasty, play
from tests.reference import Reference
from tests.writers import Writer, in_codes, in_english, in_german, in_japanese

EVERY = pytest.mark.parametrize("name", boards())
OF_ITS_OWN = pytest.mark.parametrize("name", [name for name in boards() if not board_extended(name)])
"""The boards with provinces of their own."""
PROMISED = 0.995


@EVERY
def test_borders_lead_back(name: str) -> None:
    map_ = load_map(name)
    for borders in (map_.army_borders, map_.fleet_borders):
        for here, there in borders.items():
            assert len(set(there)) == len(there)
            assert here not in there
            assert [to for to in there if here not in borders[to]] == [], here


@EVERY
def test_the_start_is_sound_and_can_be_won(name: str) -> None:
    map_ = load_map(name)
    check_position(map_, map_.start())
    assert map_.source["designer"]
    assert len(map_.supply_centers) / 2 < map_.victory_centers <= len(map_.supply_centers)
    assert all(map_.home_centers[power] for power in map_.powers)


@EVERY
def test_every_center_can_be_reached_from_every_home(name: str) -> None:
    map_ = load_map(name)
    for power in map_.powers:
        ways = [map_.routes_from(kind, map_.home_centers[power]) for kind in UnitKind]
        assert map_.supply_centers <= {province_of(here) for way in ways for here in way}


@EVERY
@pytest.mark.parametrize("language", ["en", "ja"])
def test_everything_has_a_name_that_nothing_else_has(name: str, language: str) -> None:
    map_, names = load_map(name), names_on(name)
    assert names["board"][language]
    assert names["about"][language]
    for table, codes in (("powers", map_.powers), ("provinces", map_.provinces)):
        called = [{normal_form(word).text for word in names[table][code][language]} for code in codes]
        assert all(called)
        assert [word for word, count in Counter(word for words in called for word in words).items() if count > 1] == []
    shown = [names[table][code][language][0] for table in ("powers", "provinces") for code in names[table]]
    assert len(set(shown)) == len(shown)
    assert all(names["provinces"][code]["en"][0] == info.name for code, info in map_.provinces.items())


def _read_again(map_: Map, habit: Callable[..., Writer], lines: int) -> list[tuple[str, list[str], str]]:
    """Return lines of a random game: as written, as read, as meant."""
    chance, position = Random(1425), map_.start()
    rows: list[tuple[str, list[str], str]] = []
    while len(rows) < lines:
        orders = random_orders(map_, position, STANDARD, chance)
        for power, given in orders.items():
            context, writer = Context(map_, position, (power,)), habit(chance, fickle=True, board=map_.name)
            for order in given:
                written = writer.write(order)
                found = {
                    write_order(one.order)
                    for line in read(written, context)
                    for one in line.requests
                    if isinstance(one, Give)
                }
                rows.append((written, sorted(found), write_order(order)))
        resolution = adjudicate(map_, position, orders)
        position = map_.start() if resolution.over else resolution.position
    return rows


@OF_ITS_OWN
@pytest.mark.parametrize("habit", [in_codes, in_english, in_japanese, in_german])
def test_nearly_all_orders_are_read_right_and_none_wrong(name: str, habit: Callable[..., Writer]) -> None:
    map_ = load_map(name)
    rows = _read_again(map_, habit, lines=400)
    assert [row for row in rows if row[1] not in ([], [row[2]])] == []
    assert sum(found == [meant] for _, found, meant in rows) >= PROMISED * len(rows)


_HOLDS = {
    "en": ("A {} holds", "F {} holds"),
    "ja": ("{}陸軍を維持", "{}海軍を維持"),
    "de": ("Armee {} hält", "Flotte {} hält"),
}


@OF_ITS_OWN
@pytest.mark.parametrize("language", _HOLDS)
def test_every_name_of_a_province_is_read(name: str, language: str) -> None:
    map_ = load_map(name)
    for code in map_.provinces:
        kind = "F" if map_.is_sea(code) else "A"
        for word in names_on(name)["provinces"][code][language]:
            (line,) = read(_HOLDS[language][kind == "F"].format(word), Context(map_))
            found = [write_order(one.order) for one in line.requests if isinstance(one, Give)]
            assert found == [f"{kind} {code} H"], word


def test_a_name_of_a_power_and_a_province_is_the_province_in_an_order() -> None:
    map_ = load_map("ancient-mediterranean")
    context = Context(map_, map_.start(), (Power("ROME"),))
    for written in ("A Rome - Apulia", "Rome: A Rome - Apu", "ローマ陸軍をアプリアへ移動", "Roman army Rom - Apulia"):
        found = [
            write_order(one.order) for line in read(written, context) for one in line.requests if isinstance(one, Give)
        ]
        assert found == ["A ROM - APU"], written


@EVERY
@pytest.mark.parametrize("seed", range(3))
def test_random_games_only_reach_legal_positions(name: str, seed: int) -> None:
    play(seed, STANDARD, phases=40, map_=load_map(name))


@OF_ITS_OWN
def test_random_phases_keep_every_unit(name: str) -> None:
    for seed in range(100):
        check_movement(*nasty(seed, load_map(name)), load_map(name))


@OF_ITS_OWN
def test_a_second_implementation_agrees_on_random_phases(name: str) -> None:
    map_ = load_map(name)
    for seed in range(2000):
        chance = Random(seed)
        position, orders = (melee if seed % 4 == 0 else nasty_phase)(map_, chance)
        resolution = adjudicate(map_, position, orders)
        told = [
            (verdict.order, {type(one) for one in verdict.outcomes})
            for verdict in resolution.verdicts
            if isinstance(verdict.order, MovementOrder)
        ]
        legal = {order.unit: order for order, outcomes in told if Illegal not in outcomes}
        after, gone = Reference(map_, position, legal).after()
        assert after == resolution.position.units, seed
        assert gone == {order.unit for order, outcomes in told if outcomes & {Dislodged, Destroyed}}, seed
