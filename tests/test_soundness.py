"""An impossible position raises an exception of ours that names the fault.

It never gives a result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from judge.errors import JudgeError, NotationError, PositionError
from judge.rules import (
    NORMAL,
    STANDARD,
    Circumstances,
    Location,
    Phase,
    Position,
    Power,
    Province,
    adjudicate,
    load_map,
    read_order,
    read_unit,
)
from judge.rules.options import ConvoyParadox, Options
from judge.rules.position import Dislodgement, province_of
from judge.rules.soundness import check_position

MAP = load_map()
FRANCE, SPAIN = Power("FRANCE"), Power("SPAIN")


def at(code: str) -> Province:
    return province_of(Location(code))


def position(phase: str = "S1901M", units: Mapping[str, Power] | None = None, **changes: object) -> Position:
    standing = {read_unit(text): power for text, power in (units or {}).items()}
    return replace(Position(Phase.parse(phase), standing, {}), **changes)  # type: ignore[arg-type]


def loss(*retreats: str, power: Power = FRANCE, origin: str = "PIE") -> Dislodgement:
    return Dislodgement(power, at(origin), by_convoy=False, retreats=tuple(map(Location, retreats)))


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (position(units={"F PAR": FRANCE}), ["F PAR", "a fleet cannot stand"]),
        (position(units={"A NTH": FRANCE}), ["A NTH", "an army cannot stand"]),
        (position(units={"A XYZ": FRANCE}), ["A XYZ", "unknown province"]),
        (position(units={"F SPA": FRANCE}), ["F SPA", "SPA/NC", "SPA/SC"]),
        (position(units={"A SPA/NC": FRANCE}), ["A SPA/NC"]),
        (position(units={"F BRE/NC": FRANCE}), ["F BRE/NC"]),
        (position(units={"A SPA": FRANCE, "F SPA/NC": FRANCE}), ["SPA", "two units"]),
        (position(units={"A PAR": SPAIN}), ["SPAIN", "unknown power"]),
        (position(centers={at("PAR"): SPAIN}), ["SPAIN", "unknown power"]),
        (position(centers={at("BUR"): FRANCE}), ["BUR", "supply center"]),
        (position(centers={at("XYZ"): FRANCE}), ["XYZ"]),
        (position("W1901A", centers=None), ["centers"]),
        (position(contested=frozenset([at("XYZ")])), ["XYZ"]),
        (position(dislodged={read_unit("A MAR"): loss("GAS")}), ["A MAR", "retreat phase"]),
        (position("S1901R", dislodged={read_unit("F PAR"): loss()}), ["F PAR"]),
        (position("S1901R", dislodged={read_unit("A MAR"): loss(power=SPAIN)}), ["SPAIN"]),
        (position("S1901R", dislodged={read_unit("A MAR"): loss(origin="XYZ")}), ["XYZ"]),
        (position("S1901R", dislodged={read_unit("A MAR"): loss("LON")}), ["A MAR", "LON", "border"]),
        (position("S1901R", dislodged={read_unit("A MAR"): loss("PIE")}), ["A MAR", "PIE", "came from"]),
        (
            position("S1901R", {"A GAS": FRANCE}, dislodged={read_unit("A MAR"): loss("GAS")}),
            ["A MAR", "GAS", "occupied"],
        ),
        (
            position("S1901R", dislodged={read_unit("A MAR"): loss("GAS"), read_unit("F MAR"): loss("LYO")}),
            ["MAR", "two units"],
        ),
    ],
)
def test_a_bad_position_is_refused(bad: Position, words: list[str]) -> None:
    with pytest.raises(PositionError) as refused:
        adjudicate(MAP, bad, {})
    assert all(word in str(refused.value) for word in words), refused.value


@pytest.mark.parametrize(
    "circumstances",
    [
        Circumstances(disorder=frozenset([SPAIN])),
        Circumstances(unplayed=frozenset([SPAIN])),
        Circumstances(closed=frozenset([at("XYZ")])),
        Circumstances(declined={SPAIN: frozenset()}),
        Circumstances(declined={FRANCE: frozenset([at("XYZ")])}),
        Circumstances(players={"Ada": (SPAIN,)}),
    ],
)
def test_circumstances_of_another_board_are_refused(circumstances: Circumstances) -> None:
    with pytest.raises(PositionError, match="unknown"):
        adjudicate(MAP, MAP.start(), {}, STANDARD, circumstances)


def test_orders_of_an_unknown_power_are_refused() -> None:
    with pytest.raises(PositionError, match="SPAIN"):
        adjudicate(MAP, MAP.start(), {SPAIN: [read_order("A PAR H")]})


@pytest.mark.parametrize(
    "changes",
    [
        {"convoy_paradox": "szykman"},
        {"convoy_paradox": None},
        {"short_game": "1907"},
        {"short_game": True},
        {"players": 7},
    ],
)
def test_options_of_a_wrong_type_are_refused(changes: dict[str, object]) -> None:
    (name,) = changes
    with pytest.raises(NotationError, match=name):
        replace(STANDARD, **changes)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match=name):
        Options(**changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [None, "standard", ConvoyParadox.SZYKMAN, {}])
def test_what_is_no_options_is_refused(options: object) -> None:
    with pytest.raises(JudgeError):
        adjudicate(MAP, MAP.start(), {}, options)  # type: ignore[arg-type]


def test_what_was_adjudicated_is_vouched_for_and_what_was_changed_is_looked_at_again() -> None:
    after = adjudicate(MAP, MAP.start(), {}, STANDARD, NORMAL).position
    assert after.sound_on is MAP
    changed = replace(after, units={read_unit("F PAR"): FRANCE})
    assert changed.sound_on is None
    with pytest.raises(PositionError):
        check_position(MAP, changed)
