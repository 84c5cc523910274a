"""Questions whether a unit can go somewhere: `Can a fleet go from Kiel to Munich?`."""

from __future__ import annotations

from judge.commands import Help
from judge.language.asking.data import pattern_of
from judge.language.asking.phrases import load_phrases
from judge.language.context import Context
from judge.language.words import VERBS, Line
from judge.language.words.terminals import Word
from judge.rules.position import province_of

_LONGEST = 100
_MORE_THAN_A_MOVE = (VERBS - {"MOVE"}) | {"LETTER", "POWER", "COAST", "ARROW", "NOT"}


def move_asked_about(line: Line, context: Context) -> Help | None:
    """Return a question about a move as a topic of HELP: `F KIE - MUN`.

    None if the line does not ask about a move of any unit of that kind. A question that names a certain unit is left to
    the other readers.
    """
    text = line.text.strip()
    if len(text) > _LONGEST or pattern_of("%s", "asks_of_a_move").search(text) is None:
        return None
    words = context.lexicon.words(_without_help(text))
    kinds = [word for word in words if word.kind == "KIND"]
    places = [word for word in words if word.kind == "PLACE"]
    if (
        len(kinds) != 1
        or len(places) != 2
        or _names_a_unit(kinds[0], places, text)
        or not _MORE_THAN_A_MOVE.isdisjoint(word.kind for word in words)
    ):
        return None
    named = [context.lexicon.names.places.get(word.text, ()) for word in places]
    if any(len(one) != 1 for one in named):
        return None
    (start,), (end,) = reversed(named) if _comes_from(places[1], words) else named
    return Help(f"{context.lexicon.kinds[kinds[0].text].value} {province_of(start)} - {province_of(end)}")


def _names_a_unit(kind: Word, places: list[Word], text: str) -> bool:
    """Whether a place stands right beside the kind of unit: `army Vienna`.

    Then the question is about a certain unit.
    """
    gaps = [(kind.end, one.start) if kind.end <= one.start else (one.end, kind.start) for one in places]
    return any(not text[start:end].strip() for start, end in gaps)


def _without_help(text: str) -> str:
    """Drop HELP before a question: the word may also order a support."""
    said = next((word for word in load_phrases().words_of("help") if text.startswith(word)), "")
    return text.removeprefix(said).lstrip(" ,:、")


def _comes_from(place: Word, words: list[Word]) -> bool:
    """Whether a move begins at this place: `from Kiel`, キールから."""
    at = words.index(place)
    beside = words[at + 1 : at + 2] if place.is_japanese else words[max(at - 1, 0) : at]
    return any(word.kind == "FROM" for word in beside)
