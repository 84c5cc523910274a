"""Limits of invitations and requests to sit, per mail and per day."""

from __future__ import annotations

from datetime import timedelta

from judge.games import refusals
from judge.games.events import CoachAsked, Event, Invited, SitterAsked
from judge.games.game import Invitation
from judge.games.handled import Handled
from judge.service.post.telling import INVITATION, MOST_BY_ONE, SITTING
from judge.service.talk.handling import MailHandling

_DAY = timedelta(days=1)
_MOST_SITTERS = 5
"""The most people whom a player may ask to sit in a day."""


def why_not_invited(handling: MailHandling, handled: Handled) -> refusals.Refusal | None:
    """Return why these people may not be invited; None if they may be.

    Reasons: an address of the judge, too many invitations in this mail, or by this person in a day.
    People who are registered count too. Otherwise the answer would tell who is registered.
    """
    own = next((one for one in map(_address_asked, handled.events) if is_ours(handling, one)), None)
    if own is not None:
        return refusals.AddressOfTheJudge(own)
    if any(isinstance(event, SitterAsked) for event in handled.events):
        asked = handling.work.outbox.count_keyed(f"{SITTING}{handling.person.id} ", handling.now - _DAY)
        asked += sum(isinstance(event, SitterAsked) for event in handling.events)
        if asked >= _MOST_SITTERS:
            zone = handling.person.zone or handled.game.settings.zone
            return refusals.TooManyInvitedToday(_MOST_SITTERS, handling.now + _DAY, zone)
        return None
    new, before = (sum(map(_is_invitation, events)) for events in (handled.events, handling.events))
    if not new:
        return None
    person, seats = handling.person, len(handled.game.set_up.assignments)
    if before + new > seats:
        return refusals.TooManyInvitedAtOnce(seats)
    today = handling.work.outbox.count_keyed(f"{INVITATION}by {person.id} ", handling.now - _DAY)
    if today + before + new > MOST_BY_ONE:
        zone = person.zone or handled.game.settings.zone
        return refusals.TooManyInvitedToday(MOST_BY_ONE, handling.now + _DAY, zone)
    return None


def is_ours(handling: MailHandling, address: str) -> bool:
    """Whether mail to an address comes to the judge."""
    local, _, domain = address.lower().partition("@")
    judge = handling.config.judge
    return f"{local.partition('+')[0]}@{domain}" in map(str.lower, (judge.address, *judge.aliases))


def _address_asked(event: Event) -> str:
    match event:
        case SitterAsked():
            return event.sitting.address
        case CoachAsked() | Invited():
            return event.invitation.address
        case _:
            return ""


def _is_invitation(event: Event) -> bool:
    return isinstance(event, CoachAsked) or (isinstance(event, Invited) and isinstance(event.invitation, Invitation))
