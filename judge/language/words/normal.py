"""Normal form of a line: dashes, blanks, width and case unified, with the original positions."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from judge.language.words.tongue import KANJI_NUMBERS, LIKE_A_DASH, is_plain

_DASHES = dict.fromkeys("‐‑‒–—―−﹣～〜", "-")
_ARROWS = dict.fromkeys("⇒➔➜➡⟶⇨►▶→↦➙➝➞⟹", "->")
_QUOTES = dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’´`", "'")
_GONE = dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", "")
_NUMBERS = dict.fromkeys("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳❶❷❸❹❺❻❼❽❾❿", ";")
"""Numbers in circles; within a line they begin another order."""
_TABLE = _DASHES | _ARROWS | _QUOTES | _GONE
_BULLET = re.compile(
    rf"""\s*(?:[-*•>–—]\s+|[+•・●○■□◆◇▪▶➤]\s*|[①-⑳❶-❿]\s*
    |[#＃(（]?\d{{1,2}}[.):、．）：]\s*|\d{{1,2}}\s+(?=[AFaf]\s)|[#＃]\d{{1,2}}\s+(?:[-–—]\s+)?|\d{{1,2}}\s+[-–—]\s+|[(（]?[a-zａ-ｚ][)）]\s
    |№\s?\d{{1,2}}[.:)]?\s+|\d{{1,2}}(?:st|nd|rd|th)[.:)]?\s+|\d{{1,2}}-\s+(?=[AFaf]\s)|[ivxIVX]{{2,5}}[.)]\s+|[b-eg-z]\.\s+(?=[AFaf]\s)
    |a\.\s+(?=[AF]\s)|[{KANJI_NUMBERS}]{{1,2}}[、．.)）]\s*)""",
    re.VERBOSE,
)
_SMILEY = re.compile(r"(?<!\S)[:;=8][-o^~'][)(DPpO/|*\]\[3>]+(?!\w)")
"""A smiley with a nose, which is not a dash."""
LONGEST_LINE = 2000
"""In characters: only the beginning of a longer line is read.

No line of orders is longer.
"""
_EYES = (":", ";", "=", "8")


@dataclass(frozen=True, slots=True)
class Line:
    """A line in normal form.

    `origin[i]` is the position of its i-th character in the written line.
    """

    written: str
    text: str
    origin: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the written line for a span of the normal form."""
        if not self.origin:
            return 0, len(self.written)
        first = self.origin[min(start, len(self.origin) - 1)]
        last = self.origin[min(max(end, start + 1), len(self.origin)) - 1]
        beyond = last + 1
        while beyond < len(self.written) and unicodedata.combining(self.written[beyond]):
            beyond += 1
        return first, beyond


@lru_cache(maxsize=64)  # cached: a line that cannot be read is normalized again for guessing
def normal_form(written: str) -> Line:
    """Normalize width, case, blanks, dashes and arrows.

    A ー between blanks is a dash, elsewhere a part of a name.
    """
    bullet = _BULLET.match(written)
    begin, read = bullet.end() if bullet else 0, written[:LONGEST_LINE]
    may_smile = any(eyes in read for eyes in _EYES)
    if not may_smile and _is_simple(read, begin):
        return Line(written, read[begin:].lower(), tuple(range(begin, len(read))))
    text: list[str] = []
    origin: list[int] = []
    smiling = {place for one in _SMILEY.finditer(read) for place in range(*one.span())} if may_smile else ()
    for place, character in _composed(read, begin):
        if place in smiling:
            continue
        lonely = character in LIKE_A_DASH and _is_alone(read, place)
        for folded in "-" if lonely else _TABLE.get(character, character):
            for out in _TABLE.get(folded, folded):
                letter = " " if out.isspace() else out.lower()[:1] or out
                if letter != " " or (text and text[-1] != " "):
                    text.append(letter)
                    origin.append(place)
    return Line(written, "".join(text)[:LONGEST_LINE], tuple(origin[:LONGEST_LINE]))


def _is_simple(written: str, begin: int) -> bool:
    """Whether only the case changes: ASCII, with single blanks between words."""
    is_folded = "`" in written or "  " in written or written.startswith(" ", begin)
    return not is_folded and is_plain(written) and written.isprintable()


def _composed(written: str, begin: int) -> list[tuple[int, str]]:
    """Return the characters after NFKC with their positions.

    Half-width kana are combined with their marks.
    """
    if is_plain(written):
        return list(enumerate(written[begin:], begin))
    result: list[tuple[int, str]] = []
    place = begin
    while place < len(written):
        end = place + 1
        while end < len(written) and (unicodedata.combining(written[end]) or written[end] in "ﾞﾟ"):
            end += 1
        result += [(place, character) for character in _plain(written[place:end])]
        place = end
    return result


@lru_cache(maxsize=8192)
def _plain(piece: str) -> str:
    """Return a character with its marks after NFKC; a number in a circle becomes `;`."""
    return _NUMBERS.get(piece[0]) or unicodedata.normalize("NFKC", piece)


def _is_alone(written: str, place: int) -> bool:
    before = written[place - 1 : place]
    after = written[place + 1 : place + 2]
    return (not before or before.isspace()) and (not after or after.isspace() or after in ">＞")
