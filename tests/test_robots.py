"""A robot plays by the rules on every board and set-up, and beats idle opponents."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from random import Random

import pytest

from judge.resources import boards
from judge.robots import RobotView, orders
from judge.rules import NORMAL, STANDARD, Circumstances, Map, Options, Position, Power, adjudicate, load_map
from judge.rules.adjustments import adjustments
from judge.rules.map import read_map
from judge.rules.options import VictoryMeasure
from judge.rules.orders import Hold, Order, Waive
from judge.rules.outcomes import Illegal, Resolution
from judge.rules.position import PhaseKind
from tests.nasty import nasty_phase, random_circumstances, random_options
from tests.soak import Soak, long_but

MAP = load_map()
LAGOON = read_map(tomllib.loads((Path(__file__).parent / "boards" / "lagoon" / "board.toml").read_text("utf-8")))


def told(
    map_: Map, position: Position, players: Sequence[tuple[Power, ...]], options: Options, circumstances: Circumstances
) -> dict[Power, Sequence[Order]]:
    """Return the robots' orders, one robot for each player.

    On a second look at the same view they order the same.
    """
    found: dict[Power, Sequence[Order]] = {}
    for powers in players:
        view = RobotView(map_, position, powers, options, circumstances)
        ordered = orders(view, 7)
        assert ordered == orders(RobotView(map_, position, powers, options, circumstances), 7)
        assert set(ordered) <= set(powers)
        found |= ordered
    return found


def check(position: Position, ordered: Mapping[Power, Sequence[Order]], resolution: Resolution) -> None:
    """Check that all orders are legal, and that robots decide everything they can."""
    refused = [v for v in resolution.verdicts if any(isinstance(outcome, Illegal) for outcome in v.outcomes)]
    assert refused == []
    assert [v for v in resolution.verdicts if not v.given and v.power in ordered] == []
    for power, lines in ordered.items():
        units = [order.unit for order in lines if not isinstance(order, Waive)]
        assert len(set(units)) == len(units)
        if position.phase.kind is PhaseKind.MOVEMENT:
            assert set(units) == set(position.units_of(power))


PHASES = 600
"""The most phases of a game of robots."""


def play(
    map_: Map, players: Sequence[tuple[Power, ...]], options: Options, circumstances: Circumstances, phases: int = 32
) -> Position:
    """Play at least eight years among robots; return the position."""
    position = map_.start()
    for _ in range(phases):
        ordered = told(map_, position, players, options, circumstances)
        resolution = adjudicate(map_, position, ordered, options, circumstances)
        check(position, ordered, resolution)
        for power, decision in resolution.adjustments.items():
            assert power not in circumstances.unplayed, decision
        position = resolution.position
        if resolution.over:
            break
    return position


@pytest.mark.parametrize("name", sorted(MAP.setups))
def test_robots_play_any_number_of_players_to_the_end(name: str) -> None:
    set_up = MAP.setups[name]
    circumstances = set_up.circumstances([powers[0] for powers in set_up.assignments])
    after = play(MAP, set_up.assignments, STANDARD, circumstances)
    owned = after.centers or {}
    assert len(owned) > len(MAP.start().centers or {})
    assert not any(unit.province in set_up.closed for unit, power in after.units.items() if power != "ITALY")


@pytest.mark.parametrize("map_", long_but([LAGOON, MAP], [LAGOON, *map(load_map, boards())]), ids=attrgetter("name"))
def test_robots_play_every_board_until_somebody_wins(map_: Map) -> None:
    after = play(map_, [(power,) for power in map_.powers], STANDARD, NORMAL, PHASES)
    assert max(Counter((after.centers or {}).values()).values()) >= map_.victory_centers


@pytest.mark.parametrize("name", boards())
def test_a_short_game_of_robots_ends_in_its_last_year(name: str) -> None:
    map_ = load_map(name)
    last = map_.first_year + map_.years_per_turn
    options = replace(STANDARD, victory_measure=VictoryMeasure.UNITS, short_game=last)
    assert play(map_, [(power,) for power in map_.powers], options, NORMAL, PHASES).phase.year <= last


@pytest.mark.soak
@pytest.mark.parametrize("name", boards())
def test_nearly_all_games_of_robots_are_won(name: str, soak: Soak) -> None:
    """Some equally strong powers block each other for ever, as people would."""
    map_, won = load_map(name), 0
    for seed in soak.seeds(100):
        position, phases, over = map_.start(), 0, None
        while over is None and phases < PHASES:
            ordered: dict[Power, Sequence[Order]] = {}
            for power in map_.powers:
                ordered |= orders(RobotView(map_, position, (power,)), seed)
            resolution = adjudicate(map_, position, ordered)
            position, over, phases = resolution.position, resolution.over, phases + 1
        won += over is not None
    assert won >= soak.begun * 0.8


@pytest.mark.parametrize("seed", range(40))
def test_whatever_stands_where_and_whatever_the_rules_its_orders_are_legal(seed: int) -> None:
    chance = Random(seed)
    position, _ = nasty_phase(MAP, chance)
    options, circumstances = random_options(chance), random_circumstances(MAP, chance)
    players = [(power,) for power in sorted(set(position.units.values()))]
    ordered = told(MAP, position, players, options, circumstances)
    check(position, ordered, adjudicate(MAP, position, ordered, options, circumstances))


@pytest.mark.parametrize("power", MAP.powers)
def test_against_those_who_stand_still_it_grows(power: Power) -> None:
    position = MAP.start()
    for seed in range(12):
        ordered: dict[Power, Sequence[Order]] = dict(orders(RobotView(MAP, position, (power,)), seed))
        if position.phase.kind is PhaseKind.MOVEMENT:
            ordered |= {one: [Hold(unit) for unit in position.units_of(one)] for one in MAP.powers if one != power}
        position = adjudicate(MAP, position, ordered).position
    assert all(len(position.centers_of(power)) > len(position.centers_of(one)) for one in MAP.powers if one != power)


def test_chance_is_in_the_seed_alone() -> None:
    position = MAP.start()
    openings = {
        tuple(orders(RobotView(MAP, position, (Power("FRANCE"),)), seed)[Power("FRANCE")]) for seed in range(20)
    }
    assert len(openings) > 3


def test_it_builds_as_much_as_it_may_and_removes_what_it_must() -> None:
    chance, position = Random(3), MAP.start()
    winters = 0
    while winters < 6:
        players = [(power,) for power in MAP.powers]
        ordered = told(MAP, position, players, STANDARD, NORMAL)
        if position.phase.kind is PhaseKind.ADJUSTMENT:
            winters += 1
            due = {power: abs(one.count) for power, one in adjustments(MAP, position).items() if one.count}
            assert {power: len(lines) for power, lines in ordered.items()} == due
        elif position.phase.kind is PhaseKind.MOVEMENT:
            idle = chance.choice(MAP.powers)
            ordered[idle] = [Hold(unit) for unit in position.units_of(idle)]
        position = adjudicate(MAP, position, ordered).position
