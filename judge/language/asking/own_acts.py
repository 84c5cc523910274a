"""Whether a sentence is about an act of its writer.

Past acts and the wishes of others are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from judge.commands import (
    Absence,
    CastVote,
    Command,
    Concede,
    Elect,
    Override,
    Perhaps,
    SetReady,
    Steering,
    VoteDraw,
    Wait,
)
from judge.language.asking.data import any_of, pattern_of
from judge.language.asking.fitting import meant
from judge.language.asking.named import named
from judge.language.context import Context
from judge.language.words import Line

_VOTES = (VoteDraw, Concede, Elect, CastVote)
_OF_A_MASTER = (Override, SetReady, Wait)
"""What players ask of the master: more time, or an open phase."""


def own_acts(requests: tuple[Command, ...], line: Line, context: Context) -> tuple[Command, ...]:
    """Return the requests that are acts of the writer.

    `France wants a draw` is no vote. Requests to a master are only offered: `Can we have two more days?`
    """
    left = tuple(_as_offered(one, line) for one in requests if not _is_a_remark(meant(one), line, context))
    is_left = len(left) == len(requests) or any(not isinstance(one, Steering) for one in left)
    return left if is_left else ()


def votes_offered(requests: tuple[Command, ...], line: Line, context: Context) -> tuple[Command, ...]:
    """Return the requests; votes are only offered if the line tells others' wishes.

    Example: `Draw, Austria agrees`.
    """
    return tuple(Perhaps(one) if _is_vote_of_others(one, line, context) else one for one in requests)


def is_no_absence_to_come(line: Line, context: Context) -> bool:
    """Whether a sentence is about an absence in the past, or of others."""
    return pattern_of("%s", "was_away").search(line.text) is not None or is_of_others_away(line, context)


def is_of_others_away(line: Line, context: Context) -> bool:
    """Whether a sentence tells that others are away: `Austria is away until Friday`."""
    return _with_powers("others_away", context.map.name).search(line.text) is not None


def is_for_the_master(requests: Sequence[Command], line: Line) -> bool:
    """Whether a line asks only for what a master decides: `Don't process yet`.

    It must use words about the phase.
    """
    asked = [meant(request) for request in requests]
    return bool(asked) and all(isinstance(one, _OF_A_MASTER) for one in asked) and _asks_the_master(line)


def _asks_the_master(line: Line) -> bool:
    return pattern_of("%s", "asks_the_master").search(line.text) is not None


def _is_a_remark(request: Command, line: Line, context: Context) -> bool:
    if isinstance(request, Absence):
        return request.period is not None and is_no_absence_to_come(line, context)
    return _is_vote_of_others(request, line, context)


def _is_vote_of_others(request: Command, line: Line, context: Context) -> bool:
    if isinstance(request, VoteDraw) and not request.agrees:
        return False
    return isinstance(request, _VOTES) and _with_powers("of_others", context.map.name).search(line.text) is not None


def _as_offered(request: Command, line: Line) -> Command:
    return Perhaps(request) if isinstance(request, _OF_A_MASTER) and _asks_the_master(line) else request


@cache
def _with_powers(key: str, map_name: str) -> re.Pattern[str]:
    """Return the pattern under a key, with `<power>` replaced by a map's powers."""
    power = named(map_name)["power"].pattern
    return re.compile(any_of(key).replace("<power>", f"(?:{power})"))
