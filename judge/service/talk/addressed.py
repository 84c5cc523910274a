"""Mail to the private addresses of powers: all of it is press.

It comes from the seat of the player who was given these addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from judge.commands import Broadcast, Press
from judge.games import Game, Person, PersonId
from judge.games.refusals import Misaddress
from judge.games.rooms import Room
from judge.language.asking.below import LONGEST_TOPIC
from judge.mail.letters import Letter
from judge.mail.patterns import pattern
from judge.mail.proof import power_written_to
from judge.rules.position import Power
from judge.service.post.letters import LetterWriter
from judge.storage import Work

_MOST_ADDRESSES = 50
"""The most addresses of one mail that are read; the others are ignored."""
_TO_NOBODY = Press(())


@dataclass(frozen=True, slots=True)
class Addressed:
    """The press that a mail is, by the private addresses it was sent to."""

    game: Game | None = None
    owner: Person | None = None
    """The player to whom the addresses belong."""
    press: Press | Broadcast = _TO_NOBODY
    """The press, with the subject as its topic, but without its text."""
    why_not: Misaddress | None = None
    """Why it cannot be sent; None if it can."""


def addressed(work: Work, writer: LetterWriter, letter: Letter, person: Person | None) -> Addressed | None:
    """Return the press that a mail is, by the private addresses in To and Cc.

    Return None if it was sent to none. An address in Bcc counts if it is the only one. Only the sender's own
    addresses count: those of `person`. A stranger may be a player who writes from elsewhere, and is asked at the
    registered address.
    """
    shown, hidden = _written_to(writer, letter.addressed), _written_to(writer, letter.recipients)
    hidden = [one for one in hidden if one not in shown]
    meant = shown or hidden
    if not meant:
        return None
    game = work.games.get(meant[0][0])
    if any(name != meant[0][0] for name, _ in meant):
        return Addressed(game, why_not=Misaddress.MIXED)
    if hidden and len(shown + hidden) > 1:
        return Addressed(game, why_not=Misaddress.BLIND)
    if game is None:
        return Addressed(why_not=Misaddress.OLD)
    for id_ in (person.id,) if person is not None else game.members:
        press = _press(writer, game, id_, [token for _, token in meant])
        if press is not None:
            owner = person if person is not None else work.people.many([id_])[id_]
            return Addressed(game, owner, replace(press, about=_own_subject(letter)[:LONGEST_TOPIC]))
    return Addressed(game, why_not=Misaddress.OLD)


def within(room: Room | None, to: Addressed) -> Addressed:
    """Return press that also answers press of a room: all of them become one room."""
    if to.why_not is not None or isinstance(to.press, Broadcast):
        return to
    if room is None or not room.powers:
        return replace(to, why_not=Misaddress.MIXED)
    mine = {seat.power for seat in to.game.seats_of(to.owner.id)} if to.game is not None and to.owner else set()
    others = [power for power in room.powers if power not in mine]
    everybody = tuple(dict.fromkeys((*others, *to.press.to)))
    return replace(to, press=replace(to.press, to=everybody, about=room.topic or to.press.about))


def with_words(letter: Letter) -> Letter:
    """Return the letter; if it has only a subject, the subject becomes its text.

    Phones send such letters.
    """
    is_silent = not letter.own_text.strip() and not letter.pictures
    return replace(letter, own_text=_own_subject(letter)) if is_silent else letter


def _written_to(writer: LetterWriter, recipients: Iterable[str]) -> list[tuple[str, str]]:
    """Return game and token of each private address among the recipients."""
    found = (power_written_to(writer.address, one) for one in recipients)
    return list(dict.fromkeys(one for one in found if one is not None))[:_MOST_ADDRESSES]


def _press(writer: LetterWriter, game: Game, person: PersonId, tokens: Iterable[str]) -> Press | Broadcast | None:
    """Return one letter to all powers whose addresses have these tokens.

    Return None if a token is not one of that person's.
    """
    to: list[Power] = []
    is_for_all = False
    for token in tokens:
        match writer.press_meant(token, game, person):
            case Press(to=powers):
                to += powers
            case Broadcast():
                is_for_all = True
            case None:
                return None
    return Broadcast() if is_for_all else Press(tuple(dict.fromkeys(to)))


def _own_subject(letter: Letter) -> str:
    """Return the subject of a new letter, else "".

    The subject of a reply or of forwarded mail is about another letter.
    """
    answers = letter.in_reply_to is not None or letter.references or _before_a_subject().match(letter.subject)
    return "" if answers else " ".join(letter.subject.split())


def _before_a_subject() -> re.Pattern[str]:
    return pattern("subject_before", behind=r"\s*(?:\[\d+\])?\s*[:：]")
