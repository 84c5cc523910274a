"""`judge adjudicate`: what a line may contain, and how a wrong line is reported."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.rules import Circumstances, load_map
from judge.rules.exchange import adjudicate_line, read_task, write_task
from judge.rules.position import Phase, Power
from tests.exchange_lines import KEYS, SPRING, done, refused, words

MAP = load_map()


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
        ({"board": "x" * 5000}, ["board", "xxx"]),  # longer than the name of a file may be
        ({"phase": "W1901A", "centers": None}, ["centers"]),
        ({"units": ["A PAR"]}, ["units", "A PAR"]),
        ({"units": ""}, ["units"]),
        ({"units": {"FRANCE": "A PAR"}}, ["units", "A PAR"]),
        ({"units": {"FRANCE": [7]}}, ["units", "7"]),
        ({"units": {"FRANCE": ["A PARIS"]}}, ["unknown province", "PARIS"]),
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
