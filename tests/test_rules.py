"""Rules beyond the DATC: every case under every matching profile, set-ups, endings."""

from __future__ import annotations

import ast
import tomllib
from dataclasses import fields, replace
from enum import StrEnum
from pathlib import Path
from typing import get_type_hints

import pytest

import judge.rules
from judge.rules import Options, Phase, Position, Power, Unit, load_map, read_unit
from judge.rules.circumstances import Circumstances
from judge.rules.ending import Ending, draw_shared_by, ending
from judge.rules.exchange import read_option, read_options, write_options
from judge.rules.map import read_map
from judge.rules.options import PROFILES, STANDARD, DrawRule, VictoryMeasure
from judge.rules.position import province_of
from judge.rules.setups import SetUp
from tests.phases import check_movement, nasty, play
from tests.tables import RULES, Case, check_phase, read_cases

CASES = read_cases(RULES)
MAP = load_map()
OTHERS = {
    folder.name: read_map(tomllib.loads((folder / "board.toml").read_text("utf-8")))
    for folder in sorted((Path(__file__).parent / "boards").iterdir())
}
LAGOON, DELTA = OTHERS["lagoon"], OTHERS["delta"]
OTHERS_CASES = [
    pytest.param(case, id=f"{name} {case.id}")
    for name, board in OTHERS.items()
    for case in read_cases(Path(__file__).parent / "boards" / name, board)
]
PLAYED = [pytest.param(case, options, id=f"{case.id} {name}") for case in CASES for name, options in case.under.items()]


@pytest.mark.parametrize(("case", "options"), PLAYED)
def test_case(case: Case, options: Options) -> None:
    for table in case.phases:
        check_phase(table, options)


def test_the_cases_are_all_there() -> None:
    sources = [case.id for case in CASES if case.id.startswith("s")]
    assert len(sources) == 160
    assert len(CASES) > 180
    assert {name.split()[0] for case in CASES for name in case.under} == set(PROFILES)


BORDERS = [line.strip() for line in (RULES / "borders.tab").read_text("utf-8").splitlines() if line.startswith("    ")]


@pytest.mark.parametrize("row", BORDERS)
def test_borders(row: str) -> None:
    kind, here, _, goal, possible = row.split()
    assert (goal in MAP.neighbors(read_unit(f"{kind} {here}"))) == (possible == "possible")


# Options


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_can_be_written_and_read(profile: str) -> None:
    assert write_options(PROFILES[profile]) == profile
    assert read_options(profile) == PROFILES[profile]


def _values() -> list[tuple[str, object]]:
    kinds = get_type_hints(Options)
    return [
        (field.name, value)
        for field in fields(Options)
        for value in (
            kinds[field.name] if isinstance(kinds[field.name], type) and issubclass(kinds[field.name], StrEnum) else ()
        )
    ] + [("short_game", 1907), ("players", "3a")]


@pytest.mark.parametrize(("name", "value"), _values())
def test_every_option_can_be_set_alone(name: str, value: object) -> None:
    options = replace(STANDARD, **{name: read_option(name, value)})
    assert getattr(options, name) == value
    assert read_options(write_options(options)) == options
    assert read_options({"profile": "shirikyu", name: value}) == replace(PROFILES["shirikyu"], **{name: value})  # type: ignore[arg-type]


# Endings


def _position(units: dict[str, int], centers: dict[str, int] | None = None, phase: str = "W1907A") -> Position:
    places = iter(sorted(MAP.army_borders))
    standing: dict[Unit, Power] = {}
    for power, count in units.items():
        standing |= {MAP.units[read_unit("A PAR").kind][next(places)]: Power(power) for _ in range(count)}
    owned = iter(sorted(MAP.supply_centers))
    owners = {next(owned): Power(power) for power, count in (centers or {}).items() for _ in range(count)}
    return Position(Phase.parse(phase), standing, owners)


@pytest.mark.parametrize(
    ("rule", "agreeing", "units", "centers", "shared"),
    [
        (DrawRule.UNANIMOUS, "ENGLAND RUSSIA TURKEY", {"ENGLAND": 4, "RUSSIA": 4, "TURKEY": 4}, {}, True),
        (DrawRule.UNANIMOUS, "ENGLAND RUSSIA", {"ENGLAND": 4, "RUSSIA": 4, "TURKEY": 1}, {}, False),
        (DrawRule.ARMISTICE, "ENGLAND RUSSIA", {"ENGLAND": 1, "TURKEY": 9}, {"ENGLAND": 12, "RUSSIA": 11}, True),
        (DrawRule.ARMISTICE, "ENGLAND RUSSIA", {"ENGLAND": 1, "TURKEY": 9}, {"ENGLAND": 12, "RUSSIA": 10}, False),
    ],
)
def test_draws(
    rule: DrawRule,
    agreeing: str,
    units: dict[str, int],
    centers: dict[str, int],
    shared: bool,  # noqa: FBT001
) -> None:
    found = draw_shared_by(
        MAP, _position(units, centers), list(map(Power, agreeing.split())), replace(STANDARD, draw_rule=rule)
    )
    assert found == (tuple(sorted(map(Power, agreeing.split()))) if shared else None)


@pytest.mark.parametrize(
    ("units", "winner"),
    [
        ({"ENGLAND": 7, "GERMANY": 10, "RUSSIA": 9, "TURKEY": 5}, "GERMANY"),
        ({"ENGLAND": 7, "GERMANY": 9, "RUSSIA": 9, "TURKEY": 5}, None),
    ],
)
def test_a_short_game_is_won_by_most_units(units: dict[str, int], winner: Power | None) -> None:
    options = replace(STANDARD, short_game=1907)
    position = _position(units, {"ENGLAND": 1})
    assert ending(MAP, position, options, Circumstances(), adjusted=True) == Ending(winner)
    assert ending(MAP, position, options, Circumstances()) is None
    early = _position(units, {"ENGLAND": 1}, "W1906A")
    assert ending(MAP, early, options, Circumstances(), adjusted=True) is None


@pytest.mark.parametrize(("fleets", "wins"), [(8, True), (7, False)])
def test_a_player_with_24_units_wins_the_game_for_two(fleets: int, wins: bool) -> None:  # noqa: FBT001
    options = replace(STANDARD, victory_measure=VictoryMeasure.UNITS)
    players = {"Ada": (Power("ENGLAND"), Power("FRANCE"), Power("RUSSIA")), "Ben": (Power("TURKEY"),)}
    position = _position({"ENGLAND": fleets, "FRANCE": 8, "RUSSIA": 8, "TURKEY": 2}, {"ENGLAND": 20})
    found = ending(MAP, position, options, Circumstances(players=players), adjusted=True)
    assert found == (Ending(player="Ada") if wins else None)


# Set-ups


SETUPS = {
    "7": (1901, [], "ENGLAND/FRANCE/GERMANY/ITALY/AUSTRIA/RUSSIA/TURKEY"),
    "6": (1870, ["ITALY"], "ENGLAND/FRANCE/GERMANY/AUSTRIA/RUSSIA/TURKEY"),
    "5": (1801, ["GERMANY", "ITALY"], "ENGLAND/FRANCE/AUSTRIA/RUSSIA/TURKEY"),
    "4": (1901, [], "ENGLAND/AUSTRIA FRANCE/GERMANY TURKEY/ITALY RUSSIA"),
    "3a": (1901, [], "RUSSIA/ENGLAND FRANCE GERMANY/AUSTRIA ITALY TURKEY"),
    "3b": (1901, [], "ENGLAND GERMANY AUSTRIA/RUSSIA ITALY/FRANCE TURKEY"),
    "2": (1914, ["ITALY"], "ENGLAND FRANCE RUSSIA/AUSTRIA GERMANY TURKEY"),
}


@pytest.mark.parametrize("name", SETUPS)
def test_set_ups(name: str) -> None:
    year, unplayed, seats = SETUPS[name]
    setup = MAP.setups[name]
    start = MAP.start(setup)
    assert start.phase == Phase.parse(f"S{year}M")
    assert sorted(setup.unplayed) == unplayed
    assert {frozenset(powers) for powers in setup.assignments} == {frozenset(s.split()) for s in seats.split("/")}
    assert len(start.units) == 22
    assert len(MAP.supply_centers - start.centers.keys()) == 12  # type: ignore[union-attr]


def test_the_game_for_two_closes_italy_until_the_coin_is_tossed() -> None:
    setup = MAP.setups["2"]
    assert setup.closed == {province_of(place) for place in map(province_of, MAP.home_land[Power("ITALY")])}
    assert setup.tossed == (Power("ITALY"), 1914)
    joined = setup.joined_by(0)
    assert joined.unplayed == frozenset()
    assert joined.closed == frozenset()
    assert joined.assignments[0] == (*setup.assignments[0], Power("ITALY"))
    assert joined.assignments[1] == setup.assignments[1]


def test_power_by_power_24_units_win_where_nobody_shares() -> None:
    options = replace(STANDARD, victory_measure=VictoryMeasure.UNITS)
    position = _position({"ENGLAND": 24, "FRANCE": 8}, {"ENGLAND": 20})
    assert ending(MAP, position, options, Circumstances(), adjusted=True) == Ending(Power("ENGLAND"))
    assert ending(MAP, position, options, Circumstances()) is None


def test_every_value_of_every_rule_is_in_some_case() -> None:
    played = [options for case in CASES for options in case.under.values()]
    for name, value in _values():
        if name not in COURSE_OF_THE_GAME:
            assert any(getattr(options, name) == value for options in played), f"{name}={value}"


COURSE_OF_THE_GAME = {
    "misspelling",
    "draw_rule",
    "victory_measure",
    "short_game",
    "press_phases",
    "country_assignment",
    "turn_word",
    "update_type",
    "ready_needed",
    "skipped_time",
    "players",
    "fog",
}
"""Options that no table of orders can show."""


# Another board


def test_the_second_board_is_small_and_has_a_bit_of_everything() -> None:
    assert len(LAGOON.provinces) == 12
    assert any(info.coasts for info in LAGOON.provinces.values())
    assert not set(LAGOON.powers) & set(MAP.powers)
    assert not LAGOON.provinces.keys() & MAP.provinces.keys()


@pytest.mark.parametrize("case", OTHERS_CASES)
def test_case_on_another_board(case: Case) -> None:
    for table in case.phases:
        for options in case.under.values():
            check_phase(table, options, case.map)


@pytest.mark.parametrize("name", OTHERS)
def test_games_and_nasty_phases_on_another_board(name: str) -> None:
    for seed in range(300):
        check_movement(*nasty(seed, OTHERS[name]), OTHERS[name])
    play(1, STANDARD, 200, OTHERS[name])


def test_a_set_up_may_begin_in_another_year() -> None:
    assert LAGOON.start(LAGOON.setups["2"]).phase == Phase.parse("S0050M")


def test_what_a_board_leaves_out_has_a_default() -> None:
    assert (DELTA.victory_units, DELTA.armistice_centers) == (5, 4)
    assert (MAP.victory_units, MAP.armistice_centers) == (24, 23)
    assert DELTA.home_land == DELTA.home_centers
    (setup,) = DELTA.setups.values()
    assert setup == SetUp("2", 1200, ((Power("NORTH"),), (Power("SOUTH"),)), frozenset([Power("HERMITS")]))
    start = DELTA.start()
    assert (str(start.phase), list(map(str, start.units))) == ("W1200A", ["A HUT"])
    assert start.centers == {"NO1": "NORTH", "S2": "SOUTH", "HUT": "HERMITS"}


def test_the_rules_name_no_place_and_no_power() -> None:
    names = {info.name for info in MAP.provinces.values()} | set(MAP.provinces) | set(MAP.powers)
    names |= {str(coast) for info in MAP.provinces.values() for coast in info.coasts}
    for path in Path(judge.rules.__file__).parent.glob("*.py"):
        words = {node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)}
        assert not names & words, path
