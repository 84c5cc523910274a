"""Text for others, or for oneself, in people's own words.

Examples: `To France: …`, `Let Italy know that …`, ドイツへ：….
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from judge.commands import Announce, Broadcast, Command, Note, Perhaps, Press
from judge.language.asking.data import any_of, pattern_of, words_for
from judge.language.asking.named import named, powers_named
from judge.language.context import Context
from judge.language.words import Line, normal_form
from judge.rules.position import Power

_QUOTED = re.compile(
    r"[\"“”«»„\u300c\u300e]\s*(?P<text>[^\"“”«»„\u300c-\u300f]{2,}?)\s*[\"“”«»„\u300d\u300f]|(?<![a-z])'(?P<single>[^']{12,})'(?![a-z])"
)
_COLON = re.compile(r":(?:\s+|(?=[^\x00-\x7f]))(?P<text>\S.*)$")
_LONGEST = 600
"""In characters: longer lines are not read as text to pass on."""


def words_to_pass_on(line: Line, context: Context) -> Command | None:
    """Return the press that a line may ask for in free words.

    It is certain for `PRESS TO G: …`. The text is empty if it can only be below: `To France:`.
    """
    if len(line.text) > _LONGEST:
        return None
    for pattern in _patterns():
        match = pattern.match(line.text)
        command = _command(match, line, context) if match is not None else None
        if command is not None:
            return command
    return None


def told_to_others(line: Line, context: Context) -> Press | Broadcast | None:
    """Return what a sentence asks to tell others.

    None if it does not say to whom, or what.
    """
    return _all_but_what_asks(line, context) or _handed_on(line, context)


def words_told(line: Line) -> str:
    """Return the words in quotes, behind a colon, or in indirect speech.

    "" if there are none.
    """
    found = (re.search(words, line.text) for words in words_for("indirect_speech"))
    behind = next(filter(None, found), None)
    text = _quoted(line) or (_as_written(line, behind.end(), len(line.text)) if behind is not None else "")
    return pattern_of("%s", "around_passed_on").sub("", text).strip()


def told_to_those_named(line: Line, context: Context) -> Press | None:
    """Return press to the powers that a line names, or whose rulers it names.

    Names inside the words that are passed on count only if there are no others.
    """
    words = words_told(line)
    besides = line.text.replace(normal_form(words).text, " ") if words else line.text
    ruled = (
        power
        for power, titles in _titles().items()
        if re.search(f"(?<![a-z])(?:{'|'.join(titles)})(?![a-z])", besides) and power in context.map.powers
    )
    powers = dict.fromkeys((*(powers_named(besides, context) or powers_named(line.text, context)), *ruled))
    others = tuple(power for power in powers if power not in context.powers)
    return Press(others, text=words) if others else None


def _all_but_what_asks(line: Line, context: Context) -> Press | Broadcast | None:
    """Return press of a sentence, without the words that ask and address."""
    match = pattern_of("%s", "asks_to_pass_on").search(line.text)
    if match is None:
        return None
    parts = [_as_written(line, 0, match.start()), _as_written(line, match.end(), len(line.text))]
    text = " ".join(pattern_of("%s", "around_passed_on").sub("", part).strip() for part in parts).strip()
    return _for_whom(match["to"].strip(), text, context) if text else None


def _handed_on(line: Line, context: Context) -> Press | Broadcast | None:
    """Return press of the words behind a verb of telling and its addressees."""
    match = _heading(context.map.name).search(line.text)
    if match is None:
        return None
    text = _quoted(line) or _said_behind(line, match.end())
    if not text:
        return None
    if match["title"] is not None:
        found = next(power for power, titles in _titles().items() if match["title"] in titles)
        return Press((found,), text=text) if found in context.map.powers and found not in context.powers else None
    if match["all"] is not None:
        return Broadcast(text=text)
    powers = powers_named(match["to"], context)
    others = tuple(power for power in powers if power not in context.powers)
    return Press(others, text=text) if others else None


@cache
def _heading(map_name: str) -> re.Pattern[str]:
    """Return a pattern for a verb of telling and its addressees."""
    before, behind, power = (
        any_of("before_an_addressee"),
        any_of("behind_an_addressee"),
        named(map_name)["power"].pattern,
    )
    one = f"(?:{before})?{power}(?:{behind})?"
    everybody = "|".join(sorted(words_for("everybody"), key=len, reverse=True))
    titles = "|".join(sorted((title for some in _titles().values() for title in some), key=len, reverse=True))
    several = rf"(?P<to>{one}(?:\s*(?:,|&|{any_of('and')})\s*{one})*)"
    return re.compile(
        rf"{any_of('hands_on')}(?:{several}|(?P<title>(?:{titles})(?![a-z]))|(?:{before})?(?P<all>(?:{everybody})(?![a-z])))"
        rf"(?:{behind})?"
        rf"(?:{any_of('begins_words')})?"
    )


@cache
def _titles() -> Mapping[Power, tuple[str, ...]]:
    """Return power → the titles of its ruler."""
    rows = (row.split(": ") for row in words_for("titles"))
    return {Power(power): tuple(titles.split(", ")) for power, titles in rows}


def _quoted(line: Line) -> str:
    found = _QUOTED.search(line.text) or _COLON.search(line.text)
    if found is None:
        return ""
    name = "text" if found["text"] else "single"
    return _as_written(line, *found.span(name))


def _said_behind(line: Line, start: int) -> str:
    text = _as_written(line, start, len(line.text)).strip(" ,:-")
    return text if len(text.split()) > 1 else ""


def _patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(words) for words in words_for("passed_on"))


def _command(match: re.Match[str], line: Line, context: Context) -> Command | None:
    found = match.groupdict()
    text = _as_written(line, *match.span("text"))
    if "to" not in found:
        kind = Announce if found.get("announced") else Note
        return Perhaps(kind(text=text)) if text else None
    talk = _for_whom(found["to"].strip(), text, context)
    return talk if talk is None or found.get("press") else Perhaps(talk)


def _as_written(line: Line, start: int, end: int) -> str:
    if start >= end:
        return ""
    first, last = line.span(start, end)
    return line.written[first:last].strip()


def _for_whom(whom: str, text: str, context: Context) -> Press | Broadcast | None:
    if whom in words_for("everybody"):
        return Broadcast(text=text)
    powers = _powers_called(whom, context)
    return Press(powers, text=text) if powers else None


def _powers_called(whom: str, context: Context) -> tuple[Power, ...]:
    """Return powers by names or initials; empty if one is unknown."""
    known = context.lexicon.names.powers
    pieces = [piece.strip() for piece in pattern_of("%s", "between_powers").split(whom) if piece.strip()]
    if pieces and all(piece in known for piece in pieces):
        return tuple(dict.fromkeys(known[piece] for piece in pieces))
    initials = {power[0].lower(): power for power in context.map.powers}
    letters = "".join(pieces)
    is_short = len(letters) <= len(initials) and all(letter in initials for letter in letters)
    return tuple(dict.fromkeys(initials[letter] for letter in letters)) if is_short and letters else ()
