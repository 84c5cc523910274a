"""`judge adjudicate`: every key of `docs/adjudicate.md`, whatever a line may hold, and whole games line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge import reports
from judge.rules import NORMAL, PROFILES, Circumstances, adjudicate, load_map
from judge.rules.exchange import adjudicate_line, read_task, write_result, write_task
from judge.rules.outcomes import RULES_REVISION, Outcome
from judge.rules.position import Phase, PhaseKind, Power
from tests.nasty import CHOICES, random_orders
from tests.phases import nasty

MAP = load_map()
DOCS = Path(__file__).parents[1] / "docs" / "adjudicate.md"


def why(outcome: Outcome) -> str:
    return type(outcome).__name__


def words(_board: str) -> Callable[[Outcome], str]:
    return why


def done(line: Mapping[str, Any]) -> dict[str, Any]:
    text, good = adjudicate_line(json.dumps(line), words)
    assert good, text
    result = json.loads(text)
    assert isinstance(result, dict)
    return result


def refused(text: str, number: int | None = None) -> dict[str, Any]:
    written, good = adjudicate_line(text, words, number)
    assert not good, written
    result = json.loads(written)
    assert result.keys() == {"id", "error"}
    assert isinstance(result, dict)
    return result


# What comes out

SPRING = {
    "id": 7,
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "A MAR", "F SPA/NC"], "GERMANY": ["A BUR", "A MUN", "A RUH"], "ITALY": ["A GAS"]},
    "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]},
    "orders": {
        "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F SPA/SC H", "A BUR - BEL", "F MAR H"],
        "GERMANY": ["A BUR H", "A MUN S A BUR", "A KIE - DEN", "A RUH - BEL"],
    },
}


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
        "A BUR": [],  # not what France told it
        "A MUN": [],
        "A RUH": [],
        "A GAS": [],  # told nothing
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
    rules = {"victory_measure": "24-units"}
    line = {"phase": "W1910A", "units": units, "rules": rules, "players": players}
    out = done(line | {"centers": {"ENGLAND": centers[:14], "FRANCE": centers[14:24]}})
    assert (out["next"], out["winner"]) == ("COMPLETED", "Ada")
    assert out["won_with"] == {"ENGLAND": 14, "FRANCE": 10}


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


# What goes in


@pytest.mark.parametrize(
    ("changes", "retreats"),
    [
        ({}, ["BOH", "SIL", "TYR"]),
        ({"units": {"FRANCE": ["A MUN", "A SIL"]}}, ["BER", "BOH", "KIE", "RUH", "TYR"]),
        ({"contested": ["TYR"]}, ["BOH", "SIL"]),
        ({"closed": ["BOH", "SIL"]}, ["TYR"]),
        ({"dislodged": {"GERMANY": {"A MUN": {"from": "BOH", "by_convoy": True}}}}, ["BOH", "BUR", "SIL", "TYR"]),
        (
            {
                "dislodged": {"GERMANY": {"A MUN": {"from": "BOH", "by_convoy": True}}},
                "rules": {"retreat_to_convoy_origin": "no"},
            },
            ["BUR", "SIL", "TYR"],
        ),
        ({"dislodged": {"GERMANY": {"A MUN": {"from": "BUR", "retreats": ["TYR", "SIL"]}}}}, ["SIL", "TYR"]),
        ({"dislodged": {"GERMANY": {"A MUN": {"from": "BUR", "retreats": []}}}}, []),
        ({"dislodged": {"ITALY": {"F SPA/SC": {"from": "GAS"}}}}, ["LYO", "MAO", "MAR", "POR", "WES"]),
        (
            {"dislodged": {"ITALY": {"A NAP": {"from": "TUN", "retreats": ["APU"]}}}},
            ["APU"],
        ),
    ],
)
def test_retreats_that_are_not_given_are_derived(changes: dict[str, Any], retreats: list[str]) -> None:
    line = {
        "phase": "F1901R",
        "units": {"FRANCE": ["A MUN", "A RUH", "A BER", "A KIE"]},
        "dislodged": {"GERMANY": {"A MUN": {"from": "BUR"}}},
    }
    (loss,) = read_task(line | changes).position.dislodged.values()
    assert list(loss.retreats) == retreats


@pytest.mark.parametrize(
    ("units", "by_convoy", "good"),
    [
        (["A NAP", "F TYS"], None, True),  # it may have come by sea, and only then can Rome be open
        (["A NAP", "F TYS"], True, True),
        (["A NAP", "F TYS"], False, False),
        (["A NAP"], None, False),
        (["F NAP", "F TYS"], None, False),
        (["A NAP", "F ADR"], None, False),
    ],
)
def test_a_retreat_to_where_the_attack_came_from(
    units: list[str],
    by_convoy: bool | None,  # noqa: FBT001
    good: bool,  # noqa: FBT001
) -> None:
    loss = {"from": "ROM", "retreats": ["ROM"], "by_convoy": by_convoy}
    line = {"phase": "S1901R", "units": {"ITALY": units}, "dislodged": {"FRANCE": {"A NAP": loss}}}
    for rules in ("standard", "shingen"):
        text, accepted = adjudicate_line(json.dumps(line | {"rules": rules}), words)
        assert accepted == (good and rules == "standard"), text


def test_what_is_out_of_the_ordinary() -> None:
    line = {
        "phase": "S1901M",
        "disorder": ["FRANCE"],
        "unplayed": ["ITALY"],
        "closed": ["ROM", "VEN"],
        "declined": {"GERMANY": ["DEN"]},
        "players": {"Ada": ["GERMANY", "AUSTRIA"]},
        "rules": {"profile": "shofukusha", "convoy_paradox": "szykman"},
        "end_year": 1907,
    }
    task = read_task(line)
    assert task.circumstances == Circumstances(
        disorder=frozenset({Power("FRANCE")}),
        unplayed=frozenset({Power("ITALY")}),
        closed=frozenset({MAP.provinces["ROM"].code, MAP.provinces["VEN"].code}),  # type: ignore[index]
        declined={Power("GERMANY"): frozenset({MAP.provinces["DEN"].code})},  # type: ignore[index]
        players={"Ada": (Power("AUSTRIA"), Power("GERMANY"))},
    )
    assert task.options.short_game == 1907
    again = read_task(write_task(task.position, task.orders, task.options, task.circumstances))
    assert (again.options, again.circumstances) == (task.options, task.circumstances)


@pytest.mark.parametrize("key", ["units", "dislodged", "contested", "orders", "rules", "board", "players", "end_year"])
def test_null_is_as_good_as_leaving_out(key: str) -> None:
    line = {"phase": "S1901M"}
    assert done(line | {key: None}) == done(line)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"phase": None}, ["phase", "None"]),
        ({"phase": 1901}, ["phase", "1901"]),
        ({"phase": "S1901X"}, ["S1901X"]),
        ({"phase": "W1901M"}, ["W1901M"]),
        ({"phase": "F1901A"}, ["F1901A"]),
        ({"phase": "S19٠1M"}, ["S19٠1M"]),
        ({"phase": "F999999M"}, ["F999999M"]),
        ({"phase": "S001901M"}, ["S001901M"]),
        ({"phase": "S901M"}, ["S901M"]),
        ({"phase": "S0000M"}, ["S0000M"]),
        ({"phase": "x" * 1_000_000}, ["xxx"]),
        ({"phase": "W1901A", "centers": None}, ["centers"]),
        ({"units": ["A PAR"]}, ["units", "A PAR"]),
        ({"units": ""}, ["units"]),
        ({"units": {"FRANCE": "A PAR"}}, ["units", "A PAR"]),
        ({"units": {"FRANCE": [7]}}, ["units", "7"]),
        ({"units": {"FRANCE": ["A PARIS"]}}, ["A PARIS"]),
        ({"units": {"FRANCE": ["A XYZ"]}}, ["XYZ"]),
        ({"units": {"FRANCE": ["F PAR"]}}, ["F PAR"]),
        ({"units": {"FRANCE": ["A NTH"]}}, ["A NTH"]),
        ({"units": {"FRANCE": ["F SPA"]}}, ["F SPA"]),
        ({"units": {"FRANCE": ["F SPA/EC"]}}, ["SPA/EC"]),
        ({"units": {"FRANCE": ["F BRE/NC"]}}, ["BRE/NC"]),
        ({"units": {"FRANCE": ["A SPA"], "ITALY": ["F SPA/NC"]}}, ["F SPA/NC", "two units"]),
        ({"units": {"FRANCE": ["A PAR", "A PAR"]}}, ["A PAR", "two units"]),
        ({"units": {"SPAIN": []}}, ["SPAIN", "units"]),
        ({"orders": {"SPAIN": []}}, ["SPAIN", "orders"]),
        ({"orders": {"FRANCE": ["A PAR to BUR"]}}, ["A PAR to BUR"]),
        ({"orders": {"FRANCE": ["A PAR - XYZ"]}}, ["XYZ"]),
        ({"orders": {"FRANCE": ["A PAR S A XYZ"]}}, ["XYZ"]),
        ({"orders": {"FRANCE": [None]}}, ["orders", "None"]),
        ({"orders": [{"FRANCE": []}]}, ["orders"]),
        ({"centers": {"FRANCE": ["BUR"]}}, ["BUR"]),
        ({"centers": {"FRANCE": ["PAR"], "ITALY": ["PAR"]}}, ["PAR", "FRANCE", "ITALY"]),
        ({"contested": ["XYZ"]}, ["XYZ"]),
        ({"contested": "BUR"}, ["contested", "BUR"]),
        ({"closed": {"ROM": 1}}, ["closed"]),
        ({"disorder": ["SPAIN"]}, ["SPAIN", "disorder"]),
        ({"unplayed": "ITALY"}, ["unplayed", "ITALY"]),
        ({"declined": {"FRANCE": ["SPA"]}}, ["declined", "decline_ownership"]),
        ({"declined": {"FRANCE": ["BUR"]}, "rules": "shofukusha"}, ["BUR"]),
        ({"players": {"Ada": ["SPAIN"]}}, ["SPAIN", "players"]),
        ({"players": {"Ada": ["FRANCE"], "Ben": ["FRANCE"]}}, ["FRANCE", "players"]),
        ({"players": ["Ada"]}, ["players"]),
        ({"end_year": "soon"}, ["soon", "short_game"]),
        ({"end_year": True}, ["True"]),
        ({"end_year": -5}, ["-5", "short_game"]),
        ({"end_year": 0}, ["0", "short_game"]),
        ({"end_year": 10**900}, ["1000", "short_game"]),
        ({"rules": {"short_game": -5}}, ["-5", "short_game"]),
        ({"board": "moon"}, ["moon", "standard"]),
        ({"board": ["standard"]}, ["board"]),
        ({"rules": "chess"}, ["chess", "shingen"]),
        ({"rules": ["standard"]}, ["rules"]),
        ({"rules": {"profile": "chess"}}, ["chess"]),
        ({"rules": {"gravity": "no"}}, ["gravity"]),
        ({"rules": {"convoy_paradox": "ignore"}}, ["convoy_paradox", "ignore", "szykman"]),
        ({"rules": {"convoy_paradox": {}}}, ["convoy_paradox"]),
        ({"rules": {"players": "99"}}, ["players", "99", "3a"]),
        ({"rules": {"players": 7}}, ["players", "7"]),
        ({"rules": {"players": "9" * 1_000_000}}, ["players", "999", "3a"]),
        ({"rules": "chess" * 300_000}, ["chess", "shingen"]),
        ({"rules": {"gravity" * 200_000: "no"}}, ["gravity"]),
        ({"rules": {"convoy_paradox": "ignore" * 200_000}}, ["convoy_paradox", "ignore"]),
        ({"units": {"FRANCE": ["A PAR" * 200_000]}}, ["A PAR"]),
        ({"units": {"FRANCE": ["A \ud800"]}}, ["A "]),
        ({"units": {"SPAIN" * 200_000: []}}, ["SPAIN"]),
        ({"orders": {"FRANCE": ["A PAR - " * 150_000]}}, ["A PAR - "]),
        ({"players": {"Ada" * 400_000: "FRANCE"}}, ["Ada", "FRANCE"]),
        ({"board": [[[[[["standard"]]]]]]}, ["board"]),
        ({"contested": [["BUR"] * 200_000]}, ["contested", "BUR"]),
        ({"dislodged": {"FRANCE": {"A PAR": {"from": "BUR"}}}}, ["A PAR", "retreat phase"]),
        ({"phase": "S1901R", "dislodged": {"FRANCE": {"A PAR": {}}}}, ["from"]),
        ({"phase": "S1901R", "dislodged": {"FRANCE": {"A PAR": {"from": "MUN"}}}}, ["A PAR", "MUN", "no border"]),
        ({"phase": "S1901R", "dislodged": {"FRANCE": {"A PAR": {"from": "PAR"}}}}, ["A PAR", "from PAR"]),
        ({"phase": "S1901R", "dislodged": {"FRANCE": {"A BRE": {"from": "SEV"}}}}, ["A BRE", "SEV", "no convoy"]),
        ({"phase": "S1901R", "dislodged": {"FRANCE": {"F ENG": {"from": "NWY"}}}}, ["F ENG", "NWY"]),
        ({"phase": "S1901R", "dislodged": {"FRANCE": {"A PAR": {"from": "SPA/NC"}}}}, ["SPA/NC"]),
        ({"phase": "S1901R", "dislodged": {"FRANCE": {"A PAR": "BUR"}}}, ["A PAR", "BUR"]),
        ({"phase": "S1901R", "dislodged": {"FRANCE": ["A PAR"]}}, ["FRANCE", "A PAR"]),
        ({"phase": "S1901R", "dislodged": {"FRANCE": {"A PAR": {"from": "BUR", "by_convoy": "no"}}}}, ["by_convoy"]),
        ({"phase": "S1901R", "dislodged": {"FRANCE": {"A PAR": {"from": "BUR", "retreats": ["NTH"]}}}}, ["NTH"]),
        (
            {
                "phase": "S1901R",
                "units": {"ITALY": ["A PIC"]},
                "dislodged": {"FRANCE": {"A PAR": {"from": "BUR", "retreats": ["PIC"]}}},
            },
            ["PIC", "occupied"],
        ),
        (
            {"phase": "S1901R", "dislodged": {"ITALY": {"A MAR": {"from": "PIE", "retreats": ["PIE"]}}}},
            ["A MAR", "PIE", "came from"],
        ),
        (
            {
                "phase": "S1901R",
                "closed": ["PIE"],
                "dislodged": {"FRANCE": {"A MAR": {"from": "BUR", "retreats": ["PIE"]}}},
            },
            ["A MAR", "PIE", "closed"],
        ),
        (
            {
                "phase": "S1901R",
                "dislodged": {"FRANCE": {"A MAR": {"from": "BUR"}}, "ITALY": {"F MAR": {"from": "PIE"}}},
            },
            ["F MAR", "two units"],
        ),
    ],
)
def test_a_fault_is_named_by_its_word(changes: dict[str, object], words: list[str]) -> None:
    result = refused(json.dumps({"id": "this one", "phase": "S1901M"} | changes))
    assert result["id"] == "this one"
    assert all(word in result["error"] for word in words), result["error"]
    assert len(result["error"]) < 250
    assert "\n" not in result["error"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "JSON"),
        ("{", "JSON"),
        ("nonsense", "JSON"),
        ("[]", "[]"),
        ("7", "7"),
        ("null", "None"),
        ('"S1901M"', "S1901M"),
        ("[" * 100_000, "deeply"),
        ('{"phase":' * 100_000, "deeply"),
        ('{"id": NaN, "phase": "S1901M"}', "NaN"),
        ('{"id": -Infinity, "phase": "S1901M"}', "Infinity"),
        ('{"id": 1e999, "phase": "S1901M"}', "1e999"),
        ('{"id": ' + "9" * 5000 + ', "phase": "S1901M"}', "JSON"),
        ('{"id": -' + "9" * 1_000_000 + ', "phase": "S1901M"}', "1000001 digits"),
        ('{"id": ' + "9" * 1_000_000 + 'e9, "phase": "S1901M"}', "999"),
        ('{"id": 1, "phase": "S1901M", "units": {"FRANCE": ["A\rPAR"]}}', "control character"),
        ("x" * 1_000_000, "JSON"),
        ('{"' + "x" * 1_000_000 + '": 1, "phase"}', "JSON"),
        ('{"' + "x" * 1_000_000 + '": 1, "' + "x" * 1_000_000 + '": 2}', "'xxx"),
        ("[" * 900 + "]" * 900, "[[["),
        ("\ufeff{}", "BOM"),
        ('{"id": 1, "phase": S1901M}', "'S1901M}'"),
        ('{"id": 1, "id": 2, "phase": "S1901M"}', "'id'"),
        ('{"phase": "S1901M", "units": {"FRANCE": ["A PAR"], "FRANCE": []}}', "'FRANCE'"),
    ],
)
def test_lines_that_are_no_object(text: str, word: str) -> None:
    error = refused(text)["error"]
    assert word in error
    assert len(error) < 250


@pytest.mark.parametrize("depth", range(100, 1000, 50))
def test_whatever_is_nested_is_read_or_refused(depth: int) -> None:
    nested = "[" * depth + "]" * depth
    for key in KEYS:
        text, good = adjudicate_line(f'{{"phase": "S1901M", "{key}": {nested}}}', words)
        assert good == (key == "id" and "error" not in text)
        assert good or len(json.loads(text)["error"]) < 250


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b'{"id": "\xff", "phase": "S1901M"}', "line 5: no UTF-8: the byte 0xff at column 9"),
        (b'{"id": 1, "phase": "S1901M"}\xc3', "line 5: no UTF-8: the byte 0xc3 at column 29"),
        (
            b'{"phase": "S1901\x00M"}',
            "line 5: not a line of JSON: Invalid control character at at column 17, '\\x00M\"}'",
        ),
    ],
)
def test_bytes_are_read_as_they_are(line: bytes, error: str) -> None:
    text, good = adjudicate_line(line, words, 5)
    assert (good, json.loads(text)) == (False, {"id": None, "error": error})
    assert done({"id": "一番", "phase": "S1901M"}) == json.loads(
        adjudicate_line('{"id": "一番", "phase": "S1901M"}'.encode(), words)[0]
    )


@pytest.mark.parametrize("text", ["nonsense", "{}", '{"id": 3}', '{"phase": "S1901M", "units": {"FRANCE": ["A XYZ"]}}'])
def test_an_error_names_the_line(text: str) -> None:
    assert refused(text, 17)["error"] == f"line 17: {refused(text)['error']}"


@pytest.mark.parametrize("phase", ["S0001M", "S1901M", "F1901R", "W99999A", "S999998A", "S100000M"])
def test_a_phase_reads_back(phase: str) -> None:
    assert str(Phase.parse(phase)) == phase


@pytest.mark.parametrize("id_", [None, 0, "", "一番", "\ud800", [1, {"a": None}], 10**400, 1.5, False])
def test_an_id_comes_back_unchanged_and_can_be_printed(id_: object) -> None:
    text, good = adjudicate_line(json.dumps({"id": id_, "phase": "S1901M"}), words)
    assert good
    text.encode()
    assert json.loads(text)["id"] == id_
    assert refused(json.dumps({"id": id_}))["id"] == id_


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=8),
    st.sampled_from(["\ud800", "A PAR\r", "x" * 5000, 10**900, -1, "S0000M"]),
    st.sampled_from(["A PAR", "F STP/SC", "A PAR - BUR", "WAIVE", "PAR", "FRANCE", "S1901M", "W1901A", "szykman"]),
)
JUNK: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["FRANCE", "GERMANY", "A PAR", "from", "profile", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = [
    "phase", "units", "dislodged", "centers", "contested", "orders", "rules", "board",
    "disorder", "unplayed", "closed", "declined", "players", "end_year", "id",
]  # fmt: skip


@settings(max_examples=800, deadline=None)
@given(st.sampled_from(["S1901M", "F1901R", "W1901A"]), st.dictionaries(st.sampled_from(KEYS), JUNK, max_size=4))
def test_junk_never_raises(phase: str, changes: dict[str, Any]) -> None:
    line = {
        "phase": phase,
        "units": {"FRANCE": ["A PAR"]},
        "centers": {"FRANCE": ["PAR"]},
        "dislodged": {"ITALY": {"A PAR": {"from": "BUR"}}} if phase == "F1901R" else {},
        "orders": {"FRANCE": ["A PAR - BUR"]},
    }
    text, good = adjudicate_line(json.dumps(line | changes), words, 3)
    text.encode()
    error = json.loads(text).get("error")
    assert good == (error is None)
    assert good or (error.startswith("line 3: ") and len(error) < 250)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**40), st.binary(max_size=3))
def test_damaged_lines_never_raise(seed: int, damage: bytes) -> None:
    chance = Random(seed)
    text = json.dumps(SPRING)
    at = chance.randrange(len(text))
    damaged = text[:at] + damage.decode("latin-1") + text[at + chance.randint(0, 3) :]
    assert json.loads(adjudicate_line(damaged, words)[0])


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
    written, _ = adjudicate_line(given.replace("\n", ""), reports.reasons_on, 1)
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
