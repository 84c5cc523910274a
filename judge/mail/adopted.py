"""Find the text of a game that is adopted.

It may be quoted, long, and hold what looks like a signature.
"""

from __future__ import annotations

import re

from judge.mail.patterns import pattern

_MOST_ABOVE = 2
_GREETS = re.compile(r".{1,40}[,!、。，！]\s*")


def parted(text: str) -> tuple[str, str]:
    """Split off ADOPT with the text below it; it is "" if there is none.

    Only greetings may stand above it: it may not be a part of words for others.
    """
    lines = text.split("\n")
    above = 0
    for begin, line in enumerate(lines):
        if _adopts().fullmatch(line):
            end = next((at for at in range(begin + 1, len(lines)) if _ends().match(lines[at])), len(lines))
            return "\n".join([*lines[:begin], *lines[end + 1 :]]), "\n".join(lines[begin : end + 1])
        if line.strip():
            above += 1
            if above > _MOST_ABOVE or not _GREETS.fullmatch(line):
                break
    return text, ""


def _adopts() -> re.Pattern[str]:
    return pattern("adopts", before=r"\s*(?:", behind=r")[\s\u3000]+[A-Za-z][A-Za-z0-9-]{0,30}\s*[:：.]?\s*")


def _ends() -> re.Pattern[str]:
    return pattern("adopts_end", before=r"[\s>|]*(?:", behind=r")\W*$")
