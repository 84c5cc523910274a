"""Find lines that were not understood though they contain words of the game.

The sender is told about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from judge.commands import Steering
from judge.language.asking.data import pattern_of, words_for
from judge.language.asking.intent import NOTHING, intents
from judge.language.asking.phrases import load_phrases
from judge.language.context import Context
from judge.language.denials import denial_in
from judge.language.lines import ReadLine
from judge.language.orders.traces import holds_traces
from judge.language.words import UNKNOWN, VERBS, Lexicon, Word, is_japanese, normal_form
from judge.language.words.tongue import LATIN_LETTERS, is_plain

_SENTENCE_ENDS = re.compile(r"[.!?。]+")
_IN_BRACKETS = re.compile(r"[(（\[][^()（）\[\]]*[)）\]]")
_FEW, _LONGEST_CODE = 4, 3
"""Limits in words and in letters."""
_LONGEST = 160
_SHORT = 40
_LONGEST_NAMED = 300
_NAME = re.compile(r"[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,2}|[^\w]+")
"""A person's name, or a separator line."""
_LEAST = 0.1
"""How likely a line must ask for something to count as meant for the judge."""
_WORD = re.compile(f"[{LATIN_LETTERS}]+")
_OF_ORDERS = frozenset((*VERBS, "PLACE", "POWER", "KIND"))


def unused(lines: Sequence[ReadLine], context: Context) -> tuple[str, ...]:
    """Return lines, as written, that may be for the judge but were not used.

    Talk, remarks and anything below the end of a letter are left out, unless nothing in the mail was used.
    """
    if not any(line.faults or any(not isinstance(one, Steering) for one in line.requests) for line in lines):
        return tuple(map(_shortened, _own_words(lines)))
    above = list(_above_the_end(lines))
    below = {line.text for line in lines[len(above) :] if _is_open(line)}
    of_orders = {text for text in below if _may_order(text, context)}
    meant = {text for text in {line.text for line in above if _is_open(line)} if _is_meant(text, context)}
    return tuple(
        line.text.strip()
        for place, line in enumerate(lines)
        if _is_open(line) and line.text in (meant if place < len(above) else of_orders)
    )


def _own_words(lines: Sequence[ReadLine]) -> Iterator[str]:
    """Yield the unused lines, without greetings, names and anything from the farewell on."""
    for place, line in enumerate(lines):
        text = normal_form(line.text).text.strip()
        if len(text) <= _SHORT and place and pattern_of("%s", "farewell").match(text):
            return
        is_name = _NAME.fullmatch(line.text.strip()) is not None
        if not line.requests and text and not is_name and pattern_of("%s", "greeting").match(text) is None:
            yield line.text.strip()


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_NAMED else f"{text[:_LONGEST_NAMED]}…"


def _above_the_end(lines: Sequence[ReadLine]) -> Iterator[ReadLine]:
    """Yield the lines above the farewell, or all if something below was used."""
    used = max((place for place, line in enumerate(lines) if line.requests or line.faults), default=-1)
    for place, line in enumerate(lines):
        if place > used and pattern_of("%s", "farewell").match(normal_form(line.text).text.strip()):
            return
        yield line


def _is_meant(written: str, context: Context) -> bool:
    """Whether a line that was not used may be meant for the judge."""
    if _may_order(written, context):
        return True
    text = normal_form(written).text.strip()
    if not text or len(text) > _LONGEST or text.endswith(":"):
        return False
    if pattern_of("%s", "remarks").search(text):
        return False
    denial = denial_in(written)
    if denial is not None and denial.is_plain:  # there is no order above that it could withdraw
        return True
    if pattern_of("%s", "questions_of_the_game").search(text) or _holds_any(text, _command_words() - _everyday()):
        return True
    if pattern_of("%s", "tells").search(text):
        return False
    return _asks(text) or _speaks_of_orders(text, context) or _speaks_of_a_command(text, context)


def _is_open(line: ReadLine) -> bool:
    return not (line.requests or line.faults or line.is_heeded)


def _may_order(written: str, context: Context) -> bool:
    """Whether a line may hold the remains of an order, with or without brackets."""
    form = normal_form(written)
    plain = normal_form(_IN_BRACKETS.sub(" ", written))
    lexicon = context.lexicon
    said = {one.text: lexicon.words(one.text) for one in (form, plain)}
    if any(holds_traces(said[one.text], lexicon, one) for one in dict.fromkeys((form, plain))):
        return True
    parts = _SENTENCE_ENDS.split(plain.text)
    return any(_is_place_beside_unknown(said.get(part) or lexicon.words(part), lexicon) for part in parts)


def _is_place_beside_unknown(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a short sentence has a place's name beside an unknown word.

    Examples: `Munich toHolland`, デンマー維ク持.
    """
    if not 1 < len(words) <= _FEW:
        return False
    places = [
        word
        for word in words
        if (word.kind == "PLACE" and (word.is_japanese or len(word.text) > _LONGEST_CODE))
        or (word.kind == UNKNOWN and is_japanese(word.text) and lexicon.names.is_like_one(word.text))
    ]
    return bool(places) and any(
        word.kind == UNKNOWN
        and word not in places
        and (not is_plain(word.text) or len(word.text) > _LONGEST_CODE)
        and word.text not in lexicon.plain
        and not lexicon.makes_nothing_doubtful(word.text)
        for word in words
    )


def _asks(text: str) -> bool:
    """Whether a line asks for something, or answers a question not asked."""
    demands = any(pattern_of("%s", name).search(text) for name in ("requests", "demands"))
    return demands or pattern_of("(?:%s)", "plain_answer").match(text) is not None


def _speaks_of_a_command(text: str, context: Context) -> bool:
    likely = intents(text, context)[0]
    return (likely[1] != NOTHING and likely[0] >= _LEAST) or _holds_any(text, _command_words())


def _speaks_of_orders(text: str, context: Context) -> bool:
    named = [word.kind for word in context.lexicon.words(text)]
    # Places alone may be part of a postal address.
    return len({*(kind for kind in named if kind in _OF_ORDERS), "PLACE"}) > 2 or named.count("PLACE") > 1


def _holds_any(text: str, words: frozenset[str]) -> bool:
    if not words.isdisjoint(_WORD.findall(text)):
        return True
    return is_japanese(text) and any(word in text for word in words if is_japanese(word))


@cache
def _everyday() -> frozenset[str]:
    """Return the command words that are also used in everyday talk."""
    return frozenset(words_for("everyday"))


@cache
def _command_words() -> frozenset[str]:
    """Return the words that are only used in commands."""
    apart = load_phrases().apart["in_sentences"]
    words = {word for entry in load_phrases().entries for word in entry.words} - apart
    return frozenset(word for word in words if len(word) >= (2 if is_japanese(word) else 4)) | {"deadline", "orders"}
