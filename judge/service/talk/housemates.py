"""Which of several people at a mailbox a mail is from.

A reply to a letter or to a secret address tells. In a fresh mail, a first line `AS Ben:` names the person. It proves
nothing. A name that is new at the mailbox makes a new person, if the mail asks to join or to register.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import product

from judge import commands as c
from judge.games import Person
from judge.language import Context, read
from judge.language.asking.consent import Consent, answer_of
from judge.language.look_alikes import is_a_power, is_an_office
from judge.mail.letters import Letter
from judge.mailbox import address_at, mailbox_of, name_before
from judge.rules.map import USUAL_BOARD, load_map
from judge.service.post.letters import LetterWriter
from judge.service.talk.named import called, named_in
from judge.service.talk.senders import Author, author_at, letter_answered, questions_answered
from judge.storage import SentLetter, Waiting, Work

MOST = 7
"""The most people at one mailbox."""
_LONGEST_ENTERING = 2000
"""Characters in which a new person must ask to join."""
_ENTERING = (c.Accept, c.Create, c.Join, c.Observe, c.Register, c.SetName, c.StandBy, c.TakeOver)
"""Requests of a person who may be new."""


def one_of_several(
    work: Work, writer: LetterWriter, waiting: Waiting, letter: Letter, people: Sequence[Person]
) -> Author:
    """Identify the sender of a mail that names a person, or whose mailbox has several.

    If nothing tells the person, the first one is asked about it. Another one may answer in their own name.
    """

    def author_of(person: Person | None) -> Author:
        return author_at(work, writer, waiting, letter, person, is_alone=len(people) < 2)

    named = named_in(letter, people)
    person = called(named[0], people) if named is not None else None
    if named is not None and person is not None:
        author = author_of(person)
        return replace(author, named=named[0], is_in_doubt=len(people) > 1 and not author.is_proved)
    usual = author_of(people[0] if people else None)
    is_new = named is not None and not usual.answers_press and (usual.person is None or usual.person in people)
    if named is not None and is_new:
        sent = letter_answered(work, writer, letter)
        if may_enter(named[1], sent):
            return _newcomer(usual, waiting, letter, named[0], people, sent)
    if len(people) < 2:
        return usual
    person = _told_otherwise(work, writer, waiting, letter, people)
    return author_of(person) if person is not None else replace(usual, is_proved=False, is_in_doubt=True)


def _told_otherwise(
    work: Work, writer: LetterWriter, waiting: Waiting, letter: Letter, people: Sequence[Person]
) -> Person | None:
    """Return the sender of a mail that names no person; None if nothing tells.

    The sender is known by a secret address, by the letter that the mail answers, or by the yes to a question about it.
    """
    as_it_came = replace(waiting, confirmed=False)
    authors = [author_at(work, writer, as_it_came, letter, one, is_alone=False) for one in people]
    proved = [one.person for one in authors if one.is_proved or one.tapped is not None]
    if len(proved) == 1:
        return proved[0]
    if waiting.confirmed:
        received, by = work.inbox.get(waiting.id), work.inbox.confirmed_by(waiting.id)
        worked_for = received.person if received is not None else None
        return next((one for one in people if one.id == worked_for or (not worked_for and by in one.addresses)), None)
    asked = product(questions_answered(work, writer, letter), people)
    return next((one for token, one in asked if any(work.inbox.is_asked(token, at) for at in one.addresses)), None)


def _newcomer(
    usual: Author, waiting: Waiting, letter: Letter, name: str, people: Sequence[Person], sent: SentLetter | None
) -> Author:
    """Return a new person at a mailbox.

    A person who is registered there is asked first, because the mailbox may be theirs alone.
    """
    if not people:
        return replace(usual, named=name)
    # Until it is confirmed, the name is a stranger's word, and no letter bears it.
    address = address_at(letter.sender, name) if waiting.confirmed else letter.sender
    author = Author(address, None, waiting.confirmed, name=letter.sender_name, named=name)
    if sent is not None and sent.asks and sent.recipient == letter.sender:
        author = replace(author, game=sent.game, asked=sent)
    return replace(author, asked_at=people[0].address, is_in_doubt=not waiting.confirmed)


def may_enter(text: str, answered: SentLetter | None) -> bool:
    """Whether a mail of an unknown person asks for something that makes them known."""
    first, _, _ = text.lstrip().partition("\n")
    if answered is not None and answered.asks and answer_of(first) is Consent.YES:
        return True
    lines = read(text[:_LONGEST_ENTERING], Context(load_map(USUAL_BOARD)))
    return any(isinstance(_meant(one), _ENTERING) for line in lines for one in line.requests)


def _meant(request: c.Command) -> c.Command:
    return request.command if isinstance(request, c.Perhaps) else request


class Doubt(StrEnum):
    """What nothing proves about a mail from a mailbox."""

    WHOSE = "whose"
    """Which of several people it is from."""
    NEW = "new"
    """Whether a new person there is to be registered."""


def doubt_about(letter: Letter, asked: Person, people: Sequence[Person]) -> Doubt | None:
    """Return what else is asked about a mail than whether it is the person's."""
    named = named_in(letter, people)
    if named is None:
        return Doubt.WHOSE if asked == people[0] and len(people) > 1 else None
    return Doubt.NEW if called(named[0], people) is None else None


class WhyNot(StrEnum):
    """Why no new person may have a name at a mailbox."""

    RESERVED = "reserved"
    """It is the name of a power or of an office."""
    FULL = "full"
    """Too many people share the mailbox."""


def why_not_called(work: Work, mailbox: str, name: str) -> WhyNot | None:
    """Return why no new person may have a name at a mailbox."""
    if is_a_power(name) or is_an_office(name):
        return WhyNot.RESERVED
    return WhyNot.FULL if len(work.people.at(mailbox)) >= MOST else None


def mates(person: Person, people: Sequence[Person]) -> tuple[str, ...]:
    """Return the names of the others at the mailbox of a person."""
    return tuple(one.name or name_before(one.address) or mailbox_of(one.address) for one in people if one != person)
