"""Answers to questions about a move, made from the board alone.

A move such as `F KIE - MUN` is a topic of HELP.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judge.rules.map import Map
from judge.rules.position import CODE, Location, Province, Unit, UnitKind, province_of

if TYPE_CHECKING:
    from judge.reports.wording import Wording

_TOPIC = re.compile(rf"(?P<kind>[AF]) (?P<start>{CODE}) - (?P<end>{CODE})")


def is_about_a_move(topic: str) -> bool:
    """Whether a topic of HELP asks for a move."""
    return _TOPIC.fullmatch(topic) is not None


def move_answer(wording: Wording, topic: str) -> str:
    """Return whether a unit can go there, and where else it can go.

    It is "" if the topic is no move on the board.
    """
    match = _TOPIC.fullmatch(topic)
    if match is None or not {match["start"], match["end"]} <= wording.map.provinces.keys():
        return ""
    kind, start, end = UnitKind(match["kind"]), Province(Location(match["start"])), Province(Location(match["end"]))
    near = _reached(wording.map, kind, start)
    said = wording.speech.message(
        f"can-go-{_why(wording.map, kind, start, end)}", kind=kind.value, start=start, end=end
    )
    if not near:
        return said
    return f"{said}\n\n{wording.speech.message('can-go-where', kind=kind.value, start=start, places=near)}"


def _reached(board: Map, kind: UnitKind, start: Province) -> tuple[Province, ...]:
    """Return the provinces that a unit can reach from any coast without a convoy."""
    stands = [here for here in board.units[kind] if province_of(here) == start]
    return tuple(
        sorted({province_of(there) for here in stands for there in board.neighbors(Unit(kind, Location(here)))})
    )


def _why(board: Map, kind: UnitKind, start: Province, end: Province) -> str:
    """Return "yes", or why not, as the end of a message's id."""
    if end in _reached(board, kind, start):
        return "yes"
    if not board.can_enter(kind, start):
        return "not-from"
    if not board.can_enter(kind, end):
        return "not-into"
    if end in board.borders[start]:
        return "no-coast"
    is_by_sea = kind is UnitKind.ARMY and all(_reached(board, UnitKind.FLEET, one) for one in (start, end))
    return "by-convoy" if is_by_sea else "too-far"
