"""Headings of press that cannot be read.

The text behind such a heading is for another person, or is meant to be anonymous.
A heading is short, begins its line, and says only that it is press and to whom. Talk has more words, such as a verb.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from judge.language.asking.data import latin_words_for, pattern_of, run_on_words_for, words_for
from judge.language.context import Context
from judge.language.words import Line, is_japanese
from judge.language.words.names import pattern
from judge.language.words.spelling import slips_between
from judge.language.words.tongue import KATAKANA

_LONGEST = 80
_TO = "@"
"""Stands for any addressee."""
_BEHIND = re.compile(r":| (?:-+>?|—|–) ")
_WORD = re.compile(rf"[^\W\d_]+|{_TO}")
_UNKNOWN_IN_JAPANESE = re.compile(f"[{KATAKANA}]{{2,12}}")
_MOST_UNKNOWN = 2
_LEAST_OF_A_NAME = 5


def misread_heading(line: Line, context: Context) -> tuple[str, str] | None:
    """Return a misread heading of press in a line, and the command it may mean.

    None if the line has no such heading.
    """
    behind = _BEHIND.search(line.text, 0, 2 * _LONGEST)
    head = (line.text[: behind.start()] if behind else line.text).rstrip()
    if len(head) > _LONGEST or pattern_of("%s", "near_press").search(head) is None:
        return None
    named = _powers(context.map.name).sub(f" {_TO} ", head)
    is_heading = _is_heading_in_japanese if is_japanese(head) else _is_heading
    powers = tuple(power.lower() for power in context.map.powers)
    named = _WORD.sub(lambda word: _TO if _is_nearly_one(word[0], powers) else word[0], named)
    # `anonymous:` alone may be a setting. In a reply to press it is a heading, not a signature.
    nameless = bool(behind) and not context.hears_sentences
    if not is_heading(named, nameless=nameless, ends=behind is None):
        return None
    return head, words_for("press_without_a_name" if _is_nameless(head) else "press_named")[0]


@cache
def _powers(map_name: str) -> re.Pattern[str]:
    from judge.language.words import SHIPPED, load_lexicon  # noqa: PLC0415 - only for what is like a heading

    return re.compile(pattern((*load_lexicon(map_name, SHIPPED).names.powers, *words_for("everybody"))))


def _is_heading(head: str, *, nameless: bool, ends: bool) -> bool:
    """Whether Latin text is a misspelled heading: `anonymus press to @`, `secret press to @`."""
    words = _WORD.findall(head)
    is_nameless = any(map(_is_word_of_namelessness, words))
    is_press = any(map(_is_word_of_press, words))
    if not is_press and not is_nameless:
        return False
    others = [word for word in words if not _belongs_to_a_heading(word)]
    if not others:
        return (_TO in words and is_press) or (nameless and is_nameless)
    is_to_somebody = pattern_of("^%s", "to_somebody").match(" ".join(words)) is not None
    is_slip = is_nameless or "press" not in words
    return (
        is_to_somebody
        and is_slip
        and not ends
        and len(others) <= _MOST_UNKNOWN
        and not any(word in words_for("of_talk") for word in others)
    )


def _belongs_to_a_heading(word: str) -> bool:
    return (
        word == _TO
        or word in latin_words_for("of_headings")
        or _is_word_of_press(word)
        or _is_word_of_namelessness(word)
    )


def _is_word_of_press(word: str) -> bool:
    return _is_like(word, latin_words_for("press_named"), 1)


def _is_word_of_namelessness(word: str) -> bool:
    return _is_like(word, latin_words_for("nameless"), 2)


def _is_like(word: str, others: Collection[str], most: int) -> bool:
    """Whether a word is one of the others, or is similar to one.

    A similar word has at most `most` slips, none of them in its first letter. Short words must be equal.
    """
    return word in others or any(
        word[0] == other[0] and len(other) >= _LEAST_OF_A_NAME and slips_between(word, other) <= most
        for other in others
    )


def _is_nearly_one(word: str, powers: Collection[str]) -> bool:
    return len(word) >= _LEAST_OF_A_NAME and _is_like(word, powers, 2)


def _is_heading_in_japanese(head: str, *, nameless: bool, ends: bool) -> bool:
    """Whether Japanese text is a heading: `@ 宛の密書`, `匿名で @ へ密書`, `密章 @`."""
    plain = pattern_of("%s", "press_in_japanese").search(head) is not None
    slip = pattern_of("%s", "press_with_a_slip").search(head) is not None
    if not (plain or slip or (nameless and _is_nameless(head))):
        return False
    left = pattern_of(r"%s|%s|%s|\W", "press_in_japanese", "press_with_a_slip", "of_japanese_headings").sub("", head)
    if left and _UNKNOWN_IN_JAPANESE.fullmatch(left) is None:
        return False
    return bool(left) or _TO in head or (not ends and (slip or _is_nameless(head)))


def _is_nameless(head: str) -> bool:
    return any(word in head for word in run_on_words_for("nameless")) or any(
        map(_is_word_of_namelessness, _WORD.findall(head))
    )
