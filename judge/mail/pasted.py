"""The machine part of a report, pasted into the text of a mail."""

from __future__ import annotations

import json
import re

from judge.mail.letters import Attachment

_BEGINS = re.compile(r"^[ \t\u3000]*(?=\{)", re.MULTILINE)
_OURS = re.compile(r'"(?:phase|units|input|output|position)"\s*:')
"""What one of ours holds: any other braces are words of the sender."""
_NEAR = 2000
_BLANK_LINES = re.compile(r"\n[ \t\u3000]*\n")


def without_pasted(text: str) -> tuple[str, Attachment | None]:
    """A text without the first machine part that stands in it, and this as a file.

    Mail programs break its lines: within a text of it, too. What is cut off in the middle ends with its paragraph, and
    is a file all the same: whoever reads it finds out what is wrong.
    """
    for begin in _BEGINS.finditer(text):
        if _OURS.search(text, begin.end(), begin.end() + _NEAR):
            end = _end_of(text, begin.end())
            content = " ".join(text[begin.end() : end].split())
            return text[: begin.start()] + text[end:], Attachment("", "application/json", content.encode())
    return text, None


def _end_of(text: str, begin: int) -> int:
    try:
        _, length = json.JSONDecoder(strict=False).raw_decode(text[begin:])
    except ValueError:
        blank = _BLANK_LINES.search(text, begin)
        return blank.start() if blank else len(text)
    return begin + length
