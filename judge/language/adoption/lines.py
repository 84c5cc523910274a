"""Lines of a pasted text, without what mail programs and browsers put around them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from judge.language.words import is_japanese
from judge.resources import shipped_data

_MARKS = re.compile(r"^(?:\s*[>＞|｜]\s?)+")
_CELLS = re.compile(r"(?<!\s)\s*[|｜\t]\s*")
_TAGS = re.compile(r"</(?:td|tr|table|li|ul|div|p|span|strong|h\d|b)>", re.IGNORECASE)
_BREAKS = re.compile(r"<(?:br|/p|/li|/tr|/div|/h\d|ul|/ul|/table)\b[^<>]*>", re.IGNORECASE)
_CELL_TAGS = re.compile(r"</t[dh]>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_WORDS = shipped_data("grammar/adoption.toml")["goes_on"]
_GOES_ON = re.compile(
    rf"(?:[,、，;；]|\b(?:{'|'.join((*_WORDS['en'], *_WORDS['de']))})|->?|{'|'.join(_WORDS['ja'])})$", re.IGNORECASE
)
_BEGINS_AS_REST = re.compile(rf"(?:{'|'.join(chain.from_iterable(_WORDS['rest'].values()))}|-+>)\b", re.IGNORECASE)
_ENDS = re.compile(r"[.:;)。!?]$")
_LEAST_BROKEN = 56
"""In columns: a shorter line was not broken by a mail program."""


def written_lines(text: str, begins_anew: Callable[[str], bool]) -> Iterator[str]:
    """Yield the lines of a text, each in one piece.

    Cells of a table are two blanks apart. Marks of quotations and HTML tags are left out. `begins_anew` tells lines
    that never go on with the one above.
    """
    if _TAGS.search(text):
        text = _TAG.sub(" ", _BREAKS.sub("\n", _CELL_TAGS.sub(" \t ", text.replace("\n", " "))))
        text = html.unescape(text)
    pieces: list[str] = []
    for line in text.splitlines():
        bare = _CELLS.sub("  ", _MARKS.sub("", line).rstrip(" |｜\t"))
        if pieces and bare.strip() and _is_broken(pieces[-1], bare) and not begins_anew(bare):
            pieces.append(bare.strip())
            continue
        if pieces:
            yield _joined(pieces)
        pieces = [bare] if bare.strip() else []
        if not pieces:
            yield ""
    if pieces:
        yield _joined(pieces)


def _joined(pieces: Sequence[str]) -> str:
    return "".join(piece if is_japanese(piece[-1]) else f"{piece} " for piece in pieces).rstrip()


def _is_broken(line: str, following: str) -> bool:
    """Whether a line was broken in two, by a mail program or behind a comma."""
    line, following = line.rstrip(), following.strip()
    if _GOES_ON.search(line) or _BEGINS_AS_REST.match(following):
        return True
    columns = sum(2 if is_japanese(one) else 1 for one in line)
    return columns >= _LEAST_BROKEN and _ENDS.search(line) is None and ":" not in following[:20]
