"""Questions to the registered address, and their answers: whether a mail is its own, whether it means what is final."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import structlog

from judge.commands import SetAddress, SetSecondAddress
from judge.games import Game
from judge.language import ReadLine
from judge.language.asking.consent import Consent, settled, without_answers
from judge.language.writing import command_line
from judge.mail.letters import LetterKind
from judge.reports import Consequence, NoticeKind, Rendered, notice
from judge.service.post.telling import QUESTION, STRANGERS_REST, may_be_written_to
from judge.service.talk.consequences import asked_in, consequences, finals, requests_of, terms_of
from judge.service.talk.gathering import (
    CONFIRM_WITHIN,
    FEWER_FOR,
    Asker,
    Gathered,
    ask_later,
    gathered_in,
    has_to_wait,
    settle_gathered,
    what_is_asked,
)
from judge.service.talk.handling import MailHandling
from judge.service.talk.mail import MailInWork
from judge.service.talk.senders import addresses_of, guesses_answered
from judge.service.talk.strangers import shown_to_a_stranger

log = structlog.get_logger(__name__)


def mail_answered_for(mail: MailInWork, questions: Sequence[str]) -> int | None:
    """The earlier mail that was held, and that this mail answers the question about."""
    addresses = addresses_of(mail.work, mail.letter.sender) if questions else ()
    found = (mail.work.inbox.held_for(*which, mail.now) for which in product(questions, addresses))
    return next((held for held in found if held is not None), None)


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


@dataclass(frozen=True, slots=True)
class Answers:
    """What a mail says to a question of ours."""

    rest: str
    """What else stands in it."""
    said: Consent = Consent.UNCLEAR
    held: int = 0
    """The mail that was asked about."""
    gathered: Gathered | None = None
    """Those that were asked about together."""


def answers_in(mail: MailInWork, questions: Sequence[str]) -> Answers | None:
    """What a mail says to questions that still wait for an answer; None if it answers none."""
    held = mail_answered_for(mail, questions)
    found = gathered_in(asker_of(mail), mail.letter, questions) if questions and held is None else None
    if found is not None:
        gathered, rest = found
        return Answers(rest, gathered=gathered)
    held = held or guess_answered_for(mail)
    if held is None:
        return None
    said, rest = without_answers(mail.letter.own_text)
    return Answers(rest, said, held)


def settle(mail: MailInWork, answers: Answers, lines: Sequence[ReadLine]) -> None:
    """Do what a mail says to questions of ours, knowing how the rest of it reads."""
    person = mail.sender.person
    if answers.gathered is None:
        _settle_one(mail, answers.held, answers.said, lines)
    elif person is not None:
        settle_gathered(asker_of(mail), person, answers.gathered, lines, _names(mail))


def _settle_one(mail: MailInWork, held: int, answered: Consent, lines: Sequence[ReadLine]) -> None:
    match settled(answered, lines, _names(mail)):
        case Consent.YES:
            log.info("mail confirmed", mail=held, by=mail.waiting.id)
            is_known = mail.sender.person is not None
            mail.work.inbox.confirm(held, mail.sender.address, None if is_known else mail.now + STRANGERS_REST)
        case Consent.NO:
            log.info("mail disowned", mail=held, by=mail.waiting.id)
            received = mail.work.inbox.get(held)
            is_whole = received is not None and received.kind is None  # else it was his, but for what is final
            known = mail.sender.person
            if known is not None and not is_whole and not any(line.requests for line in lines):
                _say_nothing_was_done(mail, held)
            address = known.address if known is not None else mail.sender.address
            mail.work.inbox.disown(held, address, mail.now + FEWER_FOR if is_whole else None)
        case Consent.UNCLEAR:
            # Once for each mail held: the answer may come from a robot.
            asked, follows = _asked_by(mail, held)
            values = {"asked": asked, "finals": follows, "subject": mail.letter.subject}
            rendered = notice(NoticeKind.UNCLEAR, mail.language, **values)
            mail.send(LetterKind.CONFIRM, rendered, key=f"unclear answer about mail {held}", confirm=held)


def _say_nothing_was_done(mail: MailInWork, held: int) -> None:
    """To somebody who has thought better of it, and says no more; once for each mail held."""
    if mail.may_be_answered():
        asked, _ = _asked_by(mail, held)
        rendered = notice(NoticeKind.DECLINED, mail.language, asked=asked)
        mail.send(LetterKind.REPLY, rendered, key=f"no to mail {held}")


def _names(mail: MailInWork) -> list[str]:
    """What the sender may sign with."""
    person = mail.sender.person
    names = [mail.letter.sender_name, person.name if person else "", mail.letter.sender.split("@")[0]]
    return [name for name in names if name]


def _asked_by(mail: MailInWork, held: int) -> tuple[list[str], list[Consequence]]:
    """The lines of the earlier mail that are done with a yes, and what follows of them."""
    received = mail.work.inbox.get(held)
    assert received is not None
    is_worked = received.kind is not None
    return what_is_asked(
        asker_of(mail), replace(mail.waiting, id=held, raw=received.raw, confirmed=False, is_worked=is_worked)
    )


def asker_of(mail: MailInWork) -> Asker:
    """Asks about mails that are held, in the unit of work of one that is worked."""
    return Asker(mail.work, mail.writer, mail.read_letter, mail.now)


def ask_to_confirm(mail: MailInWork, game: Game | None, lines: Sequence[ReadLine]) -> None:
    """Ask the address whether the mail is its own; nothing of it is done before."""
    number = mail.waiting.id
    mail.work.inbox.hold(number)
    person = mail.sender.person
    address = person.address if person is not None else mail.sender.address  # questions are counted at the first
    is_known, may_be_answered = person is not None, mail.may_be_answered()
    if person is not None and (not may_be_answered or has_to_wait(asker_of(mail), address)):
        ask_later(asker_of(mail), number, person)
        return
    if not may_be_answered:
        return
    has_answered = is_known or mail.work.inbox.has_said_yes(address, mail.now)
    if not is_known and not may_be_written_to(mail.work, address, mail.now, QUESTION, is_known=has_answered, by=None):
        log.info("nobody is asked, there were too many", mail=number)
        return
    mail.work.inbox.ask(mail.confirm_token(number), number, address, mail.now + CONFIRM_WITHIN)
    values = {
        "asked": asked_in(lines, mail.language) if is_known else _words_in(mail, lines),
        "game": game.name if is_known and game is not None else "",
        "finals": finals(mail.work, person, game, lines),
        "subject": mail.letter.subject if is_known else "",
        "terms": terms_of(mail.work, mail.sender, mail.language, requests_of(lines)),
        "only": not has_answered,
    }
    rendered = notice(NoticeKind.CONFIRM, mail.language, **values)
    key = "" if is_known else f"{QUESTION}confirm mail {number}"
    mail.send(LetterKind.CONFIRM, rendered, key=key, confirm=number)


def welcome(mail: MailInWork, *, asks: bool) -> Rendered:
    """What a stranger is told who asked for nothing, or for nothing there is, with his next step."""
    address = mail.sender.address
    is_asked = bool(mail.work.inbox.questions(address, mail.now, ""))
    games = mail.work.games.many(mail.work.games.inviting(address))
    kept = [game.name for game in games if not game.has_begun for one in game.invitations if one.address == address]
    return notice(NoticeKind.WELCOME, mail.language, asks=asks, is_asked=is_asked, game=kept[0] if kept else "")


def _words_in(mail: MailInWork, lines: Sequence[ReadLine]) -> list[str]:
    """What a stranger asks for, in our words."""
    requests = [request for request in requests_of(lines) if request.card.needs_proof]
    return list(dict.fromkeys(shown_to_a_stranger(mail.work, mail.sender, one, mail.language) for one in requests))


def ask_for_the_final(mail: MailInWork, handling: MailHandling) -> None:
    """Ask for a yes to what cannot be undone; the rest of the mail is done."""
    number, person = mail.waiting.id, handling.person
    first = handling.to_confirm[0].request
    new = first.address if isinstance(first, SetAddress | SetSecondAddress) else None
    mail.work.inbox.hold(number, kind=mail.letter.kind.value, person=person.id)
    if new is not None:
        is_known = mail.work.people.by_address(new) is not None
        if not may_be_written_to(mail.work, new, mail.now, QUESTION, is_known=is_known, by=person.id):
            log.info("nobody is asked, there were too many", mail=number)
            return
    mail.work.inbox.ask(mail.confirm_token(number), number, new or person.address, mail.now + CONFIRM_WITHIN)
    items = [item for item in handling.to_confirm if not item.is_guess]
    if not items:
        return  # guesses stand in the receipt, which is answered
    # Of what was written nothing reaches an address that may be a stranger's.
    asked = [item.line if new is None else command_line(item.request) for item in items]
    follows = consequences(handling.work, handling.named, person, items) if new is None else []
    requests = [item.request for item in items]
    values = {
        "asked": asked,
        "finals": follows,
        "new_address": new is not None,
        "binds": all(request.card.binds for request in requests),
        "terms": terms_of(mail.work, mail.sender, person.language, requests),
    }
    rendered = notice(NoticeKind.CONFIRM_FINAL, person.language, **values)
    key = f"{QUESTION}by {person.id} " if new is not None else ""
    key += f"confirm the rest of mail {number}"
    mail.send(LetterKind.CONFIRM, rendered, key=key, confirm=number, new_address=new)
