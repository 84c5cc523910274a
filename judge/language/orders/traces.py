"""Find traces of an order in a line that could not be read.

A trace is a place or a similar word, with a word for what a unit does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.language.words import UNKNOWN, VERBS, Lexicon, Line, Terminal, Word, in_one, misspelled

_SIGNS: frozenset[Terminal] = frozenset(("COMMA", "COLON", "SEP", "OPEN", "CLOSE"))
_TELLING: frozenset[Terminal] = VERBS | {"ARROW", "TO", "HE", "FROM"}
_TARGET: frozenset[Terminal] = frozenset(("HE", "WO"))
"""The particles behind a goal or behind the object of a support."""
_FEW = 8
"""In words: longer lines are not searched for words barely similar to names."""
_MOST_COMPARED = 6
"""Of one line, the most words compared with all names."""
_PLACES_OF_A_MOVE = 2
_LEAST_OF_PROSE = 5
"""In letters: shorter words in prose are not taken for misspelled names."""
_LONGEST_CODE = 3
"""In letters."""


def is_bare_order(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a line has only places, similar words and verbs: `Vienna to Gallicia`."""
    plain = [word for word in words if word.kind not in _SIGNS]
    unknown = [word for word in plain if word.kind == UNKNOWN]
    if not unknown or not 1 < len(plain) <= _FEW or not any(map(_tells, plain)):
        return False
    if any(word.text in lexicon.plain or word.text in lexicon.doubt for word in unknown):
        return False
    if _points(plain) and len(plain) <= _FEW // 2:
        return True
    return all(map(lexicon.names.may_be_meant, (word.text for word in unknown))) or any(
        lexicon.names.may_be_meant(name) for name in _joined(plain)
    )


def holds_traces(words: Sequence[Word], lexicon: Lexicon, line: Line) -> bool:
    """Whether a line has traces of an order.

    Traces are a place or a similar word, with a word for what a unit does; or a unit and little more.
    """
    plain = [word for word in words if word.kind not in _SIGNS]
    if _is_from_place_to_place(plain, lexicon) or _is_of_a_broken_name(plain, lexicon):
        return True
    if not any(word.kind in _TELLING for word in plain):
        return False
    if any(is_place(word, plain, lexicon, line) for word in plain) or _goes_somewhere(plain):
        return True
    if _is_noted(plain):
        return True
    few = 2 * _FEW if any(word.is_japanese for word in plain) else _FEW // 2  # broken Japanese names fall to pieces
    if _points(plain) and len(plain) <= few and all(word.text not in lexicon.plain for word in plain):
        return True
    unknown = [word.text for word in plain if word.kind == UNKNOWN and word.text not in lexicon.plain]
    if unknown and [word.kind for word in plain] == [UNKNOWN, "TO", UNKNOWN]:  # nara nach Wie
        unknown = [plain[0].text, plain[2].text]
    if len(plain) <= _FEW:
        return any(map(lexicon.names.may_be_meant, [*unknown, *_joined(plain)][:_MOST_COMPARED]))
    long = [word for word in unknown if len(word) >= _LEAST_OF_PROSE][:_MOST_COMPARED]
    return any(map(lexicon.names.is_like_one, long))


def _is_from_place_to_place(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a line has two places or similar words, and little else.

    Examples: `army Rhur Holland`, `Rhur auf Holland`.
    """
    unknown = [word.text for word in words if word.kind == UNKNOWN and word.text not in lexicon.plain]
    placed = sum(word.kind == "PLACE" for word in words)
    if not _PLACES_OF_A_MOVE <= placed + len(unknown) <= _FEW // 2 or any(map(str.isdigit, unknown)):
        return False
    is_of_a_unit = words[0].kind in ("KIND", "LETTER")
    is_name = lexicon.names.may_be_meant if is_of_a_unit else lexicon.names.is_like_one
    named = placed + sum(map(is_name, [*unknown, *_joined(words)]))
    return (is_of_a_unit or any(map(_is_of_orders, words))) and named >= _PLACES_OF_A_MOVE


def _is_of_a_broken_name(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a line is a hold or a move with a broken name.

    Examples: `elin holds`, `Armee Tnsi auf München`.
    """
    kinds = [word.kind for word in words]
    names = [word for word in words if word.kind in (UNKNOWN, "PLACE")]
    holds = kinds.count("HOLD") == 1 and len(names) == len(words) - 1 <= _PLACES_OF_A_MOVE
    goes = kinds[:1] == ["KIND"] and len(names) == len(words) - 1 == _PLACES_OF_A_MOVE
    unknown = [word.text for word in names if word.kind == UNKNOWN]
    return (holds or goes) and any(text not in lexicon.plain or lexicon.names.may_be_meant(text) for text in unknown)


def _is_of_orders(word: Word) -> bool:
    """Whether a word says what a unit does, or is a place in full.

    A code may stand in prose: War is hell.
    """
    return word.kind in _TELLING or (word.kind == "PLACE" and (word.is_japanese or len(word.text) > _LONGEST_CODE))


def _tells(word: Word) -> bool:
    """Whether a word says what a unit does.

    A Japanese unit alone is enough: ワルシャワ陸軍 リボニア.
    """
    return word.kind in _TELLING or (word.kind == "KIND" and word.is_japanese)


def _points(words: Sequence[Word]) -> bool:
    """Whether there is an arrow that is not just a hyphen."""
    return any(word.kind == "ARROW" and word.text.endswith(">") for word in words)


def _goes_somewhere(words: Sequence[Word]) -> bool:
    """Whether a Japanese line says that a unit goes to an unknown name: 多島へ移動, 多島からスペンへ."""
    if not words[-1].is_japanese or not any(word.kind == UNKNOWN for word in words):
        return False
    kinds = [word.kind for word in words]
    if len(words) <= 2 * _FEW and kinds[-1] == "HE" and "FROM" in kinds:
        return True
    return 2 < len(words) <= _FEW and kinds[-2] in _TARGET and kinds[-1] in VERBS


def _is_noted(words: Sequence[Word]) -> bool:
    """Whether only the names of an order in notation are wrong: `A Now. Sea h`."""
    if not 2 < len(words) <= _FEW or words[0].kind != "LETTER":
        return False
    verbs = [word.text for word in words if word.kind in VERBS]
    return bool(verbs) and (words[0].text == "f" or len(min(verbs, key=len)) == 1)  # `a` may be an article


def is_place(word: Word, words: Sequence[Word], lexicon: Lexicon, line: Line) -> bool:
    """Whether a word means a place, and is no ordinary word.

    Ordinary words: the month in `talk to you in mar`, the article in `Den streichen`.
    """
    if word.kind != "PLACE":
        return False
    if word.text not in lexicon.weak or any(one.kind == "ARROW" for one in words):
        return True
    start, end = line.span(word.start, word.end)
    written = line.written[start:end]
    begins = not line.text[: word.start].strip()
    return written.isupper() if begins else written[:1].isupper()


def _joined(words: Sequence[Word]) -> Iterator[str]:
    """Yield adjacent unknown words joined into one name: `Nort See`."""
    for place, word in enumerate(words):
        if word.kind == UNKNOWN:
            yield from (in_one(stretch).text for stretch in misspelled(words, place) if len(stretch) > 1)
