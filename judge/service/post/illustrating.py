"""Composing letters with pictures.

A picture is drawn once, when the first letter that shows it is composed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

import structlog

from judge.mail.composing import compose
from judge.mail.letters import Outgoing, Picture
from judge.mail.signing import Keyring
from judge.reports.pictures import left_out
from judge.service.post.pictures import Drawable, board_shown, drawable, drawn, language_of
from judge.storage import Queued, Store

T = TypeVar("T")

log = structlog.get_logger(__name__)

_KEPT = 24
"""The most pictures, and the most boards, in the caches.

That is enough for a phase or two in a few languages.
"""

_MOST = 2_000_000
"""Bytes of one mail."""
_ENCODED = 78 / 57
"""Length of a byte in base64, including line ends."""
_HEADS = 50_000
"""Bytes reserved for the headers of the mail and its parts, and its signature."""


def within_bounds(letter: Outgoing, drawn: Mapping[str, bytes]) -> tuple[Outgoing, Mapping[str, bytes]]:
    """Return the letter with the pictures that fit into a mail.

    The letter names the others as left out.
    """
    room = _MOST - _HEADS - _ENCODED * sum(len(one.content) for one in letter.attachments)
    room -= _ENCODED * sum(len(words.encode()) for words in (letter.text, letter.html or ""))
    kept: dict[str, bytes] = {}
    for picture in letter.pictures:
        content = drawn.get(picture.cid)
        if content is not None and len(content) * _ENCODED <= room:
            kept[picture.cid] = content
            room -= len(content) * _ENCODED
    if len(kept) == len(drawn):
        return letter, drawn
    names = [cid.rpartition("-")[0] for cid in drawn if cid not in kept]
    said = left_out(names, language_of(letter.pictures[0]))
    html = (letter.html or "").replace("</body>", f"<p>{said}</p></body>")
    return replace(letter, text=f"{letter.text.rstrip()}\n\n{said}\n", html=html or None), kept


@dataclass(frozen=True, slots=True)
class Illustrator:
    """Composes letters: draws and caches their pictures, and signs what the reader sees."""

    store: Store
    keyring: Keyring
    complain: Callable[[Picture, Queued, str], None]
    """Reports a missing picture, the first letter without it, and the reason."""
    drawn: OrderedDict[str, bytes | None] = field(default_factory=OrderedDict)
    drawables: OrderedDict[str, Drawable] = field(default_factory=OrderedDict)
    """The boards that pictures show, each drawn once."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def compose(self, queued: Queued) -> bytes:
        """Compose the mail, signed if it carries facts.

        A picture that cannot be drawn is left out.
        """
        letter: Outgoing = queued.letter
        contents = {picture.cid: self._picture(picture, queued) for picture in letter.pictures}
        there = {cid: content for cid, content in contents.items() if content is not None}
        letter, shown = within_bounds(letter, there)
        return compose(self.keyring.signed(letter), shown)

    def _picture(self, picture: Picture, queued: Queued) -> bytes | None:
        with self.lock:
            if picture.cid not in self.drawn:
                _keep(self.drawn, picture.cid, self._draw(picture, queued))
            return self.drawn[picture.cid]

    def _draw(self, picture: Picture, queued: Queued) -> bytes | None:
        try:
            key = board_shown(picture)
            if key not in self.drawables:
                with self.store.look() as work:
                    _keep(self.drawables, key, drawable(work, picture))
            return drawn(self.drawables[key], picture)
        except Exception as error:
            log.exception("picture could not be drawn", picture=picture.cid, letter=queued.id)
            self.complain(picture, queued, f"{type(error).__name__}: {error}")
            return None

    def forget(self) -> None:
        """Empty the cache when no letter needs it.

        Drawing a picture again gives the same bytes.
        """
        with self.lock:
            self.drawn.clear()
            self.drawables.clear()


def _keep(cache: OrderedDict[str, T], key: str, value: T) -> None:
    cache[key] = value
    while len(cache) > _KEPT:
        cache.popitem(last=False)
