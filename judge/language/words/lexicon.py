"""Split a line into words, longest names first, each with its terminal of the grammars."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from judge.budget import Budget
from judge.language.words.glosses import without_glosses
from judge.language.words.names import BEFORE_A_FLEET, Names
from judge.language.words.rewording import changed_behind, reworded
from judge.language.words.spelling import UNITS_OF_A_COMPARISON, slips_between
from judge.language.words.terminals import BRACKETS, UNKNOWN, Terminal, Word
from judge.language.words.tidy import Talk, is_remark, without_noise
from judge.language.words.tongue import (
    HE_IN_KATAKANA,
    LARGE_KANA,
    LONG_VOWEL,
    in_hiragana,
    in_katakana,
    is_japanese,
    is_katakana,
    is_latin,
)
from judge.rules.position import Province, UnitKind

_SIGNS: dict[str, Terminal] = {
    ",": "COMMA",
    "、": "COMMA",
    ".": "COMMA",
    "・": "COMMA",
    "/": "COMMA",
    "\\": "COMMA",
    "&": "COMMA",
    "|": "COMMA",
    ";": "SEP",
    "。": "SEP",
    ":": "COLON",
    **dict.fromkeys(BRACKETS, "OPEN"),
    **dict.fromkeys(BRACKETS.values(), "CLOSE"),
    **dict.fromkeys("×✗✘✕❌≠", "NOT"),
    "?": UNKNOWN,
}
_ARROW = frozenset("-=>")
_PARTS_OF_NAMES: frozenset[Terminal] = frozenset((UNKNOWN, "PLACE", "COAST", "POWER"))
_BEFORE_A_DASH: frozenset[Terminal] = frozenset(("PLACE", "COAST", "KIND"))
_LEAST_PART = 3
LEAST_VERB = 4
"""The shortest Latin word taken for a misspelled verb, in letters.

A shorter word is similar to too many other words.
"""
_LONG_VERB = 7
_LONGEST_NAME = 3
_MOST_GUESSED = 3
_MOST_RUN_TOGETHER = 3
"""How many katakana words may follow each other without a separator."""
_REMARKS = ("※", "#", "//", "<-", "/*")
_REMARK_SIGNS = str.maketrans("※#/<*", "     ")
_STRUCK_OUT = re.compile(r"\s*(?:※|#|//|/\*|;|<(?:s|del|strike)>)")
"""Marks at the beginning of a line that does not count."""
_LONGEST_FAREWELL = 60
_COMPLETE = re.compile(r"->?\s?\w{3}|\s[hdb][\s.]*$")
_IN_BRACKETS = re.compile(r"(?:\([^()]{3,80}\)|\[[^\[\]]{3,80}\])(?=[.。]?$)")
_TILDES = re.compile(r"(~++)([^~]+)\1")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All words known on one map."""

    names: Names
    terminals: Mapping[str, Terminal]
    """Word in normal form → terminal."""
    lengths: Mapping[str, tuple[int, ...]]
    """First two letters → lengths of words that begin so, longest first.

    A single letter as key → (1,) if the letter is itself a word.
    """
    verbs: Mapping[str, Sequence[str]]
    """First letter → verbs that a misspelled word may mean; "" → all Japanese verbs."""
    kinds: Mapping[str, UnitKind]
    plain: frozenset[str]
    """Ordinary words, which are never misspelled names."""
    weak: frozenset[str]
    """Names that are also ordinary words."""
    doubt: frozenset[str]
    """Words that turn what they accompany into a condition, a choice or a report."""
    harmless: frozenset[str]
    """Words that leave an order beside them clear."""
    greetings: frozenset[str]
    """Harmless words that a name may follow."""
    harmless_run_on: re.Pattern[str]
    """The harmless words of languages written without blanks."""
    takes_back: re.Pattern[str]
    ordered: re.Pattern[str]
    """A word for orders.

    Together with a word that withdraws, it means the order of a unit.
    """
    not_but: frozenset[str]
    """Words for "not" before a place that is not meant, next to the one meant."""
    changes: re.Pattern[str]
    """Begins a line that changes one order into another."""
    changed_into: frozenset[str]
    """Words between the two orders."""
    changed: re.Pattern[str]
    """Ends a line that changes an order, in languages with the verb at the end."""
    in_large_kana: Mapping[str, str]
    """Name in large kana → the name: ミユンヘン."""
    waives: Mapping[str, int]
    """Words that waive builds → how many."""
    waives_all: frozenset[str]
    """Words that waive all builds."""
    revoking: frozenset[str]
    """Words that withdraw all orders."""
    rest: frozenset[str]
    """Words for the units that were not named."""
    also: frozenset[str]
    """Words such as `too`, behind a verb or a unit."""
    remark: re.Pattern[str]
    """A word of remarks in brackets; such a remark leaves the order before it clear."""
    heading: frozenset[str]
    """Words that accompany a phase in a heading."""
    subject: re.Pattern[str]
    """The beginning of a mail's subject, with the name of the game."""
    farewell: re.Pattern[str]
    """The end of a letter after its orders.

    The sender's name is in the group `name`, or in `alone` if only dashes precede it.
    """
    coast_sign: re.Pattern[str]
    """The letter of a coast after its province."""
    guesses: Mapping[str, tuple[Province, ...]] = field(default_factory=dict)
    """Misspelled words of this line → the provinces they may mean."""

    def guessing(
        self, words: Sequence[Word], budget: Budget, like: Callable[[str], tuple[Province, ...]]
    ) -> tuple[list[Word], Lexicon] | None:
        """Take unknown words for misspelled names.

        Return the words with their guesses as places, and a lexicon with these guesses.
        Return None if there are no unknown words or too many, or if one is like no province's name.
        `like` returns the provinces with names similar to a word.
        """
        guesses: dict[str, tuple[Province, ...]] = {}
        guessed = list(words)
        if sum(word.kind == UNKNOWN for word in words) > _MOST_GUESSED:
            return None
        while (unknown := next((i for i, word in enumerate(guessed) if word.kind == UNKNOWN), None)) is not None:
            for stretch in misspelled(guessed, unknown):
                name = in_one(stretch)
                budget.charge(UNITS_OF_A_COMPARISON)
                guesses[name.text] = () if name.text in self.plain else like(name.text)
                if guesses[name.text]:
                    begin = guessed.index(stretch[0])
                    guessed[begin : begin + len(stretch)] = [name]
                    break
            else:
                return None
        return (guessed, replace(self, guesses=guesses)) if guesses else None

    def words(self, text: str) -> list[Word]:
        """Return the words of a line in normal form, without meaningless words."""
        if "~" in text:
            text = _without_struck(text)
        plain = self.every_word(self._without_remarks(self.without_farewell(text)))
        if any(word.kind == "OPEN" for word in plain):
            plain = without_glosses(plain, self.names, self.kinds)
        talk = Talk(self.doubt, self.greetings, self.makes_nothing_doubtful, self.also)
        words = without_noise(plain, self.names, talk)
        words = reworded(words, self.not_but, self.changed_into, is_change=self.changes.match(text) is not None)
        if self.changed.search(text):
            words = changed_behind(words)
        struck = _STRUCK_OUT.match(text)
        return [Word("NOT", 0, struck.end(), struck[0]), *words] if struck and words else words

    def verbs_like(self, word: str) -> tuple[Terminal, ...]:
        """Return the kinds of verb that a misspelled word may be."""
        if is_japanese(word):
            most = 1
            likely = [verb for verb in self.verbs[""] if len(verb) == len(word) > 1 and verb != word]
        elif len(word) < LEAST_VERB:
            return ()
        else:
            most = 1 if len(word) < _LONG_VERB else 2
            likely = [verb for verb in self.verbs.get(word[0], ()) if abs(len(verb) - len(word)) <= 1]
        return tuple(dict.fromkeys(self.terminals[verb] for verb in likely if slips_between(verb, word) <= most))

    def makes_nothing_doubtful(self, word: str) -> bool:
        """Whether a word of no known kind is a number, or harmless beside an order."""
        if is_japanese(word):
            return not self.harmless_run_on.sub("", word)
        return word in self.harmless or word.isdigit()

    def without_farewell(self, text: str) -> str:
        """Return the text without a farewell behind its orders.

        Example: `A Ber H. Thanks, Bob`.
        """
        begin = max(0, len(text) - _LONGEST_FAREWELL)
        farewell = self.farewell.search(text, begin)
        if farewell is None:
            return text
        name = (farewell["name"] or farewell["alone"] or "").split()
        if farewell["alone"] and not _COMPLETE.search(text, 0, farewell.start()):
            return text  # `A Mun -- Brgundy`
        known = self.plain | self.doubt | self.terminals.keys()
        return text if any(word in known for word in name) else text[: farewell.start()]

    def _without_remarks(self, text: str) -> str:
        """Return the text without remarks in brackets behind an order.

        Example: `A Mun - Bur (bounce with France)`.
        """
        return _IN_BRACKETS.sub(self._as_blanks, text) if text.endswith((")", "]", ").", ")。")) else text

    def _as_blanks(self, found: re.Match[str]) -> str:
        talk = Talk(self.doubt, self.greetings, self.makes_nothing_doubtful, self.also)
        is_one = found.start() > 0 and self.remark.search(found[0]) and is_remark(self.every_word(found[0][1:-1]), talk)
        return " " * len(found[0]) if is_one else found[0]

    def every_word(self, text: str) -> list[Word]:
        """Return all words, with those in asides and brackets."""
        return list(_telling(_without_article(self._scan(self.names.short.sub(_in_katakana, text)))))

    def _scan(self, text: str) -> Iterator[Word]:
        place, size = 0, len(text)
        last = None
        while place < size:
            if text[place] == " ":
                place += 1
                continue
            if last is not None and text.startswith(_REMARKS, place):
                # A remark gives no order, but it may withdraw one.
                blank = " " * place + text[place:].translate(_REMARK_SIGNS)
                yield from (word for word in self._scan(blank) if word.kind == "NOT")
                return
            word = self._coast_behind(text, last) or self._known(text, place) or _sign(text, place)
            if (
                text[place] == LONG_VOWEL
                and last is not None
                and last.kind in _BEFORE_A_DASH
                and self._is_dash(text, place)
            ):
                word = Word("ARROW", place, place + 1, "-")
            words = [word] if word else self._unknown(text, place)
            yield from words
            last = words[-1]
            place = last.end

    def _coast_behind(self, text: str, last: Word | None) -> Word | None:
        """Return the letter of a coast: `Spa/s`, `Spa (n)`, `スペイン(南)`."""
        if last is None or last.kind != "PLACE" or last.text not in self.names.on_two_coasts:
            return None
        coast = self.coast_sign.match(text, last.end)
        if coast is None:
            return None
        return Word("COAST", coast.start(), coast.end(), self.names.coast_letters[coast[coast.lastindex or 0]].lower())

    def _known(self, text: str, place: int, beyond: int = _MOST_RUN_TOGETHER) -> Word | None:
        """Return the longest known word at a position, or None.

        `beyond`: how many more words may follow it without a separator.
        """
        if place and is_latin(text[place]) and is_latin(text[place - 1]):
            return None
        terminal_of = self.terminals.get
        for length in self.lengths.get(text[place : place + 2]) or self.lengths.get(text[place], ()):
            end = place + length
            terminal = terminal_of(text[place:end])
            if terminal is not None and end <= len(text) and self._ends_there(text, end, beyond):
                if beyond and text[end - 1] == "-" and self._is_dash(text, end - 1):
                    continue
                if self.names.fleet and text.startswith(self.names.fleet, end - 1):
                    word = text[place : end - 1] + BEFORE_A_FLEET
                    if word in self.names.places:
                        return Word(terminal, place, end - 1, word)
                return Word(terminal, place, end, text[place:end])
        return None

    def _ends_there(self, text: str, end: int, beyond: int) -> bool:
        """Whether a word ends at `end`, rather than being part of a longer unknown word."""
        if end >= len(text):
            return True
        last, following = text[end - 1], text[end]
        if beyond and following == LONG_VOWEL and is_katakana(last) and self._is_dash(text, end):
            return True
        if is_latin(last):
            return not is_latin(following)
        if not (is_katakana(last) and is_katakana(following)):
            return True
        return beyond > 0 and self._known(text, end, beyond - 1) is not None

    def _is_dash(self, text: str, place: int) -> bool:
        """Whether ー was typed as a dash, so that a name follows: `ベルリンーキール`."""
        place += 1 + (text[place + 1 : place + 2] == " ")
        word = self._known(text, place, beyond=0) if place < len(text) else None
        return word is not None and word.kind == "PLACE"

    def _unknown(self, text: str, place: int) -> list[Word]:
        """Return an unknown word, split from an attached kind, coast or particle.

        Examples: `AKie`, `STPSC`.
        """
        mixed = HE_IN_KATAKANA.match(text, place)
        if mixed is not None and self.terminals.get(in_katakana(mixed[0])) == "PLACE":  # ミュンへン
            return [Word("PLACE", place, mixed.end(), in_katakana(mixed[0]))]
        end = self._end_of_unknown(text, place)
        word = text[place:end]
        if word[0] in "af" and self.terminals.get(word[1:]) == "PLACE":
            return [Word("LETTER", place, place + 1, word[0]), Word("PLACE", place + 1, end, word[1:])]
        name = self.in_large_kana.get(word.translate(LARGE_KANA))
        if name is not None:
            return [Word("PLACE", place, end, name)]
        if is_katakana(word[-1]) and self._is_place_with_he(word):
            return [Word("PLACE", place, end - 1, word[:-1]), Word("HE", end - 1, end, word[-1])]
        if word[-2:] in self.names.coasts and self.terminals.get(word[:-2]) == "PLACE":
            return [Word("PLACE", place, end - 2, word[:-2]), Word("COAST", end - 2, end, word[-2:])]
        return [Word(UNKNOWN, place, end, word)]

    def _is_place_with_he(self, word: str) -> bool:
        """Whether へ behind a place was typed in katakana, where it looks the same."""
        return self.terminals.get(in_hiragana(word[-1])) == "HE" and self.terminals.get(word[:-1]) == "PLACE"

    def _end_of_unknown(self, text: str, place: int) -> int:
        same = is_latin if is_latin(text[place]) else is_katakana if is_katakana(text[place]) else None
        end = place + 1
        if same is None:
            while end < len(text) and not _begins_another(text, end) and self._known(text, end) is None:
                end += 1
            return end
        while end < len(text) and (same(text[end]) or (text[end] == "'" and same is is_latin)):
            end += 1
        is_sea = same is is_katakana and text.startswith(self.names.sea_endings, end)
        return end + 1 if is_sea and not text.startswith(self.names.fleet, end) else end


def _telling(words: Iterable[Word]) -> Iterator[Word]:
    """Yield the words without noise.

    After a power, `will` is yielded as unknown: `Germany will` is about another player.
    """
    last = None
    for word in words:
        if word.kind != "NOISE":
            yield word
        elif last is not None and last.kind == "POWER" and word.text in ("will", "shall", "should"):
            yield word._replace(kind=UNKNOWN)
        last = word


def _without_article(words: Iterable[Word]) -> Iterator[Word]:
    """Yield the words without articles: `a unit in Moscow` need not be an army."""
    last: Word | None = None
    for word in words:
        if last is not None and not (last.text == "a" and word.kind == "NOISE" and word.text.startswith("unit")):
            yield last
        last = word
    if last is not None:
        yield last


def misspelled(words: Sequence[Word], number: int) -> Iterator[Sequence[Word]]:
    """Yield stretches around an unknown word that may be one misspelled name, longest first."""
    longest = _LONGEST_NAME if len(words[number].text) >= _LEAST_PART else 1
    for size in range(longest, 0, -1):
        for begin in range(max(0, number - size + 1), min(number, len(words) - size) + 1):
            stretch = words[begin : begin + size]
            one_blank = all(after.start == word.end + 1 for word, after in pairwise(stretch))
            if one_blank and all(word.kind in _PARTS_OF_NAMES for word in stretch):
                yield stretch


def in_one(stretch: Sequence[Word]) -> Word:
    """Join the words of a name into one word."""
    return Word("PLACE", stretch[0].start, stretch[-1].end, " ".join(word.text for word in stretch))


def _sign(text: str, place: int) -> Word | None:
    letter = text[place]
    if letter in _ARROW:
        end = place + 1
        while end < len(text) and (text[end] in _ARROW or (text[end] == " " and text[end + 1 : end + 2] in _ARROW)):
            end += 1
        return Word("ARROW", place, end, text[place:end])
    kind: Terminal | None = _SIGNS.get(letter) or (None if letter.isalnum() else "NOISE")
    return Word(kind, place, place + 1, letter) if kind else None


def _in_katakana(match: re.Match[str]) -> str:
    return in_katakana(match[0])


def _without_struck(text: str) -> str:
    """Return the text without what is struck out between tildes.

    If nothing else is left, keep it behind a mark that the line does not count.
    """
    rest = _TILDES.sub(lambda match: " " * len(match[0]), text)
    if any(map(str.isalnum, rest)):
        return rest
    return _TILDES.sub(lambda match: "//" + match[2].rjust(len(match[0]) - 2), text)


def _begins_another(text: str, place: int) -> bool:
    letter = text[place]
    return not letter.isalnum() or is_latin(letter) or is_katakana(letter)
