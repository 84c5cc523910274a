"""The words of a line: the longest names first, each with its terminal of the grammars."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

from judge.language.names import BEFORE_A_FLEET, Names, load_names
from judge.language.normal import normal_form
from judge.resources import shipped
from judge.rules.position import Province, UnitKind

UNKNOWN = "UNKNOWN"
VERBS = frozenset(("HOLD", "MOVE", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD", "WAIVE"))
_OF_A_UNIT = frozenset(("LETTER", "KIND", "PLACE", "COAST"))
_AFTER_A_UNIT = VERBS | {"ARROW"}
PARTICLES = frozenset(("HE", "GA", "WO", "NO", "DE"))
_BRACKETS = {"(": ")", "[": "]", "「": "」", "『": "』", "【": "】", "〈": "〉", "《": "》", "{": "}"}
_SIGNS = {
    ",": "COMMA",
    "、": "COMMA",
    ".": "COMMA",
    "・": "COMMA",
    "/": "COMMA",
    "&": "COMMA",
    "|": "SEP",
    ";": "SEP",
    "。": "SEP",
    ":": "COLON",
    **dict.fromkeys(_BRACKETS, "OPEN"),
    **dict.fromkeys(_BRACKETS.values(), "CLOSE"),
    **dict.fromkeys('*"!_~…', "NOISE"),
}
_ARROW = frozenset("-=>")
_MOST_RUN_TOGETHER = 3
"""Words in katakana with nothing between them."""
_LONGEST_BRACKET = 24
_REMARKS = ("※", "#", "//")
_REMARK_SIGNS = str.maketrans("※#/", "   ")


class Word(NamedTuple):
    """A word of a line in normal form."""

    kind: str
    """The terminal of the grammars; `UNKNOWN` for a word that is none of ours."""
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Every word there is on one map."""

    names: Names
    terminals: Mapping[str, str]
    """Word in normal form → terminal."""
    lengths: Mapping[str, tuple[int, ...]]
    """First letter → the lengths of the words that begin with it, longest first."""
    kinds: Mapping[str, UnitKind]
    plain: frozenset[str]
    """Ordinary words, which are no misspelled names."""
    weak: frozenset[str]
    """Names that are ordinary words as well."""
    guesses: Mapping[str, tuple[Province, ...]] = field(default_factory=dict)
    """Misspelled words of this one line → what they may stand for."""

    def guessing(self, words: Sequence[Word]) -> tuple[list[Word], Lexicon] | None:
        """Unknown words taken for misspelled names; None where one of them is like no name."""
        guesses = {word.text: self.names.one_slip_away(word.text) for word in words if word.kind == UNKNOWN}
        if not guesses or not all(guesses.values()) or self.plain & guesses.keys():
            return None
        guessed = [word._replace(kind="PLACE") if word.kind == UNKNOWN else word for word in words]
        return guessed, replace(self, guesses=guesses)

    def words(self, text: str) -> list[Word]:
        """The words of a line in normal form, without those that say nothing."""
        return _tidied([word for word in self._scan(text) if word.kind != "NOISE"], self)

    def _scan(self, text: str) -> Iterator[Word]:
        place, size = 0, len(text)
        while place < size:
            letter = text[place]
            if letter == " ":
                place += 1
                continue
            if text.startswith(_REMARKS, place) and place:
                # A remark is no order, but it may take one back.
                blank = " " * place + text[place:].translate(_REMARK_SIGNS)
                yield from (word for word in self._scan(blank) if word.kind == "NOT")
                return
            word = self._known(text, place) or _sign(text, place)
            if word is not None:
                yield word
                place = word.end
                continue
            end = self._end_of_unknown(text, place)
            yield from self._joined(text[place:end], place)
            place = end

    def _known(self, text: str, place: int, beyond: int = _MOST_RUN_TOGETHER) -> Word | None:
        """The longest word of ours at a place; `beyond`: how many more may run on from it."""
        if place and _is_latin(text[place]) and _is_latin(text[place - 1]):
            return None
        for length in self.lengths.get(text[place], ()):
            end = place + length
            terminal = self.terminals.get(text[place:end])
            if terminal is not None and self._ends_there(text, end, beyond):
                if text.startswith("海軍", end - 1):
                    word = text[place : end - 1] + BEFORE_A_FLEET
                    if word in self.names.places:
                        return Word(terminal, place, end - 1, word)
                return Word(terminal, place, end, text[place:end])
        return None

    def _ends_there(self, text: str, end: int, beyond: int) -> bool:
        """Whether a word that ends at `end` is not the beginning of a longer one, unknown to us."""
        if end >= len(text):
            return True
        last, following = text[end - 1], text[end]
        if _is_latin(last):
            return not _is_latin(following)
        if not (_is_katakana(last) and _is_katakana(following)):
            return True
        return beyond > 0 and self._known(text, end, beyond - 1) is not None

    def _end_of_unknown(self, text: str, place: int) -> int:
        same = _is_latin if _is_latin(text[place]) else _is_katakana if _is_katakana(text[place]) else None
        end = place + 1
        if same is None:
            while end < len(text) and not _begins_another(text, end) and self._known(text, end) is None:
                end += 1
            return end
        while end < len(text) and (same(text[end]) or (text[end] == "'" and same is _is_latin)):
            end += 1
        if same is _is_katakana and text[end : end + 1] in ("海", "湾") and text[end + 1 : end + 2] != "軍":
            end += 1
        return end

    def _joined(self, word: str, place: int) -> list[Word]:
        """A kind or coast written without a blank: `AKie`, `STPSC`."""
        end = place + len(word)
        if word[0] in "af" and self.terminals.get(word[1:]) == "PLACE":
            return [Word("LETTER", place, place + 1, word[0]), Word("PLACE", place + 1, end, word[1:])]
        if word[-2:] in ("nc", "sc", "ec") and self.terminals.get(word[:-2]) == "PLACE":
            return [Word("PLACE", place, end - 2, word[:-2]), Word("COAST", end - 2, end, word[-2:])]
        return [Word(UNKNOWN, place, end, word)]


def _sign(text: str, place: int) -> Word | None:
    letter = text[place]
    if letter in _ARROW:
        end = place + 1
        while end < len(text) and (text[end] in _ARROW or (text[end] == " " and text[end + 1 : end + 2] in _ARROW)):
            if text[end] == " " and end + 1 >= len(text):
                break
            end += 1
        return Word("ARROW", place, end, text[place:end])
    kind = _SIGNS.get(letter)
    return Word(kind, place, place + 1, letter) if kind else None


def _is_latin(letter: str) -> bool:
    return ("a" <= letter <= "z") or ("0" <= letter <= "9")


def _is_katakana(letter: str) -> bool:
    return "ァ" <= letter <= "ヺ" or letter == "ー"


def _begins_another(text: str, place: int) -> bool:
    letter = text[place]
    return letter == " " or letter in _SIGNS or letter in _ARROW or _is_latin(letter) or _is_katakana(letter)


def _tidied(words: list[Word], lexicon: Lexicon) -> list[Word]:
    """Without brackets that only set off, doubled arrows and verbs, and signs that belong to a coast."""
    result: list[Word] = []
    plain = _without_brackets(words, lexicon)
    for index, word in enumerate(plain):
        last = result[-1] if result else None
        after = plain[index + 1] if index + 1 < len(plain) else None
        if (last is not None and _doubles(last, word)) or (after is not None and _leads_to_coast(word, after)):
            continue
        if word.kind == "LETTER":
            result.append(_letter(word, last, after))
        elif word.kind != "IN":
            result.append(word)
        elif last is not None and last.kind == "LETTER" and after is not None and after.kind in _AFTER_A_UNIT:
            result.append(word._replace(kind="PLACE"))  # a slip for Iri
    return result


def _doubles(last: Word, word: Word) -> bool:
    """An arrow or verb written twice: `- ->`, `移動【Move】`."""
    if word.kind == last.kind:
        return word.kind in VERBS or word.kind == "ARROW"
    return last.kind == "ARROW" and word.kind in ("TO", "MOVE")


def _leads_to_coast(word: Word, after: Word) -> bool:
    """The sign in `Stp/sc`, `stp-sc`."""
    if word.text == "/":
        return after.kind == "COAST"
    return word.text == "-" and after.start == word.end and after.text in ("nc", "sc", "ec")


def _without_brackets(words: list[Word], lexicon: Lexicon) -> list[Word]:
    """The words without brackets, and without a name in brackets that repeats the one before."""
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
            if _names_the_same(last, within[0], lexicon):
                skipped.update(range(index, close + 1))
            else:
                result.append(word)
        elif [part.kind for part in within] == ["POWER"] and last is not None and last.kind in _OF_A_UNIT:
            skipped.update(range(index, close + 1))
            _name_its_power(result, within[0])
        elif _adds_a_place(last, within):
            result.append(word)
    return result


def _name_its_power(words: list[Word], power: Word) -> None:
    """Put the nationality of a unit where it is expected: `A Boh (Austria) - Mun` as `Austria A Boh - Mun`."""
    for place in range(len(words) - 1, -1, -1):
        if words[place].kind == "LETTER":
            words.insert(place, power)
            return


def _letter(word: Word, last: Word | None, after: Word | None) -> Word:
    """An A or F behind its place: `パリ A をブルゴーニュへ`."""
    behind = last is not None and last.kind in ("PLACE", "NO", "COAST")
    before = after is not None and after.kind in ("PLACE", UNKNOWN, "FROM", "IN", "POWER")
    if behind and not before:
        return word._replace(kind="KIND")
    return word


def _closing(words: Sequence[Word], index: int) -> int:
    closing = _BRACKETS[words[index].text]
    end = min(len(words), index + _LONGEST_BRACKET)
    return next((i for i in range(index + 1, end) if words[i].text == closing), index)


def _names_the_same(one: Word, other: Word, lexicon: Lexicon) -> bool:
    places = lexicon.names.places
    return bool(set(places.get(one.text, ())) & set(places.get(other.text, ())))


def _adds_a_place(last: Word | None, within: Sequence[Word]) -> bool:
    """Whether the brackets behind a place hold another: `A Par (Mar) - Bur` has no meaning."""
    if last is None or last.kind not in ("PLACE", "KIND", "COAST") or (last.kind == "KIND" and last.text.isascii()):
        return False
    return any(word.kind in ("PLACE", UNKNOWN) for word in within) and within[0].kind not in ("ARROW", "TO", "VIA")


@cache
def load_lexicon(map_name: str) -> Lexicon:
    """The lexicon of a map, made once."""
    names = load_names(map_name)
    terminals: dict[str, str] = {}
    kinds: dict[str, UnitKind] = {}
    asides: dict[str, set[str]] = {"PLAIN": set(), "WEAK": set()}
    for path in sorted((shipped("grammar") / "words").glob("*.toml")):
        for terminal, value in tomllib.loads(path.read_text("utf-8")).items():
            by_kind = value if isinstance(value, dict) else {"": value}
            for letter, forms in by_kind.items():
                for form in forms:
                    word = normal_form(f" {form}").text.strip()
                    if terminal in asides:
                        asides[terminal].add(word)
                        continue
                    terminals[word] = terminal
                    if letter:
                        kinds[word] = UnitKind(letter)
    terminals["in"] = "IN"
    terminals["and"] = "COMMA"
    terminals |= dict.fromkeys(names.coasts, "COAST")
    terminals |= {word: "PLACE" for word in names.places if not word.endswith(BEFORE_A_FLEET)}
    terminals |= dict.fromkeys(names.powers, "POWER")
    terminals |= {word: "PLACE" for word in names.slips if word not in terminals}
    lengths: dict[str, set[int]] = {}
    for word in terminals:
        lengths.setdefault(word[0], set()).add(len(word))
    by_length = {letter: tuple(sorted(sizes, reverse=True)) for letter, sizes in lengths.items()}
    return Lexicon(names, terminals, by_length, kinds, frozenset(asides["PLAIN"]), frozenset(asides["WEAK"]))
