"""Attachments of press: pictures are passed on.

The sender is told what became of all other files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from judge.games import PersonId
from judge.games.events import Event, Relayed
from judge.mail.letters import Attachment
from judge.mail.passing_on import PassedOn, passed_on
from judge.reports.readers import Fate
from judge.service.post.budgets import may_get_files, may_send_files
from judge.service.post.telling import readers_of_press, said_with_pictures_by
from judge.service.talk.handling import MailHandling
from judge.service.talk.mail import MailInWork
from judge.storage import Work

_HOUR = timedelta(hours=1)
_MOST_AN_HOUR = 30
"""The most letters with pictures by one person: four announcements to a whole game."""

_Attached = tuple[tuple[Attachment, ...], Mapping[Fate, tuple[str, ...]]]


def instead_of_words(mail: MailInWork) -> tuple[PassedOn, ...] | None:
    """Return the pictures that an answer to press consists of.

    Return None if the answer has words, or no pictures to send.
    """
    letter, person = mail.letter, mail.sender.person
    if not mail.sender.answers_press or letter.own_text.strip() or not letter.pictures:
        return None
    if person is not None and not _may_send_more(mail.work, person.id, mail.now):
        return None
    return passed_on(letter.pictures)


def attached_to_press(handling: MailHandling, events: Sequence[Event]) -> _Attached:
    """Return the pictures sent with the press of a mail.

    The fate of each file comes second.
    """
    letter = handling.letter
    if not handling.speaks or not (letter.pictures or letter.left_out or letter.unread_parts):
        return (), {}
    said = [event for event in events if isinstance(event, Relayed)]
    if not said and handling.to_confirm:  # whether it is sent is not known yet
        return (), {}
    if not said and (letter.own_text.strip() or _shown(handling.drawn or ())):
        return (), _named([(Fate.NOT_SENT, _names(handling))])
    others = [(Fate.TOO_LARGE, letter.left_out), (Fate.UNREADABLE, letter.unread_parts)]
    if len(said) > 1:
        return (), _named([(Fate.SEVERAL_LETTERS, _pictures(handling)), *others])
    if letter.pictures and not _may_go(handling, said):
        return (), _named([(Fate.TOO_OFTEN, _pictures(handling)), *others])
    found = handling.drawn if handling.drawn is not None else passed_on(letter.pictures)
    fates = [
        (Fate.SENT if isinstance(one.picture, Attachment) else Fate(one.picture.value), (one.came_as.filename,))
        for one in found
    ]
    return _shown(found), _named([*fates, *others])


def _shown(found: Sequence[PassedOn]) -> tuple[Attachment, ...]:
    return tuple(dict.fromkeys(one.picture for one in found if isinstance(one.picture, Attachment)))


def _may_go(handling: MailHandling, said: Sequence[Relayed]) -> bool:
    """Whether the budgets of the sender and of all readers allow pictures."""
    work, now = handling.work, handling.now
    if not _may_send_more(work, handling.person.id, now):
        return False
    addresses = {reader.person.address for event in said for reader in readers_of_press(work, event)}
    return all(may_get_files(work, address, now) for address in sorted(addresses))


def _may_send_more(work: Work, person: PersonId, now: datetime) -> bool:
    sent = work.outbox.count_keyed(said_with_pictures_by(person), now - _HOUR)
    return sent < _MOST_AN_HOUR and may_send_files(work, person, now)


def _pictures(handling: MailHandling) -> tuple[str, ...]:
    return tuple(one.filename for one in handling.letter.pictures)


def _names(handling: MailHandling) -> tuple[str, ...]:
    return (*_pictures(handling), *handling.letter.left_out, *handling.letter.unread_parts)


def _named(fates: Sequence[tuple[Fate, tuple[str, ...]]]) -> Mapping[Fate, tuple[str, ...]]:
    """Return fate → file names, in the order of `Fate`."""
    found: dict[Fate, tuple[str, ...]] = {}
    for fate, names in fates:
        if names:
            found[fate] = (*found.get(fate, ()), *names)
    return {fate: found[fate] for fate in Fate if fate in found}
