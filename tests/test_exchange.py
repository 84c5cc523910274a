"""`judge adjudicate`: every key of `docs/adjudicate.md`, and whole games line by line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.reports.clauses import reasons_on
from judge.rules import NORMAL, PROFILES, adjudicate, load_map
from judge.rules.exchange import adjudicate_line, read_options, read_task, write_options, write_result, write_task
from judge.rules.outcomes import RULES_REVISION
from judge.rules.position import PhaseKind
from tests.exchange_lines import KEYS, SPRING, done, why
from tests.nasty import CHOICES, random_orders
from tests.phases import nasty

MAP = load_map()
DOCS = Path(__file__).parents[1] / "docs" / "adjudicate.md"


# What comes out


def test_a_movement_phase() -> None:
    out = done(SPRING)
    assert out["id"] == 7
    assert (out["phase"], out["next"]) == ("S1901M", "F1901M")
    assert out["units"] == {
        "FRANCE": ["A MAR", "A PAR", "F SPA/NC"],
        "GERMANY": ["A BEL", "A BUR", "A MUN"],
        "ITALY": ["A GAS"],
    }
    assert out["dislodged"] == {}
    assert out["centers"] == {"FRANCE": ["MAR", "PAR"], "GERMANY": ["MUN"]}
    assert out["contested"] == []
    assert out["rules_revision"] == RULES_REVISION
    assert not out.keys() & {"adjust", "automatic", "eliminated", "winner"}


@pytest.mark.parametrize(
    ("orders", "following", "contested"),
    [
        ({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}, "F1901M", ["BUR"]),
        ({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"], "ITALY": ["A TYR - MUN"]}, "F1901M", ["BUR"]),
        ({"FRANCE": ["A PAR - GAS"], "GERMANY": ["A MUN - BUR"]}, "F1901M", []),
    ],
)
def test_what_a_standoff_left_empty_is_told_even_if_nobody_retreats(
    orders: dict[str, list[str]], following: str, contested: list[str]
) -> None:
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"], "ITALY": ["A TYR"]}
    out = done({"phase": "S1901M", "units": units, "orders": orders})
    assert (out["next"], out["contested"]) == (following, contested)
    assert done(out | {"phase": out["next"], "orders": {}})["contested"] == []


def test_results_are_those_of_the_units_that_stand_there() -> None:
    out = done(SPRING)
    assert out["results"] == {
        "A PAR": ["bounce"],
        "A MAR": [],
        "F SPA/NC": [],
        "A BUR": [],  # not what France ordered
        "A MUN": [],
        "A RUH": [],
        "A GAS": [],  # no order given
    }
    assert out["why"] == {"A PAR": "Bounced"}


def test_orders_tell_every_line_given() -> None:
    columns = [(line["power"], line["order"], line["results"], line["why"]) for line in done(SPRING)["orders"]]
    assert columns == [
        ("FRANCE", "A PAR - BUR", ["bounce"], "Bounced"),
        ("FRANCE", "A MAR S A PAR - BUR", [], ""),
        ("FRANCE", "F SPA/NC H", [], ""),
        ("FRANCE", "A BUR - BEL", ["void"], "Illegal"),
        ("FRANCE", "F MAR H", ["void"], "Illegal"),
        ("GERMANY", "A BUR H", [], ""),
        ("GERMANY", "A MUN S A BUR", [], ""),
        ("GERMANY", "A KIE - DEN", ["void"], "Illegal"),
        ("GERMANY", "A RUH - BEL", [], ""),
    ]


def test_a_fate_is_told_with_the_units_own_order_even_if_all_orders_are_illegal() -> None:
    units = {"FRANCE": ["A BUR", "A PAR"], "GERMANY": ["A RUH", "A MUN"]}
    orders = {
        "GERMANY": ["A BUR - PIC", "A RUH - BUR", "A MUN S A RUH - BUR"],
        "FRANCE": ["A BUR - EDI", "A BUR - ROM"],
    }
    out = done({"phase": "S1901M", "units": units, "orders": orders})
    assert out["results"]["A BUR"] == ["void", "dislodged"]
    assert out["dislodged"] == {"FRANCE": {"A BUR": {"from": "RUH", "retreats": ["BEL", "GAS", "MAR", "PIC"]}}}
    assert out["next"] == "S1901R"
    assert "centers" not in out


def test_by_convoy_is_written_and_read() -> None:
    units = {"ENGLAND": ["A NWY", "F SKA", "A FIN"], "RUSSIA": ["A SWE"], "GERMANY": ["A DEN"]}
    orders = {"ENGLAND": ["A NWY - SWE VIA", "F SKA C A NWY - SWE", "A FIN S A NWY - SWE"]}
    out = done({"phase": "S1901M", "units": units, "orders": orders})
    assert out["dislodged"]["RUSSIA"]["A SWE"] == {"from": "NWY", "retreats": ["NWY"], "by_convoy": True}
    again = done(out | {"phase": out["next"], "orders": {"RUSSIA": ["A SWE R NWY"]}})
    assert again["units"]["RUSSIA"] == ["A NWY"]
    assert again["results"] == {"A SWE": []}


FALL = {
    "phase": "F1903M",
    "units": {"FRANCE": ["A SPA", "F BRE"], "GERMANY": ["A TYR"], "ITALY": ["A VEN"]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN", "BER", "KIE"], "ITALY": ["ROM"], "TURKEY": ["SPA"]},
}


def test_ownership_adjustments_and_elimination() -> None:
    out = done(FALL)
    assert out["next"] == "W1903A"
    assert out["centers"]["FRANCE"] == ["BRE", "PAR", "SPA"]
    assert out["eliminated"] == ["TURKEY"]
    assert out["adjust"] == {
        "FRANCE": {"count": 1, "options": ["A PAR B"]},
        "GERMANY": {"count": 2, "options": ["A BER B", "F BER B", "A KIE B", "F KIE B", "A MUN B"]},
        "ITALY": {"count": 1, "options": ["A ROM B", "F ROM B"]},
    }
    winter = done(out | {"phase": out["next"], "orders": {"FRANCE": ["A PAR B"], "GERMANY": ["WAIVE", "F KIE B"]}})
    assert winter["next"] == "S1904M"
    assert winter["results"] == {"A PAR": [], "F KIE": []}
    assert winter["automatic"] == []
    assert [line["order"] for line in winter["orders"]] == ["A PAR B", "WAIVE", "F KIE B"]


def test_removals_nobody_ordered() -> None:
    line = {"phase": "W1901A", "units": {"FRANCE": ["A RUH", "A PAR"]}, "centers": {"FRANCE": ["PAR"]}}
    out = done(line)
    assert out["automatic"] == [{"power": "FRANCE", "order": "A RUH D"}]
    assert out["results"] == {"A RUH": []}
    assert out["orders"] == []


def test_a_winner() -> None:
    centers = sorted(MAP.supply_centers)
    out = done({"phase": "F1910M", "units": {"TURKEY": ["A RUH"]}, "centers": {"TURKEY": centers[:18]}})
    assert (out["next"], out["winner"]) == ("COMPLETED", "TURKEY")
    players = {"Ada": ["ENGLAND", "FRANCE"], "Ben": ["TURKEY"]}
    standing = sorted(MAP.army_borders)
    armies = [f"A {place}" for place in standing[:24]]
    units = {"ENGLAND": armies[:14], "FRANCE": armies[14:]}
    rules = {"victory_measure": "units"}
    line = {"phase": "W1910A", "units": units, "rules": rules, "players": players}
    out = done(line | {"centers": {"ENGLAND": centers[:14], "FRANCE": centers[14:24]}})
    assert (out["next"], out["winner"]) == ("COMPLETED", "Ada")
    assert out["won_with"] == {"ENGLAND": 14, "FRANCE": 10}


@pytest.mark.parametrize(
    ("name", "former", "today"),
    [
        ("victory_measure", "18-centers", "centers"),
        ("victory_measure", "24-units", "units"),
        ("draw_rule", "armistice-23", "armistice"),
    ],
)
def test_a_former_value_means_what_it_meant(name: str, former: str, today: str) -> None:
    """Options once had names of the standard board; those stay readable."""
    units = {"TURKEY": [f"A {place}" for place in sorted(MAP.army_borders)[:24]]}
    centers = {"TURKEY": sorted(MAP.supply_centers)[:24]}
    line = {"phase": "W1910A", "units": units, "centers": centers}
    assert done(line | {"rules": {name: former}}) == done(line | {"rules": {name: today}})
    assert read_options({name: former}) == read_options({name: today})
    assert former not in str(write_options(read_options({name: former})))


def test_a_short_game_ends_with_its_year() -> None:
    out = done(FALL | {"end_year": 1903, "phase": "W1903A", "orders": {"GERMANY": ["A MUN B", "F KIE B"]}})
    assert (out["next"], out["winner"]) == ("COMPLETED", "GERMANY")
    assert done(FALL | {"end_year": 1904})["next"] == "W1903A"


@pytest.mark.parametrize(
    ("england", "france", "austria", "winner", "won_with"),
    [
        (7, 4, 4, "Ben", {"FRANCE": 4, "AUSTRIA": 4}),
        (2, 2, 1, "Ben", {"FRANCE": 2, "AUSTRIA": 1}),
        (8, 4, 4, None, None),
        (9, 4, 4, "Ada", {"ENGLAND": 9}),
    ],
)
def test_a_short_game_is_won_by_a_player(
    england: int, france: int, austria: int, winner: str | None, won_with: dict[str, int] | None
) -> None:
    places = iter(f"A {place}" for place in sorted(MAP.army_borders))
    count = {"ENGLAND": england, "FRANCE": france, "AUSTRIA": austria}
    units = {power: [next(places) for _ in range(number)] for power, number in count.items()}
    centers = iter(sorted(MAP.supply_centers))
    owned = {power: [next(centers) for _ in range(number)] for power, number in count.items()}
    players = {"Ada": ["ENGLAND"], "Ben": ["FRANCE", "AUSTRIA"]}
    line = {"phase": "W1907A", "units": units, "centers": owned, "players": players, "end_year": 1907}
    out = done(line | {"rules": "rulebook-1971"})
    assert (out["next"], out.get("winner"), out.get("won_with")) == ("COMPLETED", winner, won_with)


# There and back


@pytest.mark.parametrize("profile", [*PROFILES, "spring-too"])
def test_whole_games_line_by_line(profile: str) -> None:
    spring = {"profile": "standard", "ownership_season": "spring-too", "adjustment_season": "spring-too"}
    rules: object = spring if profile == "spring-too" else profile
    chance = Random(profile)
    line: dict[str, Any] = write_task(MAP.start(), {}, PROFILES["standard"]) | {"rules": rules}
    phases = set()
    for _ in range(150):
        task = read_task(line)
        orders = random_orders(MAP, task.position, task.options, chance)
        resolution = adjudicate(MAP, task.position, orders, task.options)
        given = write_task(task.position, orders, task.options)
        out = done(given)
        assert out == write_result(resolution, why)
        phases.add(out["phase"][0] + out["phase"][-1])
        if out["next"] == "COMPLETED":
            break
        line = out | {"phase": out["next"], "rules": rules}
        assert read_task(line | {"orders": {}}).position == resolution.position
        line["orders"] = {}
    assert phases >= {"SM", "SR", "FM", "FR", "WA"} | ({"SA"} if profile == "spring-too" else set())


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**40))
def test_a_written_task_reads_back(seed: int) -> None:
    position, orders, options, circumstances = nasty(seed)
    task = read_task(json.loads(json.dumps(write_task(position, orders, options, circumstances))))
    assert task.position == position
    assert dict(task.orders) == {power: tuple(given) for power, given in orders.items()}
    assert (task.options, task.circumstances) == (options, circumstances)


def test_nothing_out_of_the_ordinary_is_not_written() -> None:
    assert write_task(MAP.start(), {}, PROFILES["shingen"], NORMAL).keys() == {
        "phase", "units", "dislodged", "centers", "contested", "orders", "rules",
    }  # fmt: skip
    assert MAP.start().phase.kind is PhaseKind.MOVEMENT


# The page about it


EXAMPLE = re.compile(r"^\$ echo '(.*?)' \| .*?judge adjudicate\n(.*?)\n(?=\$|```)", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("given", "printed"), EXAMPLE.findall(DOCS.read_text("utf-8")))
def test_the_page_shows_what_is_printed(given: str, printed: str) -> None:
    written, _ = adjudicate_line(given.replace("\n", ""), reasons_on, 1)
    assert json.loads(written) == json.loads(printed)


def test_the_page_has_examples() -> None:
    assert len(EXAMPLE.findall(DOCS.read_text("utf-8"))) == 3


def test_the_page_names_every_key_and_every_option() -> None:
    page = DOCS.read_text("utf-8")
    out = [
        "next",
        "results",
        "why",
        "adjust",
        "automatic",
        "eliminated",
        "winner",
        "won_with",
        "rules_revision",
        "error",
    ]
    for key in (*KEYS, *out, "from", "retreats", "by_convoy", "count", "options", "power", "order"):
        assert f"`{key}`" in page, key
    for name, values in CHOICES.items():
        assert f"`{name}`" in page, name
        assert all(f"`{value}`" in page for value in values), name
