"""The machine part of a report, pasted into the text of a mail."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from judge.mail.letters import Attachment
from judge.mail.patterns import pattern

_MARKS = r"(?:[ \t\u3000]*[>＞|｜])*[ \t\u3000]*"
_BEGINS = re.compile(rf"^(?P<marks>{_MARKS})(?=\{{)", re.MULTILINE)
_MARKED = re.compile(rf"\n{_MARKS}")
_OURS = re.compile(r'"(?:phase|units|input|output|position)"\s*:')
"""What one of ours holds: any other braces are words of the sender."""
_NEAR = 2000
_BLANK_LINES = re.compile(r"\n[ \t\u3000]*\n")


def without_pasted(text: str) -> tuple[str, Attachment | None]:
    """A text without the first machine part that stands in it, and this as a file; it may be quoted.

    Mail programs break its lines: within a text of it, too. What is cut off in the middle ends with its paragraph, and
    is a file all the same: whoever reads it finds out what is wrong.
    """
    for begin in _BEGINS.finditer(text):
        if _OURS.search(text, begin.end(), begin.end() + _NEAR):
            below = text[begin.end() :]
            content, rest = _parted_from_quotation(below) if begin["marks"].strip() else _parted(below)
            file = Attachment("", "application/json", " ".join(content.split()).encode())
            return text[: begin.start()] + rest, file
    return text, None


def shows_board(lines: Iterable[str]) -> bool:
    """Whether lines, quoted or not, look like part of a board."""
    shows = pattern("shows_board", before=rf"{_MARKS}(?:[{{}}\[\]]|.{{0,200}}?", behind=")")
    return any(shows.match(line) for line in lines)


def _parted(text: str) -> tuple[str, str]:
    """The machine part at the beginning of a text, and what stands behind it."""
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(text)
    except ValueError:
        blank = _BLANK_LINES.search(text)
        end = blank.start() if blank else len(text)
    return text[:end], text[end:]


def _parted_from_quotation(text: str) -> tuple[str, str]:
    """The same where marks stand before the lines; the lines below keep theirs."""
    content, _ = _parted(_MARKED.sub("\n", text))
    return content, "\n".join(["", *text.split("\n")[content.count("\n") + 1 :]])
