"""Text in columns of a terminal: Japanese characters are two wide and may be broken almost anywhere."""

from __future__ import annotations

import re
import unicodedata

WIDTH = 72
_WIDE = "\u2e80-\uffef"
_CLOSING = "、。,.」』)】!?:;ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_PIECE = re.compile(rf" +|[「『(【]*(?:[ァ-ヺー]{{2,12}}海?|[{_WIDE}])[{_CLOSING}]*|[^ {_WIDE}]+[{_CLOSING}]*")
_PLACE = r"[A-Z]{3}(?:/[A-Z]{2})?"
_ORDER = re.compile(rf"\b[AF] {_PLACE}(?: (?:[HDB]\b|(?:[-RSC] )?(?:[AF] )?{_PLACE}))*(?: VIA)?")
_KEPT = "\0"
_TORN = 7
"""So many characters of a clause are no loss at the end of a line."""
_LEAST = 10
"""Columns the last of several lines has at least, where it can."""


def width(text: str) -> int:
    """How many columns a text takes.

    >>> width("A パリ")
    6
    """
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def padded(text: str, columns: int) -> str:
    """The text with blanks behind it, so that it takes so many columns."""
    return text + " " * max(0, columns - width(text))


def wrapped(text: str, most: int = WIDTH) -> str:
    """Every line folded to `most` columns, indented as it began; an order in strict notation stays in one piece."""
    return "\n".join(folded for line in text.split("\n") for folded in _folded(line, most))


def _begun(row: list[str]) -> list[str]:
    """What goes over to the next row: the beginning of a Japanese clause is not torn off."""
    for place in range(len(row) - 1, max(0, len(row) - _TORN) - 1, -1):
        if row[place][-1] in "、。":
            begun = row[place + 1 :]
            del row[place + 1 :]
            return begun
    return []


def _folded(line: str, most: int) -> list[str]:
    if width(line) <= most:
        return [line]
    indent = line[: len(line) - len(line.lstrip(" "))]
    kept = _ORDER.sub(lambda match: match[0].replace(" ", _KEPT), line[len(indent) :])
    rows: list[list[str]] = [[]]
    room = most - len(indent)
    used = 0
    for piece in _PIECE.findall(kept):
        if rows[-1] and used + width(piece.rstrip()) > room:
            rows.append(_begun(rows[-1]))
            used = width("".join(rows[-1]))
        rows[-1].append(piece)
        used += width(piece)
    *_, before, last = [[], *rows]
    while before and width("".join(last).strip()) < _LEAST and not before[-1].isspace():
        last.insert(0, before.pop())  # a word is not left behind by its last sound
    return [indent + "".join(row).replace(_KEPT, " ").strip(" ") for row in rows]
