"""Questions to the registered address, and their answers.

They ask whether a mail is its own, and whether irreversible requests are meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import product

import structlog

from judge.commands import ListKind, PressOrOrders, Reading, SetAddress, SetSecondAddress
from judge.commands.question import offer_in
from judge.games import Game
from judge.games.answers import AskedToConfirm, Noted
from judge.games.listing import SHELVES
from judge.language import ReadLine
from judge.language.asking.consent import Consent, answer_of, reading_chosen, settled, without_answers
from judge.language.writing import command_line
from judge.mail.letters import LetterKind
from judge.mail.proof import token_for
from judge.reports.readers import AnsweredLine, Consequence, NoticeKind
from judge.reports.render import notice
from judge.service.post.telling import QUESTION, STRANGERS_REST, may_be_written_to
from judge.service.talk.consequences import as_joining, consequences, summarized, terms_of
from judge.service.talk.gathering import (
    CONFIRM_WITHIN,
    REMEMBERED,
    Asker,
    Gathered,
    ask_about_claims,
    ask_again,
    gathered_in,
    settle_gathered,
    summary_of,
    what_is_asked,
)
from judge.service.talk.handling import MailHandling
from judge.service.talk.mail import WHICH, MailInWork, language_in, names_of
from judge.service.talk.senders import addresses_of, which_answered
from judge.storage import Claim

log = structlog.get_logger(__name__)

_WELCOME_AGAIN = timedelta(days=30)
"""How long a stranger gets the shorter page after a welcome."""
_MOST_NAMED = 5
"""The most games named on the shorter page."""


def mail_answered_for(mail: MailInWork, questions: Sequence[str]) -> int | None:
    """Return the held mail whose question this mail answers, or None."""
    addresses = addresses_of(mail.work, mail.letter.sender) if questions else ()
    found = (mail.work.inbox.held_for(*which, mail.now) for which in product(questions, addresses))
    return next((held for held in found if held is not None), None)


def answers_a_settled_question(mail: MailInWork, questions: Sequence[str]) -> bool:
    """Whether the mail only answers a question that is already settled.

    The sender is told of it once per question.
    """
    if without_answers(mail.letter.own_text)[0] is Consent.UNCLEAR:
        return False
    if mail.may_be_answered():
        mail.send(LetterKind.REPLY, notice(NoticeKind.SETTLED, mail.language), key=f"settled {questions[0]}")
    return True


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of a mail to our questions."""

    rest: str
    """The rest of the mail's text."""
    said: Consent = Consent.UNCLEAR
    held: int = 0
    """The number of the mail that was asked about; 0 for none."""
    gathered: Gathered | None = None
    """The mails that were asked about together."""
    which: Reading | Consent | None = None
    """Whether a letter in the mail is meant as press or as orders."""


def answers_in(mail: MailInWork, questions: Sequence[str]) -> Answers | None:
    """Return the mail's answers to open questions; None if it answers none."""
    held = mail_answered_for(mail, questions)
    if held is not None and any(token_for(secret, WHICH, held) in questions for secret in mail.writer.secrets):
        return _which_in(mail, held)
    found = gathered_in(asker_of(mail), mail.letter, questions) if questions and held is None else None
    if found is not None:
        gathered, rest = found
        return Answers(rest, gathered=gathered)
    if held is None:
        which = mail_answered_for(mail, which_answered(mail.work, mail.writer, mail.letter, WHICH))
        return _which_in(mail, which) if which is not None else None
    said, rest = without_answers(mail.letter.own_text)
    return Answers(rest, said, held)


def _which_in(mail: MailInWork, held: int) -> Answers | None:
    """Read whether a letter is meant as press or orders.

    A bare yes does not choose. The question is then asked again, whatever other question is open.
    """
    which, rest = reading_chosen(mail.letter.own_text)
    if which is not Consent.UNCLEAR:
        return Answers(rest, held=held, which=which)
    said, rest = without_answers(mail.letter.own_text)
    return Answers(rest, said, held, which=which) if said is Consent.YES else None


def settle(mail: MailInWork, answers: Answers, lines: Sequence[ReadLine]) -> None:
    """Carry out the answers of a mail; `lines` are its other lines, already read."""
    if answers.which is not None:
        _settle_which(mail, answers.held, answers.which, lines)
    elif answers.gathered is None:
        _settle_one(mail, answers.held, answers.said, lines)
    else:
        person = mail.sender.person if mail.sender.named else None
        by = person.address if person is not None else ""
        settle_gathered(asker_of(mail), answers.gathered, lines, _names(mail), by)


def _settle_which(mail: MailInWork, held: int, which: Reading | Consent, lines: Sequence[ReadLine]) -> None:
    if isinstance(which, Reading):
        log.info("letter meant", mail=held, by=mail.waiting.id, which=which.value)
        mail.work.inbox.choose(held, which, mail.sender.address, mail.now + CONFIRM_WITHIN)
    elif which is Consent.NO:
        if not any(line.requests for line in lines):
            _say_nothing_was_done(mail, held)
        mail.work.inbox.disown(held)
    elif mail.may_be_answered():
        rendered = notice(NoticeKind.WHICH, mail.language)
        mail.send(LetterKind.CONFIRM, rendered, key=f"which of two is mail {held}", which=held)


def _settle_one(mail: MailInWork, held: int, answered: Consent, lines: Sequence[ReadLine]) -> None:
    person, inbox = mail.sender.person, mail.work.inbox
    address = person.address if person is not None else mail.sender.address
    claims = {claim.id: claim for claim in inbox.claims(address, mail.now)}
    match settled(answered, lines, _names(mail)):
        case Consent.YES if person is not None and held in claims and len(claims) > 1:
            # Several mails in this name wait. It is unclear which of them the sender had read before this yes.
            ask_again(asker_of(mail), address, person, f"mail {held}")
        case Consent.YES:
            log.info("mail confirmed", mail=held, by=mail.waiting.id)
            remembered = REMEMBERED if person is not None else STRANGERS_REST
            inbox.confirm(held, address, mail.now + remembered)
            for same in _the_same(claims, held) if person is None else ():
                inbox.disown(same)
        case Consent.NO:
            log.info("mail disowned", mail=held, by=mail.waiting.id)
            if person is not None and held not in claims and not any(line.requests for line in lines):
                _say_nothing_was_done(mail, held)
            inbox.disown(held)
        case Consent.UNCLEAR if held in claims or not any(line.requests for line in lines):
            # Once for each held mail: a robot may have answered.
            claim = claims.get(held)
            asked, follows = _asked_by(mail, held) if claim is None else ([], [])
            summary = summary_of(asker_of(mail), claim) if claim is not None else ""
            values = {"asked": asked, "finals": follows, "summary": summary, "subject": mail.letter.subject}
            rendered = notice(NoticeKind.UNCLEAR, mail.language, **values)
            mail.send(LetterKind.CONFIRM, rendered, key=f"unclear answer about mail {held}", confirm=held)


def _is_an_answer(line: str) -> bool:
    """Whether a line makes sense only as an answer to an earlier letter: `YES`, `2`."""
    return answer_of(line) is not None or not any(map(str.isalpha, line))


def _the_same(claims: Mapping[int, Claim], held: int) -> list[int]:
    """Return held mails with the same requests.

    A newcomer without an answer often writes again.
    """
    found = claims.get(held)
    return [one.id for one in claims.values() if found is not None and one.id != held and one.summary == found.summary]


def _say_nothing_was_done(mail: MailInWork, held: int) -> None:
    """Tell a sender who only answers no that nothing was done.

    This is told once for each held mail.
    """
    if mail.may_be_answered():
        asked, _ = _asked_by(mail, held)
        rendered = notice(NoticeKind.DECLINED, mail.language, asked=asked)
        mail.send(LetterKind.REPLY, rendered, key=f"no to mail {held}")


def _names(mail: MailInWork) -> list[str]:
    """Return the names that the sender may sign with."""
    return names_of(mail.sender.person, mail.letter)


def _asked_by(mail: MailInWork, held: int) -> tuple[list[str], list[Consequence]]:
    """Return the lines of the held mail that a yes would carry out.

    Their consequences come second.
    """
    received = mail.work.inbox.get(held)
    assert received is not None
    is_worked = received.kind is not None
    return what_is_asked(
        asker_of(mail), replace(mail.waiting, id=held, raw=received.raw, confirmed=False, is_worked=is_worked)
    )


def asker_of(mail: MailInWork) -> Asker:
    """Return an asker about held mails that uses this mail's unit of work."""
    language_of = partial(language_in, config=mail.config)
    return Asker(mail.work, mail.writer, mail.read_letter, language_of, mail.now, mail.budget)


def ask_to_confirm(mail: MailInWork, game: Game | None, lines: Sequence[ReadLine], *, has_filed: bool = False) -> None:
    """Hold the mail, and ask its address whether the mail is its own.

    If it may not be asked now, it is asked later.
    """
    number, person = mail.waiting.id, mail.sender.person
    address = mail.sender.asked_at or (person.address if person is not None else mail.sender.address)
    summary = summarized(mail.work, mail.sender, game, lines, mail.language, mail.now)
    mail.work.inbox.hold(number, has_filed=has_filed)
    mail.work.inbox.claim(number, address, summary, mail.now, mail.now + CONFIRM_WITHIN)
    ask_about_claims(asker_of(mail), address)


def welcome(mail: MailInWork, *, asks: bool) -> None:
    """Welcome a stranger whose mail asked for nothing that exists.

    A stranger who was welcomed lately gets a shorter page.
    """
    address, work = mail.sender.address, mail.work
    is_asked = bool(work.inbox.questions(address, mail.now, ""))
    games = work.games.many(work.games.inviting(address))
    kept = [game.name for game in games if not game.has_begun for one in game.invitations if one.address == address]
    game = kept[0] if kept else None
    values: dict[str, object] = {"is_asked": is_asked, "game": game or ""}
    key = f"welcome to {address}"
    if work.outbox.count_keyed(key, mail.now - _WELCOME_AGAIN, address):
        names, _ = work.games.on_shelves(SHELVES[ListKind.NEW], None, 0, _MOST_NAMED)
        values |= {"games": names, "operator": mail.config.judge.operator}
        rendered = notice(NoticeKind.WELCOME_AGAIN, mail.language, **values)
    else:
        rendered = notice(NoticeKind.WELCOME, mail.language, asks=asks, **values)
    offered = (offer_in(game),) if game else ()
    mail.send(LetterKind.REPLY, rendered, key=f"{key}, mail {mail.waiting.id}", asks=offered, game=game)


def is_answered_by_the_question(handling: MailHandling, lines: Sequence[AnsweredLine]) -> bool:
    """Whether a mail only asks for what must be confirmed.

    The question then tells its sender all that a receipt would.
    """
    letter, elsewhere = handling.letter, (PressOrOrders, SetAddress, SetSecondAddress)
    if not handling.to_confirm or any(isinstance(item.request, elsewhere) for item in handling.to_confirm):
        return False
    is_unread = letter.set_aside or letter.unread_parts or letter.left_out or handling.first_unread or handling.unused
    shows = handling.sections or handling.illustrations or handling.attachments or handling.attached
    if is_unread or shows or handling.withdrawn is not None or handling.lacks_proof or handling.waiting.confirmed:
        return False
    answers = [answer for line in lines for answer in line.answers]
    return all(isinstance(one, AskedToConfirm | Noted) for one in answers) and not any(line.faults for line in lines)


def ask_for_the_final(mail: MailInWork, handling: MailHandling) -> None:
    """Ask for confirmation of requests that cannot be undone.

    The rest of the mail is already done.
    """
    number, person = mail.waiting.id, handling.person
    if any(isinstance(item.request, PressOrOrders) for item in handling.to_confirm):
        mail.work.inbox.hold(number, kind=mail.letter.kind.value, person=person.id)
        mail.work.inbox.ask(mail.which_token(number), number, person.address, mail.now + CONFIRM_WITHIN)
        return  # the question is in the receipt; its answer comes as a reply to that
    first = handling.to_confirm[0].request
    new = first.address if isinstance(first, SetAddress | SetSecondAddress) else None
    mail.work.inbox.hold(number, kind=mail.letter.kind.value, person=person.id)
    if new is not None:
        is_known = bool(mail.work.people.at(new))
        if not may_be_written_to(mail.work, new, mail.now, QUESTION, is_known=is_known, by=person.id):
            log.info("nobody is asked, there were too many", mail=number)
            return
    mail.work.inbox.ask(mail.confirm_token(number), number, new or person.address, mail.now + CONFIRM_WITHIN)
    items = handling.to_confirm
    # A new address may be a stranger's, therefore none of the sender's own words are sent there.
    own = new is None
    asked = [item.line if own and not _is_an_answer(item.line) else command_line(item.request) for item in items]
    follows = consequences(handling.work, handling.named, person, items) if new is None else []
    requests = [item.request for item in items]
    joins = [as_joining(item) for item in items]
    values = {
        "asked": asked,
        "finals": follows,
        "new_address": new is not None,
        "binds": all(request.card.binds for request in requests),
        "terms": terms_of(mail.work, mail.sender, person.language, joins, mail.now, is_known=True),
    }
    rendered = notice(NoticeKind.CONFIRM_FINAL, person.language, **values)
    key = f"{QUESTION}by {person.id} " if new is not None else ""
    key += f"confirm the rest of mail {number}"
    mail.send(LetterKind.CONFIRM, rendered, key=key, confirm=number, new_address=new)
