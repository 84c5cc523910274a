"""Tell pictures that the sender attached from those in quoted text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from email.message import Message

from judge.mail.large_files import is_picture

_SHOWN = re.compile(r"""<img\b[^<>]{0,2000}?\bsrc\s*=\s*["']?cid:([^"'\s<>]{1,300})[^<>]{0,2000}>""", re.IGNORECASE)
_MOST_SHOWN = 100
"""Pictures to look for in the HTML; further ones count as quoted."""
_MARK = "\ue000{}\ue001"
"""Takes the place of a picture in the text."""
_MARKS = re.compile(r"\ue000\d+\ue001")


def own_pictures(
    parts: Sequence[Message], html: Sequence[str], as_text: Callable[[str], tuple[str, str]]
) -> tuple[Message, ...]:
    """Return the pictures that the sender attached or put between their own words.

    `as_text` returns the text of HTML, and the sender's own words in it.
    """
    pictures = [part for part in parts if is_picture(part)]
    if not pictures:
        return ()
    shown = {cid: own for one in html for cid, own in _shown_in(one, as_text)}
    return tuple(part for part in pictures if shown.get(_id_of(part), True))


def _id_of(part: Message) -> str:
    return str(part.get("Content-ID") or "").strip().strip("<>")


def _shown_in(html: str, as_text: Callable[[str], tuple[str, str]]) -> Iterator[tuple[str, bool]]:
    """Yield the Content-ID of each picture in HTML, and whether it is the sender's.

    It is if only the sender's own words stand above it.
    """
    cids = [shown[1] for shown in _SHOWN.finditer(html)]
    if not cids:
        return
    numbers = iter(range(len(cids)))
    said, own = as_text(_SHOWN.sub(lambda _: f"<br>{_MARK.format(next(numbers))}<br>", html, count=_MOST_SHOWN))
    yield from ((cid, False) for cid in cids[_MOST_SHOWN:])
    for number, cid in enumerate(cids[:_MOST_SHOWN]):
        mark = _MARK.format(number)
        yield cid, mark in own and _words(said.partition(mark)[0]) == _words(own.partition(mark)[0])


def _words(text: str) -> list[str]:
    return _MARKS.sub(" ", text).split()
