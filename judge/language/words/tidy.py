"""Remove words that mean nothing from a line: asides, brackets used as punctuation, doubled signs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from judge.language.words.names import Names
from judge.language.words.terminals import BRACKETS, UNKNOWN, VERBS, Terminal, Word
from judge.language.words.tongue import is_japanese

_OF_A_UNIT: frozenset[Terminal] = frozenset(("LETTER", "KIND", "PLACE", "COAST"))
_AFTER_A_UNIT = VERBS | {"ARROW"}
_TELLS_AN_ORDER = _OF_A_UNIT | VERBS | {"ARROW", "NOT", "OTHERS", "COLON"}
_TELLS_ANOTHER: frozenset[Terminal] = frozenset(("LETTER", "KIND", "ARROW", "NOT", "COLON"))
_OF_SEVERAL: frozenset[Terminal] = frozenset(("ALL", "OTHERS"))
_STOPS: frozenset[Terminal] = frozenset(("COMMA", "SEP", "OPEN", "CLOSE"))
_LONGEST_BRACKET = 24
_FULL_STOPS = (".", ";", "。")
_MOST_OF_A_NAME = 2
_PLURAL = {"armies": "armies in", "fleets": "fleets in"}
_MOST_COMPARED = 6
"""Of one line, the most unknown words compared with all names.

Each comparison takes a millisecond.
"""


@dataclass(frozen=True, slots=True)
class Talk:
    """Words that are no part of an order."""

    doubt: Collection[str]
    """Words that turn what they accompany into a condition, a choice or a report."""
    greetings: Collection[str]
    """Words that a name may follow."""
    is_harmless: Callable[[str], bool]
    """Whether a word leaves the orders beside it clear."""
    also: Collection[str]
    """Words such as `too`."""


def without_noise(words: list[Word], names: Names, talk: Talk) -> list[Word]:
    """Remove asides, brackets, doubled arrows and verbs, and signs that belong to a coast."""
    result: list[Word] = []
    plain = _without_brackets(_without_asides(_without_additions(words, talk), names, talk), names)
    for index, word in enumerate(plain):
        last = result[-1] if result else None
        after = plain[index + 1] if index + 1 < len(plain) else None
        if (last is not None and _doubles(last, word)) or (after is not None and _leads_to_coast(word, after)):
            continue
        if word.kind == "VIA" and word.is_japanese and after is not None and after.kind == "PLACE":
            result = _without_last_move(result)
        if word.kind == "COAST" and word.text in names.places and _is_no_coast(last, after):
            result.append(word._replace(kind="PLACE"))  # `F Edi - North`
        elif word.kind == "LETTER":
            result.append(_letter(word, last, after))
        elif word.text in _PLURAL and after is not None and after.kind in ("PLACE", "COLON"):
            result.append(word._replace(kind="KIND", text=_PLURAL[word.text]))
        elif _is_nationality(last, word, after):
            result.append(word._replace(kind="POWER", text="england"))
        elif word.kind in ("DE", "WO") and _ends_there(last, after):
            continue  # `ブルゴーニュに移動で。`
        elif word.kind != "IN":
            result.append(word)
        elif last is not None and last.kind == "LETTER" and after is not None and after.kind in _AFTER_A_UNIT:
            result.append(word._replace(kind="PLACE"))  # a slip for Iri
    return result


def _without_additions(words: list[Word], talk: Talk) -> list[Word]:
    """Remove `too` and `both`."""
    kinds = {word.kind for word in words}
    if any(word.text in talk.also for word in words):
        words = _without_also(words, talk)
    return words if kinds.isdisjoint(_OF_SEVERAL) else _without_both(words)


def _without_also(words: Sequence[Word], talk: Talk) -> list[Word]:
    """Remove `too` behind a verb or before it.

    も behind a unit marks the unit that acts, like は.
    """
    result: list[Word] = []
    for word, after in zip(words, [*words[1:], None], strict=True):
        last = result[-1].kind if result else None
        if word.text not in talk.also:
            result.append(word)
        elif word.is_japanese and last in _OF_A_UNIT:
            result.append(word._replace(kind="GA"))
        elif word.is_japanese or not (last in VERBS or (last in _OF_A_UNIT and after and after.kind in VERBS)):
            result.append(word)
    return result


def is_remark(words: Sequence[Word], talk: Talk) -> bool:
    """Whether the words in brackets leave the order before them clear."""
    return not any(word.kind in _TELLS_ANOTHER or _is_doubtful(word.text, talk.doubt) for word in words)


def _without_both(words: Sequence[Word]) -> list[Word]:
    """Remove `both` behind units and before their verb: `Kiel and Denmark both hold`."""
    place = next(place for place, word in enumerate(words) if word.kind in _OF_SEVERAL)
    before, after = words[:place], words[place + 1 :]
    units = [word for word in before if word.kind not in ("COMMA", "NO", "GA")]
    are_units = len(units) > 1 and all(word.kind in _OF_A_UNIT or word.kind == "POWER" for word in units)
    if not are_units or not after or after[0].kind not in VERBS:
        return list(words)
    return [*(before[:-1] if before[-1].kind == "COMMA" else before), *after]


def _without_last_move(words: list[Word]) -> list[Word]:
    """Remove the verb before the mark of a convoy: `キール陸軍 移動：（輸送）ベルリン`."""
    end = len(words) - bool(words and words[-1].kind == "COLON")
    return words[: end - 1] if end and words[end - 1].kind == "MOVE" else words


def _ends_there(last: Word | None, after: Word | None) -> bool:
    if last is not None and last.kind == "PLACE":  # `ミュンヘン→ルールで。`
        return after is None or after.text == "。"
    return last is not None and last.kind in VERBS and (after is None or after.kind in _STOPS)


def _doubles(last: Word, word: Word) -> bool:
    """Whether an arrow or verb is written twice: `- ->`, `移動【Move】`."""
    if word.kind == last.kind:
        return word.kind in VERBS or word.kind == "ARROW"
    return last.kind == "ARROW" and word.kind in ("TO", "MOVE")


def _is_no_coast(last: Word | None, after: Word | None) -> bool:
    """Whether the word for a coast does not stand next to a place."""
    behind = last is not None and last.kind in ("PLACE", "NO", "OPEN", "COMMA", "KIND")
    return not behind and last is not None and (after is None or after.kind in _AFTER_A_UNIT | _STOPS)


def _leads_to_coast(word: Word, after: Word) -> bool:
    """Whether a sign leads to a coast: `Stp/sc`, `stp-sc`."""
    if word.text in "/\\":
        return after.kind == "COAST"
    return word.text == "-" and after.start == word.end and after.text in ("nc", "sc", "ec")


def _letter(word: Word, last: Word | None, after: Word | None) -> Word:
    """Return an A or F behind its place as the kind of the unit.

    Example: `パリ A をブルゴーニュへ`.
    """
    behind = last is not None and last.kind in ("PLACE", "NO", "COAST", *(() if after else ("COLON", "ARROW")))
    before = after is not None and after.kind in ("PLACE", UNKNOWN, "FROM", "IN", "POWER")
    if behind and not before:
        return word._replace(kind="KIND")
    return word


def _is_nationality(last: Word | None, word: Word, after: Word | None) -> bool:
    """Whether a word is a nationality.

    The Eng in `F Den S Eng F Nth - Ska` is not the Channel.
    """
    if word.text != "eng" or last is None or after is None:
        return False
    return last.kind in ("SUPPORT", "CONVOY") and after.kind in ("LETTER", "KIND")


# Asides


def _without_asides(words: list[Word], names: Names, talk: Talk) -> list[Word]:
    """Remove words that introduce an order, give a reason for it, or are small talk."""
    kinds = {word.kind for word in words}
    if "LEAD" in kinds:
        words = _without_leads(words)
    if "ASIDE" in kinds:
        words = _without_reasons(words, talk.doubt)
    if words and (UNKNOWN in kinds or "LEAD" in kinds):
        words = _without_small_talk(_without_numbers(words), names, talk)
    return words


def _without_leads(words: Sequence[Word]) -> list[Word]:
    """Remove words before an order: `Also F Nth - Nwy`, `I remove A Boh`.

    Within an order they mean something else and become unknown words.
    """
    result: list[Word] = []
    begins = True
    for word in words:
        if word.kind != "LEAD":
            result.append(word)
            begins = word.kind in _STOPS or word.kind == "COLON"
        elif not begins:
            result.append(word._replace(kind=UNKNOWN))
    return result


def _without_numbers(words: list[Word]) -> list[Word]:
    """Remove the numbers of a list in one line.

    Example: `A Lon H 2. F Eng - Bre`.
    """
    return [
        word
        for word, after in zip(words, [*words[1:], None], strict=True)
        if not (after is not None and after.text in (".", ")") and word.text.isdigit() and len(word.text) < 3)
    ]


def _without_reasons(words: Sequence[Word], doubt: Collection[str]) -> list[Word]:
    """Remove reasons up to the end of the sentence or bracket.

    Example: `A Mun - Bur as agreed with France`.
    """
    result: list[Word] = []
    ends = _ends_of_sentences(words)
    telling = [place for place, word in enumerate(words) if word.kind in _TELLS_ANOTHER or word.text in doubt]
    place = 0
    behind_order = False
    while place < len(words):
        word = words[place]
        if word.kind != "ASIDE":
            result.append(word)
            behind_order = behind_order or word.kind in _AFTER_A_UNIT
            place += 1
            continue
        next_telling = bisect_right(telling, place)
        harmless = next_telling == len(telling) or telling[next_telling] >= ends[place]
        if behind_order and harmless:
            place = ends[place]
        else:
            result.append(word._replace(kind=UNKNOWN))
            place += 1
    return result


def _ends_of_sentences(words: Sequence[Word]) -> list[int]:
    """Return for each word the index where its sentence or bracket ends.

    The words are scanned from the back to stay linear in long lines.
    """
    ends: list[int] = []
    separator = len(words)
    closing: list[int] = []
    for place in reversed(range(len(words))):
        match words[place].kind:
            case "SEP":
                separator = place
            case "CLOSE":
                closing.append(place)
            case "OPEN" if closing:
                closing.pop()
        ends.append(min([separator, *closing[-1:]]))
    return ends[::-1]


def _without_small_talk(words: list[Word], names: Names, talk: Talk) -> list[Word]:
    """Remove harmless stretches between signs that contain no part of an order.

    Example: `Hi all, A Mun - Bur`.
    """
    words = _without_title(words, talk)
    stretches = list(_stretches(words))
    if len(stretches) == 1:
        return words
    result: list[Word] = []
    compared = 0
    for begin, end in stretches:
        stretch = words[begin:end]
        unknown = [word.text for word in stretch if word.kind == UNKNOWN]
        says_nothing = bool(unknown) and not any(word.kind in _TELLS_AN_ORDER for word in stretch)
        if (
            says_nothing
            and not any(_is_doubtful(word, talk.doubt) for word in unknown)
            and _stands_apart(words, begin, end, talk)
        ):
            may_be_names = [] if unknown[0] in talk.greetings else [one for one in unknown if not talk.is_harmless(one)]
            compared += len(may_be_names)
            if compared <= _MOST_COMPARED and not any(map(names.is_like_one, may_be_names)):
                continue
        result += stretch
    return result if any(word.kind in _TELLS_AN_ORDER for word in result) else words


def _without_title(words: list[Word], talk: Talk) -> list[Word]:
    """Remove harmless words and their colon at the beginning: `Order one: A Mun - Bur`."""
    colon = next((place for place, word in enumerate(words) if word.kind == "COLON"), 0)
    title = words[:colon]
    says_nothing = all(word.kind == UNKNOWN and talk.is_harmless(word.text) for word in title)
    return words[colon + 1 :] if title and says_nothing and len(words) > colon + 1 else words


def _stands_apart(words: Sequence[Word], begin: int, end: int, talk: Talk) -> bool:
    """Whether a stretch without doubtful words leaves the orders beside it clear.

    This holds for a sentence of its own, a remark of several words in brackets, a greeting with a name, and
    stretches of words known to be harmless. Anything else might be a condition that we do not know.
    """
    before = words[begin - 1].text if begin else ""
    after = words[end].text if end < len(words) else ""
    unknown = [word.text for word in words[begin:end] if word.kind == UNKNOWN]
    if all(map(talk.is_harmless, unknown)):
        return True
    if before in BRACKETS:
        return len(unknown) > 1
    if before in ("", *_FULL_STOPS) and after in (*_FULL_STOPS, *([""] if before else [])):
        return True
    if len(unknown) > _MOST_OF_A_NAME + 1:
        return False
    return unknown[0] in talk.greetings or (after == "" and _is_signature(words, begin, talk))


def _is_signature(words: Sequence[Word], begin: int, talk: Talk) -> bool:
    """Whether the last words are a signature behind a greeting: `Thank you very much, Anna`."""
    start = next((place for place in range(begin - 2, -1, -1) if words[place].kind in _STOPS), -1) + 1
    greeting = words[start : begin - 1]
    return bool(greeting) and all(word.kind == UNKNOWN and talk.is_harmless(word.text) for word in greeting)


def _stretches(words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of each stretch between signs, and of each sign."""
    begin = 0
    for number, word in enumerate(words):
        if word.kind in _STOPS and not (number and _is_abbreviation(words[number - 1], word)):
            if begin < number:
                yield begin, number
            yield number, number + 1
            begin = number + 1
    if begin < len(words):
        yield begin, len(words)


def _is_abbreviation(word: Word, sign: Word) -> bool:
    """Whether a period belongs to an abbreviation, such as `H. Bight`, and ends no sentence."""
    return sign.text == "." and sign.start == word.end and len(word.text) <= 2


def _is_doubtful(word: str, doubt: Collection[str]) -> bool:
    if not is_japanese(word):
        return word in doubt
    return any(one in word for one in doubt if is_japanese(one))


# Brackets


def _without_brackets(words: list[Word], names: Names) -> list[Word]:
    """Remove brackets, and a name in brackets that repeats the one before."""
    result: list[Word] = []
    skipped: set[int] = set()
    for index, word in enumerate(words):
        if index in skipped or word.kind == "CLOSE":
            continue
        if word.kind != "OPEN":
            result.append(word)
            continue
        last = result[-1] if result else None
        close = _closing(words, index)
        within = words[index + 1 : close]
        if last is not None and last.kind == "PLACE" and [part.kind for part in within] == ["PLACE"]:
            if _names_the_same(last, within[0], names):
                skipped.update(range(index, close + 1))
            else:
                result.append(word)
        elif last is not None and last.kind == "COAST" and _is_same_coast(last, within, names):
            skipped.update(range(index, close + 1))
        elif [part.kind for part in within] == ["POWER"] and last is not None and last.kind in _OF_A_UNIT:
            skipped.update(range(index, close + 1))
            _name_its_power(result, within[0])
        elif last is not None and _says_who_helps(last, within):
            result.append(word._replace(kind="COMMA"))  # `ヨークシャー陸軍をベルギーへ(北海海軍が輸送)`
        elif _adds_a_place(last, within):
            result.append(word)
    return result


def _says_who_helps(last: Word, within: Sequence[Word]) -> bool:
    kinds = [word.kind for word in within]
    return "PLACE" in kinds and kinds[-1] in ("SUPPORT", "CONVOY") and kinds[-1] != last.kind


def _name_its_power(words: list[Word], power: Word) -> None:
    """Move the power in brackets before its unit.

    `A Boh (Austria) - Mun` becomes `Austria A Boh - Mun`.
    """
    for place in range(len(words) - 1, -1, -1):
        if words[place].kind == "LETTER":
            words.insert(place, power)
            return


def _closing(words: Sequence[Word], index: int) -> int:
    closing = BRACKETS[words[index].text]
    end = min(len(words), index + _LONGEST_BRACKET)
    return next((i for i in range(index + 1, end) if words[i].text == closing), index)


def _names_the_same(one: Word, other: Word, names: Names) -> bool:
    return bool(set(names.places.get(one.text, ())) & set(names.places.get(other.text, ())))


def _is_same_coast(coast: Word, within: Sequence[Word], names: Names) -> bool:
    """Whether brackets repeat the coast before them: `Spa sc(南岸)`."""
    coasts = names.coasts
    return [word.kind for word in within] == ["COAST"] and coasts[coast.text] == coasts[within[0].text]


def _adds_a_place(last: Word | None, within: Sequence[Word]) -> bool:
    """Whether brackets behind a place add another place.

    Such a line has no meaning: `A Par (Mar) - Bur`.
    """
    if last is None or last.kind not in ("PLACE", "KIND", "COAST") or (last.kind == "KIND" and not last.is_japanese):
        return False
    if within and within[0].kind in ("ARROW", "TO", "VIA", "WITH_SUPPORT"):
        return False
    return any(word.kind in ("PLACE", UNKNOWN) for word in within)
