"""Text for others or for oneself in people's own words: `To France: …`, `Let Italy know that …`, ドイツへ：…."""

from __future__ import annotations

import re

from judge.commands import Announce, Broadcast, Command, Note, Perhaps, Press
from judge.language.asking.data import pattern_of, words_for
from judge.language.context import Context
from judge.language.words import Line
from judge.rules.position import Power

_LONGEST = 600
"""In characters: a longer line is no request to pass something on."""


def words_to_pass_on(line: Line, context: Context) -> Command | None:
    """Return the press that a line may ask for in free words; `PRESS TO G: …` surely asks for it.

    The text is empty if it can only be below: `To France:`.
    """
    if len(line.text) > _LONGEST:
        return None
    for pattern in _patterns():
        match = pattern.match(line.text)
        command = _command(match, line, context) if match is not None else None
        if command is not None:
            return command
    return None


def words_left_to_pass_on(line: Line, context: Context) -> Command | None:
    """Return the press that a sentence asks for, with all its words but those that ask and address."""
    match = pattern_of("%s", "asks_to_pass_on").search(line.text)
    if match is None:
        return None
    parts = [_as_written(line, 0, match.start()), _as_written(line, match.end(), len(line.text))]
    text = " ".join(pattern_of("%s", "around_passed_on").sub("", part).strip() for part in parts).strip()
    talk = _for_whom(match["to"].strip(), text, context) if text else None
    return None if talk is None else Perhaps(talk)


def _patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(words) for words in words_for("passed_on"))


def _command(match: re.Match[str], line: Line, context: Context) -> Command | None:
    found = match.groupdict()
    text = _as_written(line, *match.span("text"))
    if "to" not in found:
        kind = Announce if found.get("announced") else Note
        return Perhaps(kind(text=text)) if text else None
    named = found["to"].strip()
    talk = _for_whom(named, text, context)
    return talk if talk is None or found.get("press") else Perhaps(talk)


def _as_written(line: Line, start: int, end: int) -> str:
    if start >= end:
        return ""
    first, last = line.span(start, end)
    return line.written[first:last].strip()


def _for_whom(named: str, text: str, context: Context) -> Press | Broadcast | None:
    if named in words_for("everybody"):
        return Broadcast(text=text)
    powers = _powers_named(named, context)
    return Press(powers, text=text) if powers else None


def _powers_named(named: str, context: Context) -> tuple[Power, ...]:
    """Return powers by names or initials; none if one of them is unknown."""
    known = context.lexicon.names.powers
    pieces = [piece.strip() for piece in pattern_of("%s", "between_powers").split(named) if piece.strip()]
    if pieces and all(piece in known for piece in pieces):
        return tuple(dict.fromkeys(known[piece] for piece in pieces))
    initials = {power[0].lower(): power for power in context.map.powers}
    letters = "".join(pieces)
    is_short = len(letters) <= len(initials) and all(letter in initials for letter in letters)
    return tuple(dict.fromkeys(initials[letter] for letter in letters)) if is_short and letters else ()
