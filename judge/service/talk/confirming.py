"""Questions to the registered address, and their answers: whether a mail is its own, whether it means what is final."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import structlog

from judge.commands import CheckSettings, Create, Give, Register, SetAddress
from judge.games import Game
from judge.language import ReadLine
from judge.language.asking.consent import Consent, settled, without_answers
from judge.language.writing import command_line, word_of
from judge.mail.letters import LetterKind
from judge.reports import Consequence, NoticeKind, notice
from judge.service.post.telling import QUESTION, may_be_written_to
from judge.service.talk.agenda import LineScope, agenda_of
from judge.service.talk.consequences import consequences
from judge.service.talk.handling import MailHandling
from judge.service.talk.mail import MailInWork
from judge.service.talk.reading import read_mail
from judge.service.talk.senders import guesses_answered, identify

log = structlog.get_logger(__name__)

_CONFIRM_WITHIN = timedelta(days=7)


def mail_answered_for(mail: MailInWork, questions: Sequence[str]) -> int | None:
    """The earlier mail that was held, and that this mail answers the question about."""
    for token in questions:
        held = mail.work.inbox.held_for(token, mail.letter.sender, mail.now)
        if held is not None:
            return held
    return None


def guess_answered_for(mail: MailInWork) -> int | None:
    """The earlier mail whose receipt asked whether something was meant, if this mail says yes or no to it."""
    held = mail_answered_for(mail, guesses_answered(mail.work, mail.writer, mail.letter))
    is_answered = held is not None and without_answers(mail.letter.own_text)[0] is not Consent.UNCLEAR
    return held if is_answered else None


def answers_a_settled_question(mail: MailInWork, questions: Sequence[str]) -> bool:
    """Whether the mail answers a settled question, and says no more; its sender is told so, once for each."""
    if without_answers(mail.letter.own_text)[0] is Consent.UNCLEAR:
        return False
    if mail.may_be_answered():
        mail.send(LetterKind.REPLY, notice(NoticeKind.SETTLED, mail.language), key=f"settled {questions[0]}")
    return True


def settle(mail: MailInWork, held: int, answered: Consent, lines: Sequence[ReadLine]) -> None:
    """Do what the answer to a request for confirmation says about the mail that was held."""
    match settled(answered, lines, _names(mail)):
        case Consent.YES:
            log.info("mail confirmed", mail=held, by=mail.waiting.id)
            mail.work.inbox.confirm(held)
        case Consent.NO:
            log.info("mail disowned", mail=held, by=mail.waiting.id)
            mail.work.inbox.disown(held)
        case Consent.UNCLEAR:
            # Once for each mail held: the answer may come from a robot.
            asked, finals = _asked_by(mail, held)
            values = {"asked": asked, "finals": finals, "subject": mail.letter.subject}
            rendered = notice(NoticeKind.UNCLEAR, mail.language, **values)
            mail.send(LetterKind.CONFIRM, rendered, key=f"unclear answer about mail {held}", confirm=held)


def _names(mail: MailInWork) -> list[str]:
    """What the sender may sign with."""
    person = mail.sender.person
    names = [mail.letter.sender_name, person.name if person else "", mail.letter.sender.split("@")[0]]
    return [name for name in names if name]


def _asked_by(mail: MailInWork, held: int) -> tuple[list[str], list[Consequence]]:
    """The lines of the earlier mail that are done with a yes, and what follows of them."""
    received = mail.work.inbox.get(held)
    assert received is not None
    waiting = replace(mail.waiting, id=held, raw=received.raw, confirmed=False, is_worked=received.kind is not None)
    letter = mail.read_letter(received.raw)
    sender = identify(mail.work, mail.writer, waiting, letter)
    game, lines = read_mail(mail.work, sender, letter.own_text)
    if waiting.is_worked:
        lines = tuple(line for line in lines if any(request.card.is_final for request in line.requests))
    return _asked_in(lines), _finals(replace(mail, sender=sender), game, lines)


def _finals(mail: MailInWork, game: Game | None, lines: Sequence[ReadLine]) -> list[Consequence]:
    """What follows of those lines that cannot be undone; of a stranger none does."""
    person = mail.sender.person
    agenda = agenda_of(lines, LineScope(game.name if game else None))
    return consequences(mail.work, mail.work.games.get, person, agenda) if person is not None else []


def ask_to_confirm(mail: MailInWork, game: Game | None, lines: Sequence[ReadLine]) -> None:
    """Ask the address whether the mail is its own; nothing of it is done before."""
    number = mail.waiting.id
    mail.work.inbox.hold(number)
    if not mail.may_be_answered():
        return
    address, is_known = mail.sender.address, mail.sender.person is not None
    if not is_known and not may_be_written_to(mail.work, address, mail.now, QUESTION, is_known=False, by=None):
        log.info("nobody is asked, there were too many", mail=number)
        return
    mail.work.inbox.ask(mail.confirm_token(number), number, address, mail.now + _CONFIRM_WITHIN)
    # Who is not known may never have heard of us: nothing that somebody wrote in his name reaches him.
    asked = _asked_in(lines) if is_known else _words_in(lines)
    subject = mail.letter.subject if is_known else ""
    finals = _finals(mail, game, lines)
    rendered = notice(NoticeKind.CONFIRM, mail.language, asked=asked, finals=finals, subject=subject)
    key = "" if is_known else f"{QUESTION}confirm mail {number}"
    mail.send(LetterKind.CONFIRM, rendered, key=key, confirm=number)


def _words_in(lines: Sequence[ReadLine]) -> list[str]:
    """What is asked for, each by the words of its command alone."""
    requests = [request for line in lines for request in line.requests if request.card.needs_proof]
    return list(dict.fromkeys(command_line(one) if isinstance(one, Give) else word_of(one) for one in requests))


def ask_for_the_final(mail: MailInWork, handling: MailHandling) -> None:
    """Ask for a yes to what cannot be undone; the rest of the mail is done."""
    number, person = mail.waiting.id, handling.person
    first = handling.to_confirm[0].request
    new = first.address if isinstance(first, SetAddress) else None
    mail.work.inbox.hold(number, kind=mail.letter.kind.value, person=person.id)
    if new is not None:
        is_known = mail.work.people.by_address(new) is not None
        if not may_be_written_to(mail.work, new, mail.now, QUESTION, is_known=is_known, by=person.id):
            log.info("nobody is asked, there were too many", mail=number)
            return
    mail.work.inbox.ask(mail.confirm_token(number), number, new or person.address, mail.now + _CONFIRM_WITHIN)
    items = [item for item in handling.to_confirm if not item.is_guess]
    if not items:
        return  # guesses stand in the receipt, which is answered
    # Of what was written nothing reaches an address that may be a stranger's.
    asked = [item.line if new is None else command_line(item.request) for item in items]
    finals = consequences(handling.work, handling.named, person, items) if new is None else []
    values = {"asked": asked, "finals": finals, "new_address": new is not None}
    rendered = notice(NoticeKind.CONFIRM_FINAL, person.language, **values)
    key = f"{QUESTION}by {person.id} " if new is not None else ""
    key += f"confirm the rest of mail {number}"
    mail.send(LetterKind.CONFIRM, rendered, key=key, confirm=number, new_address=new)


def _asked_in(lines: Sequence[ReadLine]) -> list[str]:
    return [asked for line in lines if line.requests for asked in (line.text, *_settings_below(line))]


def _settings_below(line: ReadLine) -> list[str]:
    """The settings that belong to a line, as they were read."""
    return [
        f"    {name.replace('_', ' ')}: {value.text}"
        for request in line.requests
        if isinstance(request, Create | CheckSettings | Register)
        for name, value in request.settings.items()
    ]
