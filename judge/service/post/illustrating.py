"""Composing letters with their pictures: each is drawn once, when the first letter that shows it is composed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from judge.mail.composing import compose
from judge.mail.letters import Outgoing, Picture
from judge.service.post.pictures import drawable, drawn
from judge.storage import Queued, Storage

log = structlog.get_logger(__name__)

_KEPT = 24
"""Pictures: those of a phase or two in both languages."""


@dataclass(frozen=True, slots=True)
class Illustrator:
    """Composes letters."""

    store: Storage
    complain: Callable[[Picture, Queued, str], None]
    """Tells who has to know that a picture is missing, in which letter first, and why."""
    drawn: OrderedDict[str, bytes | None] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def compose(self, queued: Queued) -> bytes:
        """The mail; a picture that cannot be drawn is left out."""
        letter: Outgoing = queued.letter
        contents = {picture.cid: self._picture(picture, queued) for picture in letter.pictures}
        return compose(letter, {cid: content for cid, content in contents.items() if content is not None})

    def _picture(self, picture: Picture, queued: Queued) -> bytes | None:
        with self.lock:
            if picture.cid not in self.drawn:
                self.drawn[picture.cid] = self._draw(picture, queued)
                while len(self.drawn) > _KEPT:
                    self.drawn.popitem(last=False)
            return self.drawn[picture.cid]

    def _draw(self, picture: Picture, queued: Queued) -> bytes | None:
        try:
            with self.store.look() as work:
                shown = drawable(work, picture)
            return drawn(*shown)
        except Exception as error:
            log.exception("picture could not be drawn", picture=picture.cid, letter=queued.id)
            self.complain(picture, queued, f"{type(error).__name__}: {error}")
            return None

    def forget(self) -> None:
        """No letter is left that needs what was drawn; another draws it again, to the same bytes."""
        with self.lock:
            self.drawn.clear()
