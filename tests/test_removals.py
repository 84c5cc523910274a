"""Removals by rule in random winters, checked by an independent calculation."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from judge.commands import Language
from judge.reports.wording import wording_in
from judge.resources import shipped
from judge.rules import Circumstances, Map, Phase, Position, Power, Unit, adjudicate, load_map, read_unit
from judge.rules.map import read_map
from judge.rules.options import PROFILES
from judge.rules.orders import Disband
from judge.rules.outcomes import ByRule, Verdict

WINTER = Phase.parse("W1901A")
BY_ROUTE = ("rulebook-1971", "avalon-hill-4th", "shirikyu", "shofukusha")
BOARDS: Mapping[str, dict[str, Any]] = {
    "standard": tomllib.loads((shipped("maps") / "standard" / "board.toml").read_text("utf-8")),
    "lagoon": tomllib.loads((Path(__file__).parent / "boards" / "lagoon" / "board.toml").read_text("utf-8")),
}
MAPS = {name: read_map(board) for name, board in BOARDS.items()}


@cache
def spaces(board: str, unit: str, power: str, closed: frozenset[str]) -> int | None:
    """Return the number of spaces a unit enters to reach home; None if impossible.

    The spaces are tried step by step from where the unit stands.
    """
    provinces = BOARDS[board]["provinces"]
    homes = set(BOARDS[board]["powers"][power]["home_centers"])
    reached, steps = {unit[2:]}, 0
    while not any(here[:3] in homes for here in reached):
        entered = {to for here in reached for to in _next(provinces, unit[0], here) if to[:3] not in closed}
        if entered <= reached:
            return None
        reached |= entered
        steps += 1
    return steps


def _next(provinces: Mapping[str, Mapping[str, Any]], kind: str, here: str) -> set[str]:
    facts = provinces[here[:3]]
    if kind == "F":
        return set(facts["coasts"][here[4:]] if "/" in here else facts["fleet"])
    sails = {to[:3] for to in facts.get("fleet", ())} | {
        to[:3] for there in facts.get("coasts", {}).values() for to in there
    }
    by_sea = {to for to in sails if "sea" in (facts["kind"], provinces[to]["kind"])}
    return {*facts.get("army", ()), *by_sea}


def random_winter(map_: Map, chance: Random) -> tuple[Position, Circumstances]:
    """Return random units of all powers, with too few centers for most of them."""
    units: dict[Unit, Power] = {}
    for place in chance.sample(sorted(map_.provinces), min(len(map_.provinces), chance.randint(4, 34))):
        kinds = sorted(unit for table in map_.units.values() for unit in table.values() if unit.province == place)
        units[chance.choice(kinds)] = chance.choice(map_.powers)
    owned = chance.sample(sorted(map_.supply_centers), chance.randint(0, len(map_.supply_centers)))
    homes = {center for centers in map_.home_centers.values() for center in centers}
    shut = chance.sample(sorted(map_.provinces.keys() - homes), 3) if chance.random() < 0.2 else ()
    centers = {center: chance.choice(map_.powers) for center in owned}
    return Position(WINTER, units, centers), Circumstances(closed=frozenset(shut))


def _far(way: int | None) -> int:
    return 99 if way is None else way


@pytest.mark.parametrize("board", BOARDS)
def test_random_winters_lose_the_units_with_the_longest_way_home(board: str) -> None:
    map_, removed = MAPS[board], 0
    for seed in range(600):
        chance = Random(seed)
        position, circumstances = random_winter(map_, chance)
        options = PROFILES[chance.choice(BY_ROUTE)]
        gone = [
            verdict for verdict in adjudicate(map_, position, {}, options, circumstances).verdicts if not verdict.given
        ]
        for power in map_.powers:
            standing = [unit for unit, owner in position.units.items() if owner == power]
            due = len(standing) - sum(owner == power for owner in (position.centers or {}).values())
            ways = {unit: spaces(board, str(unit), power, circumstances.closed) for unit in standing}
            order = sorted(
                standing,
                key=lambda unit: (
                    -_far(ways[unit]),
                    str(unit)[0] == "A",
                    BOARDS[board]["provinces"][str(unit)[2:5]]["name"],
                ),
            )
            mine = [verdict for verdict in gone if verdict.power == power]
            assert [verdict.order for verdict in mine] == [Disband(unit) for unit in order[: max(due, 0)]], seed
            for verdict in mine:
                check_reason(verdict, ways, order[due:])
            removed += len(mine)
    assert removed > 600


def check_reason(verdict: Verdict, ways: Mapping[Unit, int | None], staying: list[Unit]) -> None:
    """Check that the reason states both distances."""
    assert isinstance(verdict.order, Disband)
    unit, kept = verdict.order.unit, staying[0] if staying else None
    assert verdict.by_rule is not None
    assert (verdict.by_rule.unit, verdict.by_rule.spaces) == (unit, ways[unit])
    assert (verdict.by_rule.kept, verdict.by_rule.kept_spaces) == (kept, ways[kept] if kept else None)


# The words

CASES = [
    (
        "rulebook-1971", "RUSSIA", "A SPA, F MAR", "WAR",
        "it stands 6 spaces from the nearest home center, A SPA 5",
        "最も近い本国の補給都市から6スペース、スペイン陸軍は5スペース",
    ),
    (
        "standard", "ITALY", "A TUS, A PIE", "ROM",
        "it stands 2 spaces from the nearest center its power owns, A TUS 1",
        "最も近い占有する補給都市から2スペース、トスカーナ陸軍は1スペース",
    ),
    (
        "shirikyu", "ITALY", "A TUS, F ADR", "ROM",
        "it stands 1 space from the nearest home center, and so does A TUS: fleets go before armies",
        "最も近い本国の補給都市から1スペース、トスカーナ陸軍も同じ: 海軍が先",
    ),
    (
        "shofukusha", "ITALY", "A TUS, A APU", "ROM",
        "it stands 1 space from the nearest home center, and so does A TUS: the name decides",
        "最も近い本国の補給都市から1スペース、トスカーナ陸軍も同じ: 名前の順",
    ),
    ("standard", "ITALY", "A TUS", "", "its power owns no center", "占有する補給都市がありません"),
    (
        "shingen", "ITALY", "A TRI, A APU", "ROM",
        "it stands abroad, A APU at home outside the centers",
        "国外、アプリア陸軍は本国の補給都市以外",
    ),
    (
        "shingen", "ITALY", "A TUS, A ROM", "ROM",
        "it stands at home outside the centers, A ROM in a home center",
        "本国の補給都市以外、ローマ陸軍は本国の補給都市",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "power", "units", "center", "en", "ja"), CASES)
def test_the_reason_shows_both_distances(profile: str, power: str, units: str, center: str, en: str, ja: str) -> None:
    standing = {read_unit(unit): Power(power) for unit in units.split(", ")}
    map_ = load_map()
    centers = {map_.centers_by_code[center]: Power(power)} if center else {}
    resolution = adjudicate(map_, Position(WINTER, standing, centers), {}, PROFILES[profile])
    (verdict,) = (verdict for verdict in resolution.verdicts if not verdict.given)
    assert wording_in(Language.ENGLISH).say("outcome", verdict) == f"{en} [R-ADJ-10]"
    assert wording_in(Language("ja")).say("outcome", verdict) == f"{ja} [R-ADJ-10]"


@pytest.mark.parametrize(("language", "said"), [("en", "no route leads from a home center"), ("ja", "到達できない")])
def test_a_unit_that_no_route_leads_to_goes_first(language: str, said: str) -> None:
    map_, russia, rules = load_map(), Power("RUSSIA"), PROFILES["rulebook-1971"]
    fleet, army = read_unit("F LYO"), read_unit("A POR")
    shut = Circumstances(closed=frozenset(map_.seas))
    position = Position(WINTER, {fleet: russia, army: russia}, {map_.centers_by_code["WAR"]: russia})
    (verdict,) = adjudicate(map_, position, {}, rules, shut).verdicts
    assert verdict.by_rule == ByRule(fleet, rules.default_removal, 13, army, 6)
    shut = Circumstances(closed=frozenset(map_.provinces.keys() - {"POR"}))
    (verdict,) = adjudicate(map_, position, {}, rules, shut).verdicts
    assert verdict.by_rule == ByRule(fleet, rules.default_removal, None, army, None)
    assert said in wording_in(Language(language)).say("outcome", verdict)
