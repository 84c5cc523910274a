"""Turning points of a game: chosen by centers alone, each told in one sentence."""

from __future__ import annotations

import pytest

from judge.commands import Language
from judge.reports.turning import Turn, turning_points
from judge.reports.wording import wording_in
from judge.rules.map import load_map
from judge.rules.position import Location, Phase, Power, Province

MAP = load_map()
POWERS = {power[0]: power for power in MAP.powers}

CASES = {
    "nothing is lost": ({"F1901M": "BEL-E"}, []),
    "a center": ({"F1904M": "KIE:G-F"}, ["Fall 1904: Kiel falls to France."]),
    "several centers": (
        {"F1904M": "DEN:G-E, KIE:G-F, MUN:G-F"},
        ["Fall 1904: Germany loses Denmark, Kiel and Munich to England and France."],
    ),
    "the last centers": (
        {"F1904R": "ROM:I-A, VEN:I-A, NAP:I-T"},
        ["Fall 1904: Italy is eliminated and loses Naples, Rome and Venice to Austria and Turkey."],
    ),
    "a center that nobody takes": ({"F1904M": "KIE:G-"}, []),
    "one a phase, the power first on the board if equal": (
        {"F1904M": "TRI:A-I, LON:E-F"},
        ["Fall 1904: Trieste falls to Italy."],
    ),
    "a home center before others, the earlier of equal ones, in the order of play": (
        {"F1902M": "BUL:T-R", "F1903M": "SER:T-A", "F1904M": "GRE:T-A", "F1905M": "SMY:T-A"},
        [
            "Fall 1902: Bulgaria falls to Russia.",
            "Fall 1903: Serbia falls to Austria.",
            "Fall 1905: Smyrna falls to Austria.",
        ],
    ),
}
"""Phase → centers that change owners.

`KIE:G-F` is Germany's and becomes France's. `BEL-E` was not owned and becomes England's.
"""
KEPT = {"A": "VIE", "E": "EDI", "F": "BRE", "G": "BER", "R": "MOS", "T": "ANK"}
"""Power → the center it keeps, for every power but Italy."""


def turns(changes: dict[str, str]) -> list[Turn]:
    """Return the phases of a case."""
    moves = {phase: [_read(one) for one in line.split(", ")] for phase, line in changes.items()}
    owners = {center: loser for line in moves.values() for center, loser, _ in line if loser}
    owners |= {_center(code): POWERS[power] for power, code in KEPT.items()}
    found = []
    for phase, line in moves.items():
        changed = {center: new for center, _, new in line}
        after = {center: new for center, new in (owners | changed).items() if new}
        found.append(Turn(Phase.parse(phase), owners, after))
        owners = after
    return found


def _center(code: str) -> Province:
    return Province(Location(code))


def _read(change: str) -> tuple[Province, Power | None, Power | None]:
    """Read `KIE:G-F`, or `BEL-E` for a center without an owner."""
    old, _, new = change.partition("-")
    center, _, loser = old.partition(":")
    return _center(center), POWERS.get(loser), POWERS.get(new)


@pytest.mark.parametrize("case", CASES)
def test_a_turning_point_is_chosen_by_the_rule(case: str) -> None:
    changes, told = CASES[case]
    say = wording_in(Language.ENGLISH).speech.message
    assert [say("turning", of=one) for one in turning_points(MAP, turns(changes))] == told


@pytest.mark.parametrize("language", Language)
def test_every_language_names_phase_centers_and_powers(language: Language) -> None:
    wording = wording_in(language)
    changes = {"F1903M": "KIE:G-F", "F1904M": "BEL:E-F, DEN:E-G", "F1905M": "ROM:I-T"}
    for one in turning_points(MAP, turns(changes)):
        told = wording.speech.message("turning", of=one)
        named = [*map(wording.place, one.centers), *map(wording.power, one.winners)]
        named += [wording.power(one.loser)] if one.several or one.is_out else []
        assert [name for name in (*named, str(one.phase.year)) if name not in told] == []
