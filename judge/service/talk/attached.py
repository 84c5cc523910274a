"""What is attached to press: pictures go with it, and of everything else its sender is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from judge import commands as c
from judge.games.events import Event, Relayed
from judge.mail.letters import Attachment
from judge.mail.passing_on import passed_on
from judge.reports import Fate
from judge.service.post.telling import said_with_pictures_by
from judge.service.talk.handling import MailHandling

_HOUR = timedelta(hours=1)
_MOST_AN_HOUR = 30
"""Letters with pictures by one person: four announcements to a whole game."""

_Attached = tuple[tuple[Attachment, ...], Mapping[Fate, tuple[str, ...]]]


def attached_to_press(handling: MailHandling, events: Sequence[Event]) -> _Attached:
    """The pictures that go with the press of a mail, and what became of each file."""
    letter = handling.letter
    if not handling.speaks or not (letter.pictures or letter.unread_parts):
        return (), {}
    said = [event for event in events if isinstance(event, Relayed) and not isinstance(event.command, c.Object)]
    if not said and handling.to_confirm:  # it is not known yet whether it is sent
        return (), {}
    if not said:
        return (), _named([(Fate.NOT_SENT, _names(handling))])
    others = (Fate.UNREADABLE, letter.unread_parts)
    if len(said) > 1 or not letter.pictures:
        return (), _named([(Fate.SEVERAL_LETTERS, _pictures(handling)), others])
    if _has_sent_many(handling):
        return (), _named([(Fate.TOO_OFTEN, _pictures(handling)), others])
    found = passed_on(letter.pictures)
    drawn = [one.picture for one in found if isinstance(one.picture, Attachment)]
    fates = [
        (Fate.SENT if isinstance(one.picture, Attachment) else Fate(one.picture.value), (one.came_as.filename,))
        for one in found
    ]
    return tuple(dict.fromkeys(drawn)), _named([*fates, others])


def _has_sent_many(handling: MailHandling) -> bool:
    prefix = said_with_pictures_by(handling.person.id)
    return handling.work.outbox.count_keyed(prefix, handling.now - _HOUR) >= _MOST_AN_HOUR


def _pictures(handling: MailHandling) -> tuple[str, ...]:
    return tuple(one.filename for one in handling.letter.pictures)


def _names(handling: MailHandling) -> tuple[str, ...]:
    return (*_pictures(handling), *handling.letter.unread_parts)


def _named(fates: Sequence[tuple[Fate, tuple[str, ...]]]) -> Mapping[Fate, tuple[str, ...]]:
    """By fate, in its order."""
    found: dict[Fate, tuple[str, ...]] = {}
    for fate, names in fates:
        if names:
            found[fate] = (*found.get(fate, ()), *names)
    return {fate: found[fate] for fate in Fate if fate in found}
