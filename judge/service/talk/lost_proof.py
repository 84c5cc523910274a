"""Mails to a secret address that lack the proof their sender's mails usually carry.

The address may have leaked, or the sender writes from a new phone. Orders are filed, because a deadline may be near.
Everything else waits until the registered address says yes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import structlog

from judge import commands as c
from judge.commands import Command
from judge.games import Person
from judge.games.usual_proof import is_usual, with_proof, without_proof
from judge.language import ReadLine
from judge.mail.authentication import bears_results
from judge.mail.identity import headers_of
from judge.service.talk.mail import MailInWork
from judge.storage import Work

log = structlog.get_logger(__name__)

_FILED = (c.Give, c.Doubted, c.AnswerQuestion, c.Clear, c.Undo, c.Decline)
"""Requests that are carried out without the usual proof."""
_LOOKED_AT = 20
"""How many of the newest mails are looked at.

If our server stamped none of them, it stamps nothing.
"""


def does_server_stamp(work: Work, authserv_id: str) -> bool:
    """Whether our mail server stamped its results on any of the newest mails."""
    return any(bears_results(headers_of(raw.content), authserv_id) for raw in work.inbox.newest(_LOOKED_AT))


def with_usual_proof(mail: MailInWork, *, answers: bool) -> MailInWork:
    """Return the mail, marked if it lacks the usual proof; note the proof it carries.

    `answers`: whether it answers one of our questions.
    Nothing is lacking while our server stamps no results at all.
    """
    person, address, today = mail.sender.person, mail.letter.sender, mail.waiting.raw.received_at.date()
    if person is None or not mail.sender.is_proved or address not in person.mailboxes:
        return mail
    if mail.letter.authenticated:
        return _noted(mail, with_proof(person, address, today))
    usual, authserv_id = is_usual(person, address, today), mail.config.judge.authserv_id
    if not mail.letter.is_stamped and not (usual and authserv_id and does_server_stamp(mail.work, authserv_id)):
        return mail
    if usual and not (mail.waiting.confirmed or answers):
        log.warning("a mail lacks the usual proof", mail=mail.waiting.id, person=person.id)
        return replace(mail, lacks_proof=True)
    return _noted(mail, without_proof(person, address, today))


def filed_and_waiting(lines: Sequence[ReadLine]) -> tuple[tuple[ReadLine, ...], tuple[ReadLine, ...]]:
    """Split lines into those done at once and those that wait for a yes.

    Orders, questions and talk are done at once. Headings stand in both parts.
    """
    at_once = [_with(line, [one for one in line.requests if not _waits(one)]) for line in lines]
    filed = [one for one, line in zip(at_once, lines, strict=True) if one.requests or not line.requests]
    waiting = [_with(line, [one for one in line.requests if _waits(one) or one.card.steers]) for line in lines]
    return tuple(filed), tuple(replace(line, faults=()) for line in waiting if line.requests)


def _with(line: ReadLine, requests: Sequence[Command]) -> ReadLine:
    return replace(line, requests=tuple(requests))


def acts(lines: Sequence[ReadLine]) -> bool:
    """Whether the lines ask for anything, beyond headings."""
    return any(not request.card.steers for line in lines for request in line.requests)


def _waits(request: Command) -> bool:
    is_harmless = request.card.is_question or request.card.steers or not request.card.needs_proof
    return isinstance(request, c.Perhaps) or not (is_harmless or isinstance(request, _FILED))


def _noted(mail: MailInWork, person: Person) -> MailInWork:
    if person == mail.sender.person:
        return mail
    mail.work.people.save(person)
    return replace(mail, sender=replace(mail.sender, person=person))
