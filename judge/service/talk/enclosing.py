"""Pictures and files of a receipt, each once, within the limits of one letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TypeVar

from judge.mail.letters import Attachment
from judge.reports.readers import Illustration, Remark
from judge.service.post.budgets import may_get_files
from judge.service.talk.handling import MailHandling

_Thing = TypeVar("_Thing", Illustration, Attachment)
_MOST_PICTURES = 10
_MOST_IN_FILES = 800_000
"""Bytes before base64: leaves room for the text and some pictures."""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """The pictures and files of a receipt."""

    pictures: tuple[Illustration, ...] = ()
    files: tuple[Attachment, ...] = ()
    left_out: tuple[str, ...] = ()
    """Lines that ask for something that does not fit."""
    withheld: Remark | None = None
    """Why pictures and files are withheld.

    The sender is unproved, and anyone could fill a player's mailbox that way. Or the sender got too much today.
    """


def enclosed_in(handling: MailHandling, calendars: Sequence[Attachment], own: Sequence[Illustration]) -> Enclosed:
    """Return the pictures and files of the receipt.

    The `calendars` and the map of the sender's `own` orders were not asked for by a line.
    """
    is_asked = bool(handling.illustrations or handling.attachments or calendars)
    if not handling.is_proved:
        return Enclosed(withheld=Remark.NO_FILES if is_asked else None)
    if (is_asked or own) and not may_get_files(handling.work, handling.answers_to, handling.now):
        return Enclosed(withheld=Remark.TOO_MUCH_TODAY)
    asked = handling.asked_in
    pictures = _once(handling.illustrations, asked.get("illustrations", ()))
    files = _once(handling.attachments, asked.get("attachments", ()))
    kept: list[Attachment] = []
    left_out, room = [line for _, line in pictures[_MOST_PICTURES:]], _MOST_IN_FILES
    for file, line in files:
        if len(file.content) <= room:
            kept.append(file)
            room -= len(file.content)
        else:
            left_out.append(line)
    shown = [picture for picture, _ in pictures[:_MOST_PICTURES]]
    return Enclosed((*shown, *own), (*kept, *calendars), tuple(left_out))


def _once(things: Sequence[_Thing], lines: Sequence[str]) -> list[tuple[_Thing, str]]:
    """Return each thing once, with the first line that asked for it.

    The line is "" if none did.
    """
    found: dict[_Thing, str] = {}
    for thing, line in zip(things, chain(lines, repeat("")), strict=False):
        found.setdefault(thing, line)
    return list(found.items())
