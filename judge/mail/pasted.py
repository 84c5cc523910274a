"""Find the JSON part of a report that was pasted into a mail."""

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
"""Keys that only our JSON contains; any other braces belong to the sender's text."""
_NEAR = 2000
_BLANK_LINES = re.compile(r"\n[ \t\u3000]*\n")


def without_pasted(text: str) -> tuple[str, Attachment | None]:
    """Split off the first pasted JSON part; return the rest, and the part as file.

    It may be quoted. Mail programs may break its lines, even inside strings. A truncated part ends with its paragraph
    and is returned too: parsing it later reports what is wrong.
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
    """Split a text into the JSON part at its beginning and the rest."""
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(text)
    except ValueError:
        blank = _BLANK_LINES.search(text)
        end = blank.start() if blank else len(text)
    return text[:end], text[end:]


def _parted_from_quotation(text: str) -> tuple[str, str]:
    """Do the same for lines with quotation marks; the lines in the rest keep theirs."""
    content, _ = _parted(_MARKED.sub("\n", text))
    return content, "\n".join(["", *text.split("\n")[content.count("\n") + 1 :]])
