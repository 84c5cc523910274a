"""Press in a mail: what people write to each other is never read as orders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.language.normal import normal_form

_MAY_BEGIN = re.compile(r"press|ｐｒｅｓｓ|broadcast|ｂｒｏａｄｃａｓｔ|公式発言|密書", re.IGNORECASE)
_BEGINS = re.compile(r"(?:press|broadcast|公式発言|密書)(?:\s*:.*|\s*(?:to\s|を|へ).*|)\W*")
_HAS_ITS_TEXT = re.compile(r"[^:]{4,80}:\s*\S.*")
"""`press to France: hello` is one line, unless an end of press follows."""
_ENDS = re.compile(r"end\s?(?:of\s)?(?:press|broadcast)\W*|(?:公式発言|密書|発言|プレス)(?:の?終わり|終了|ここまで)\W*")


def press_lines(lines: Sequence[str]) -> frozenset[int]:
    """The places of the lines between PRESS and END PRESS, with the end; without an end, all that follows."""
    if not any(map(_MAY_BEGIN.search, lines)):
        return frozenset()
    plain = [normal_form(line).text.strip() for line in lines]
    found: set[int] = set()
    begin: int | None = None
    for place, line in enumerate(plain):
        if begin is None and _begins(plain, place):
            begin = place
        elif begin is not None and _ENDS.fullmatch(line):
            found.update(range(begin + 1, place + 1))
            begin = None
    if begin is not None:
        found.update(range(begin + 1, len(lines)))
    return frozenset(found)


def _begins(lines: Sequence[str], place: int) -> bool:
    line = lines[place]
    if _BEGINS.fullmatch(line) is None:
        return False
    if _HAS_ITS_TEXT.fullmatch(line) is None:
        return True
    following = (other for other in lines[place + 1 :] if _BEGINS.fullmatch(other) or _ENDS.fullmatch(other))
    return _ENDS.fullmatch(next(following, "")) is not None
