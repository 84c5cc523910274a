"""Text in columns of a terminal.

A Japanese character is two columns wide, and a line may break almost anywhere between them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from judge.language.words.tongue import HIRAGANA, HONORIFICS, KANJI, KATAKANA, LONG_VOWEL, SEA, SMALL_KANA
from judge.rules.position import COAST, CODE

WIDTH = 72
_WIDE = "\u2e80-\uffef"
_CLOSING = f"、。,.」』)】!?:;{LONG_VOWEL}{SMALL_KANA}"
_POLITE = "".join(HONORIFICS)
_STEM = rf"[{KATAKANA}]{{2,12}}{SEA}?[{KANJI}]{{0,4}}|[{_POLITE}]?[{KANJI}]{{1,8}}"
_ENDING = rf"(?:(?![{_POLITE}][{KANJI}])[{HIRAGANA}]){{1,12}}"
"""The kana after a stem belong to the same word; no line breaks between them."""
_PIECE = re.compile(
    rf" +|[「『(【]*(?:(?:{_STEM})(?:{_ENDING})?|{_ENDING}|[{_WIDE}])[{_CLOSING}]*|[^ {_WIDE}]+[{_CLOSING}]*"
)
_PLACE = rf"{CODE}(?:/{COAST})?"
_ORDER = re.compile(rf"\b[AF] {_PLACE}(?: (?:[HDB]\b|(?:[-RSC] )?(?:[AF] )?{_PLACE}))*(?: VIA)?")
_KEPT = "\0"
_TORN = 13
"""The most columns moved to the next line to keep a Japanese clause together."""
_INDENT = "  "
_LEFT = 24
"""The most columns of the left part of a table that is folded."""
_LEAST = 10
"""The least width of the last of several lines, where possible."""


def width(text: str) -> int:
    """Return how many columns a text takes.

    >>> width("A パリ"), width("Mu\u0308nchen")
    (6, 7)
    """
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0  # a combining accent, a zero-width character
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, columns: int) -> str:
    """Return the text padded with blanks to that many columns."""
    return text + " " * max(0, columns - width(text))


def flowed(text: str, most: int = WIDTH) -> str:
    r"""Fold every line softly to `most` columns (RFC 3676, DelSp).

    A blank at the end of a line marks a soft break. Orders in strict notation and Japanese words are not broken.

    >>> flowed("What one can say: A PAR - BUR", 24)
    'What one can say:  \nA PAR - BUR'
    """
    return "\n".join(_softly(line.rstrip(" "), most) for line in text.split("\n"))


def unfolded(text: str) -> str:
    r"""Return text as it was before `flowed` folded it.

    >>> unfolded(flowed("What one can say: A PAR - BUR", 24))
    'What one can say: A PAR - BUR'
    """
    return text.replace(" \n", "")


@lru_cache(maxsize=4096)
def _softly(line: str, most: int) -> str:
    """Fold one line.

    The result is cached, because most lines of a report are the same for its many readers.
    """
    rows = _folded(line, most)
    if len(rows) == 1:
        return rows[0]
    indent = line[: len(line) - len(line.lstrip(" "))]
    soft: list[str] = []
    place = len(indent)
    for row in rows[:-1]:
        words = row[len(indent) :]
        place = line.index(words, place) + len(words)
        blanks = len(line[place:]) - len(line[place:].lstrip(" "))
        place += blanks
        soft.append((row if not soft else words) + " " * (blanks + 1))
    return "\n".join([*soft, rows[-1][len(indent) :]])


def laid_out(text: str, most: int) -> str:
    r"""Lay out paragraphs and tables in at most `most` columns.

    The lines of a paragraph are joined and folded. Indented rows are set in two columns, which two blanks separate.
    A text too long for its column continues below, indented.

    >>> print(laid_out("What one\ncan say:\n\n    LIST  the games there are to join", 24))
    What one can say:
    <BLANKLINE>
      LIST  the games there
            are to join
    """
    blocks = []
    for is_table, lines in groupby(text.strip("\n").split("\n"), key=lambda line: line.startswith(" ")):
        if is_table:
            blocks += table([(head, tail) for head, _, tail in (line.strip().partition("  ") for line in lines)], most)
        else:
            for is_blank, paragraph in groupby(lines, key=lambda line: not line.strip()):
                blocks += [""] if is_blank else _folded(joined(paragraph), most)
    return "\n".join(blocks)


def written(text: str) -> str:
    r"""Turn a text for `laid_out` into unfolded lines for `judge.reports.layout`.

    The reader's mail program folds the HTML made from them.

    >>> written("What one\ncan say:\n\n    LIST  the games\n    A Par - Bur")
    'What one can say:\n\nLIST\tthe games\n  A Par - Bur'
    """
    lines: list[str] = []
    for (is_row, is_blank), found in groupby(text.strip("\n").split("\n"), key=_row_or_blank):
        if is_blank or not is_row:
            first, *others = found
            lines.append("" if is_blank else joined((first, *others)) if others else first)
            continue
        for left, _, right in (line.strip().partition("  ") for line in found):
            lines.append(f"{left}\t{right.strip()}" if right else f"{_INDENT}{left}")
    return "\n".join(lines)


def _row_or_blank(line: str) -> tuple[bool, bool]:
    return line.startswith(" "), not line.strip()


def table(rows: Sequence[tuple[str, str]], most: int) -> list[str]:
    """Return indented rows of two columns, with the second column aligned.

    The second column of a row with a long left part stands on lines below it.
    """
    wide = [width(left) for left, right in rows if right and width(left) <= max(_LEFT, most // 4)]
    column = max(wide, default=0) + 2
    lines: list[str] = []
    for left, right in rows:
        if right and width(left) <= column - 2:
            lines += hanging(right.strip(), most, _INDENT + padded(left, column), _INDENT + " " * column)
        else:
            lines += hanging(left, most, _INDENT, 3 * _INDENT)
            lines += hanging(right.strip(), most, 3 * _INDENT, 3 * _INDENT) if right else []
    return lines


def hanging(text: str, most: int, first: str = "", later: str = "") -> list[str]:
    """Fold a text, with one prefix for its first line and another for later lines."""
    beginning, *others = _folded(text, most - max(width(first), width(later)))
    return [first + beginning, *(later + line for line in others)]


def joined(lines: Iterable[str]) -> str:
    """Join lines into one, with a blank between words but none beside Japanese."""
    text = ""
    for line in map(str.strip, lines):
        close = not text or _is_wide(text[-1]) or _is_wide(line[:1])
        text += line if close else f" {line}"
    return text


def _is_wide(character: str) -> bool:
    return bool(re.match(f"[{_WIDE}]", character))


def _begun(row: list[str]) -> list[str]:
    """Take the beginning of a Japanese clause off a row and return it.

    The caller moves it to the next row.
    """
    for place in range(len(row) - 1, -1, -1):
        if width("".join(row[place + 1 :])) > _TORN:
            break
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
            if used + width(piece.rstrip()) > room:  # the part that moved leaves no room for the next piece
                rows.append([])
                used = 0
        rows[-1].append(piece)
        used += width(piece)
    *_, before, last = [[], *rows]
    while before and width("".join(last).strip()) < _LEAST and not before[-1].isspace():
        last.insert(0, before.pop())  # the last row should not hold only the end of a word
    return [indent + "".join(row).replace(_KEPT, " ").strip(" ") for row in rows]
