"""Work one mail in a unit of work, from its bytes to the queued answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Protocol

import structlog

from judge.budget import Budget
from judge.commands import Accept, Command, ForPhase, ForPower, Give
from judge.config import Config
from judge.games import Game, Person
from judge.games.persons import name_of_sender
from judge.language import ReadLine, lines_set_aside, read, unused
from judge.language.look_alikes import is_a_power, is_an_office
from judge.mail.headers import body_text
from judge.mail.letters import Attachment, Letter, LetterKind, MailKind, RawMail
from judge.mail.reading import Answering, MailReader
from judge.reports.buttons import labels_of_buttons
from judge.reports.readers import NoticeKind
from judge.reports.render import notice
from judge.rules.map import USUAL_BOARD
from judge.service.post.bounces import Bounces
from judge.service.post.letters import LetterWriter
from judge.service.post.telling import gathered, tell_all
from judge.service.talk.addressed import with_words
from judge.service.talk.agenda import LineScope, agenda_of
from judge.service.talk.attached import attached_to_press, instead_of_words
from judge.service.talk.confirming import (
    Answers,
    answers_a_settled_question,
    answers_in,
    ask_for_the_final,
    ask_to_confirm,
    is_answered_by_the_question,
    settle,
    welcome,
)
from judge.service.talk.consequences import comes_to_nothing
from judge.service.talk.doing import do
from judge.service.talk.gathering import Asker, ask_all_due
from judge.service.talk.handling import MailHandling
from judge.service.talk.lost_proof import acts, filed_and_waiting, with_usual_proof
from judge.service.talk.mail import ANSWERED_WITHIN, MailInWork, language_in
from judge.service.talk.once import expect_use, is_second, tell_of_the_second
from judge.service.talk.reading import context_of, read_mail, what_counts
from judge.service.talk.receipt import queue_receipt
from judge.service.talk.replying import in_own_words, is_only_a_reply, reply_in, reply_to_the_only_question, with_reply
from judge.service.talk.senders import expect, game_addressed, identify, in_own_name, questions_answered
from judge.service.talk.strangers import in_our_words
from judge.service.talk.vocabulary import vocabulary_on
from judge.storage import SentLetter, Waiting, Work

log = structlog.get_logger(__name__)

_LONGEST_SHOWN = 200
"""Characters of the first line that was not read."""


@dataclass(frozen=True, slots=True)
class Correspondence:
    """The objects that work mail: configuration, mail reader, letter writer, bounces."""

    config: Config
    writer: LetterWriter
    reader: MailReader
    bounces: Bounces


class LetterReader(Protocol):
    """Reads the bytes of a mail."""

    def __call__(self, raw: RawMail, budget: Budget, *, takes_adoptions: bool = True) -> Letter:
        """Return the letter; `takes_adoptions` as for `MailReader`."""


def work_mail(work: Work, with_: Correspondence, waiting: Waiting, now: datetime) -> MailKind:
    """Carry out all requests of a mail and queue the answers.

    Return the kind of mail it is.
    """
    came_back = with_.writer.letter_that_came_back(waiting.raw)
    bounced = with_.bounces.heed(work, waiting, came_back, now) if came_back is not None else None
    if bounced is not None:
        work.inbox.done(waiting.id, kind=MailKind.BOUNCE.value, person=bounced.person, game=bounced.game)
        return MailKind.BOUNCE

    budget = Budget()
    read_letter = _letter_reader(work, with_)
    letter = read_letter(waiting.raw, budget)
    expect(work, with_.writer, letter, now - ANSWERED_WITHIN)
    expect_use(work, letter)
    sender = identify(work, with_.writer, waiting, letter)
    if letter.is_verbatim and sender.answers_press:  # words for others, as they are in any other press
        letter = read_letter(waiting.raw, budget, takes_adoptions=False)
    letter = with_words(letter) if sender.says is not None else letter
    letter = in_own_name(letter, sender)
    mail = MailInWork(work, with_.writer, with_.config, waiting, letter, sender, now, read_letter, budget)
    match letter.kind:
        case MailKind.PERSON if _may_not_have_the_name(mail):
            mail.done()
        case MailKind.PERSON:
            answer(mail)
        case MailKind.UNREADABLE:
            _explain(mail)
            mail.done()
        case MailKind.AUTOMATIC | MailKind.BOUNCE:
            if letter.kind is MailKind.AUTOMATIC and not letter.has_null_sender:
                _take_orders_silently(mail)
            mail.done()
    return letter.kind


def ask_what_waits(work: Work, with_: Correspondence, now: datetime) -> int:
    """Ask every address that may be asked now about held mails in its name.

    Return the number of letters.
    """
    language_of = partial(language_in, config=with_.config)
    return ask_all_due(Asker(work, with_.writer, _letter_reader(work, with_), language_of, now, Budget()))


def _letter_reader(work: Work, with_: Correspondence) -> LetterReader:
    def read_letter(raw: RawMail, budget: Budget, *, takes_adoptions: bool = True) -> Letter:
        read_one = with_.reader.read(
            raw,
            lambda id_: _lines_of(work.outbox.by_message_id(id_)),
            budget,
            lambda answering: vocabulary_on(partial(_board_of, work, with_.writer, answering)),
            takes_adoptions=takes_adoptions,
        )
        return replace(read_one, own_text=body_text(read_one.own_text))

    return read_letter


def _board_of(work: Work, writer: LetterWriter, answering: Answering) -> str:
    """Return the board of the game that a mail is about, by what it answers.

    The usual board, if that names no game.
    """
    sent = work.outbox.by_message_id(answering.reply_to) if answering.reply_to else None
    named = sent.game if sent is not None else game_addressed(writer, answering.recipients)
    game = work.games.get(named) if named else None
    return game.settings.map if game is not None else USUAL_BOARD


def _lines_of(sent: SentLetter | None) -> Sequence[str]:
    return (*sent.text.splitlines(), *labels_of_buttons(sent.html)) if sent is not None else ()


def answer(mail: MailInWork) -> None:
    """Carry out a person's mail, or ask first whether it is theirs; then answer it."""
    is_press = mail.sender.answers_press  # press never answers questions
    questions = [] if is_press else questions_answered(mail.work, mail.writer, mail.letter)
    answered = None if is_press else answers_in(mail, questions)
    if answered is not None:
        # A sender who knows the token reads the mail of that address: their other requests are proved too.
        sender = replace(mail.sender, is_proved=not mail.sender.is_in_doubt)
        mail = replace(mail, letter=replace(mail.letter, own_text=answered.rest), sender=sender)
    mail = _mended(mail) if answered is None else mail
    reply = None if is_press or answered is not None else reply_in(mail)
    mail = with_reply(mail, reply)
    if mail.waiting.confirmed and mail.waiting.is_worked:
        mail = replace(mail, chosen=mail.work.inbox.chosen(mail.waiting.id))
    mail = replace(mail, drawn=instead_of_words(mail))
    is_picture = any(isinstance(one.picture, Attachment) for one in mail.drawn or ())
    game, read_lines = read_mail(mail.work, mail.sender, mail.letter, mail.budget, mail.chosen, is_picture=is_picture)
    if answered is None and reply is None and (reply := reply_to_the_only_question(mail, read_lines)) is not None:
        mail = with_reply(mail, reply)
        game, read_lines = read_mail(mail.work, mail.sender, mail.letter, mail.budget)
    lines = in_own_words(what_counts(read_lines), reply)
    if answered is not None:  # no guesses beside a yes or no: the mail may be a robot's
        lines = tuple(replace(line, requests=(), faults=()) if line.is_guess else line for line in lines)
    if mail.sender.tapped_for([request for line in lines for request in line.requests]):
        mail = replace(mail, sender=replace(mail.sender, is_proved=True))
    if is_second(mail):
        tell_of_the_second(mail)
        mail.done(mail.sender.person)
        return
    mail = with_usual_proof(mail, answers=answered is not None)
    _welcome_back(mail)
    if is_only_a_reply(mail, reply, lines):
        mail.done(mail.sender.person)
        return
    _act(mail, game, lines, answered, questions)


def _may_not_have_the_name(mail: MailInWork) -> bool:
    """Tell a new person whose name cannot be accepted.

    Nothing of the mail is then done.
    """
    if not mail.sender.named or mail.sender.person is not None:
        return False
    from judge.service.talk.housemates import why_not_called  # noqa: PLC0415 - few people share a mailbox

    why_not = why_not_called(mail.work, mail.letter.sender, mail.sender.named)
    if why_not is not None and mail.may_be_answered():
        rendered = notice(NoticeKind.NOT_CALLED, mail.language, name=mail.sender.named, why=why_not)
        at_the_mailbox = replace(mail.sender, address=mail.letter.sender)
        replace(mail, sender=at_the_mailbox).send(LetterKind.REPLY, rendered)
    return why_not is not None


def _mended(mail: MailInWork) -> MailInWork:
    """Return a reply that mends a position as a mail with all of it."""
    if mail.sender.asked is None or mail.sender.answers_press:
        return mail
    from judge.service.talk.mending import with_mended_adoption  # noqa: PLC0415 - hardly any letter shows a position

    return with_mended_adoption(mail)


def _act(
    mail: MailInWork,
    game: Game | None,
    lines: Sequence[ReadLine],
    answered: Answers | None,
    questions: Sequence[str],
) -> None:
    """Settle earlier questions, then carry out the lines.

    If a request still waits for proof of its sender, the mail is held and they are asked first whether it is theirs.
    """
    requests = [request for line in lines for request in line.requests]
    if answered is not None:
        settle(mail, answered, lines)
    if not requests and _only_answers(mail, answered, questions, lines):
        mail.done()
    elif any(_waits_for_proof(mail, request) for request in requests):
        ask_to_confirm(mail, game, lines)
    elif mail.lacks_proof or mail.waiting.has_filed:
        _do_in_part(mail, game, lines)
    else:
        _do_and_answer(mail, game, lines)


def _do_in_part(mail: MailInWork, game: Game | None, lines: Sequence[ReadLine]) -> None:
    """File the orders of a mail that lacks the usual proof.

    The rest is asked about. After the yes, the rest is done.
    """
    filed, waiting = filed_and_waiting(lines)
    if mail.waiting.has_filed:
        _do_and_answer(mail, game, waiting)
    elif not acts(waiting):
        _do_and_answer(mail, game, filed)
    elif not acts(filed):
        ask_to_confirm(mail, game, lines)
    else:
        _do_and_answer(mail, game, filed, waiting)


def _only_answers(
    mail: MailInWork, answered: Answers | None, questions: Sequence[str], lines: Sequence[ReadLine]
) -> bool:
    """Whether a mail was read to its end and contains only answers to our questions."""
    if any(line.is_unread for line in lines):
        return False
    return answered is not None or (bool(questions) and answers_a_settled_question(mail, questions))


def _waits_for_proof(mail: MailInWork, request: Command) -> bool:
    """Whether a request needs proof of its sender that is still missing.

    Questions are answered without proof.
    """
    # Strangers get no maps before they have confirmed that the mail is theirs.
    is_much = mail.sender.person is None and request.card.needs_proof and request.card.shows is not None
    is_theirs = not mail.sender.is_in_doubt or not request.card.needs_proof
    return not mail.sender.is_proved and (not is_theirs or is_much or _acts(mail, request))


def _do_and_answer(
    mail: MailInWork, game: Game | None, lines: Sequence[ReadLine], waiting: Sequence[ReadLine] = ()
) -> None:
    may_answer = mail.may_be_answered()
    asks = any(line.requests for line in lines)
    if mail.sender.person is None and not mail.sender.is_proved:
        lines = in_our_words(mail.work, mail.sender, lines, mail.language)
    if not may_answer and not mail.sender.is_proved:
        mail.done()
    elif mail.sender.person is None and not any(line.requests for line in lines):
        welcome(mail, asks=asks)
        mail.done()
    else:
        _do(mail, game, lines, waiting, may_answer=may_answer)


def _do(
    mail: MailInWork, game: Game | None, lines: Sequence[ReadLine], waiting: Sequence[ReadLine], *, may_answer: bool
) -> None:
    person = mail.sender.person
    if person is None and any(_registers(mail, request) for line in lines for request in line.requests):
        person = _register(mail)
    handling = _handling(mail, person, game, lines)
    if game is not None and mail.letter.set_aside and not mail.waiting.has_filed:
        handling.aside = lines_set_aside(mail.letter.set_aside, context_of(game, mail.sender))
    answered = do(handling, lines)
    log.info("mail read", mail=mail.waiting.id, game=handling.shown)
    if handling.events or handling.speaks:
        events = gathered(handling.events)
        pictures, handling.attached = attached_to_press(handling, events)
        again = " confirmed" if mail.waiting.has_filed else ""
        caused = [(event, f"mail {mail.waiting.id}{again} {number}") for number, event in enumerate(events)]
        by = handling.person.id if handling.is_registered else None
        tell_all(mail.work, mail.writer, caused, mail.now, pictures, by)
    if may_answer and not is_answered_by_the_question(handling, answered):
        queue_receipt(handling, mail.writer, answered)
    if waiting:
        ask_to_confirm(mail, game, waiting, has_filed=True)
    elif handling.to_confirm:
        ask_for_the_final(mail, handling)
    else:
        mail.done(person, handling.shown)


def _acts(mail: MailInWork, request: Command) -> bool:
    """Whether a request needs a proved sender.

    It does not if it is a question, or can only be refused.
    """
    if not request.card.needs_proof or request.card.is_question:
        return False
    return not comes_to_nothing(mail.work, mail.sender, request, mail.now)


def _registers(mail: MailInWork, request: Command) -> bool:
    """Whether a request makes its sender a registered person.

    A sender who declines an invitation stays unknown.
    """
    return _acts(mail, request) and request != Accept(accepts=False, game=getattr(request, "game", None))


def _take_orders_silently(mail: MailInWork) -> None:
    """Carry out orders that a program sent to a seat's secret address.

    They are not answered: that could start a loop.
    """
    sender = mail.sender
    game = mail.work.games.get(sender.game) if sender.game and sender.to_seat and sender.is_proved else None
    if sender.person is None or game is None or sender.answers_press or is_second(mail):
        return
    if not game.seats_of(sender.person.id):
        return
    _welcome_back(mail)
    read_lines = read(mail.letter.own_text, replace(context_of(game, sender), budget=mail.budget))
    lines = [replace(line, requests=tuple(filter(_is_order, line.requests)), faults=()) for line in read_lines]
    do(_handling(mail, sender.person, game, lines), lines)
    log.info("orders of an automatic mail read", mail=mail.waiting.id)


def _is_order(request: Command) -> bool:
    return isinstance(request, Give | ForPhase | ForPower)


def _explain(mail: MailInWork) -> None:
    """Tell the sender that their mail is unreadable.

    Nothing of it is repeated to a stranger.
    """
    letter = mail.letter
    if letter.sender and not letter.has_null_sender and mail.may_be_answered():
        subject = letter.subject if mail.sender.person is not None else ""
        rendered = notice(NoticeKind.UNREADABLE, mail.language, subject=subject, defect=letter.defect)
        mail.send(LetterKind.REPLY, rendered)


def _welcome_back(mail: MailInWork) -> None:
    """Forget earlier bounces of an address that sends proved mail: it can receive mail."""
    if mail.sender.is_proved and mail.work.outbox.forget_bounces(mail.sender.address, mail.now):
        person = mail.sender.person
        log.info("address no longer suspended", person=person.id if person else None)


def _register(mail: MailInWork) -> Person:
    letter, sender = mail.letter, mail.sender
    told = sender.named or name_of_sender(letter.sender_name, letter.sender)
    name = "" if is_an_office(told) or is_a_power(told) else told
    return mail.work.people.add(sender.address, name, mail.language, "")


def _handling(mail: MailInWork, person: Person | None, game: Game | None, lines: Sequence[ReadLine]) -> MailHandling:
    scope = LineScope(game.name if game else None, mail.sender.phase)
    agenda = agenda_of(lines, scope, only_final=mail.waiting.is_worked and mail.chosen is None)
    handling = MailHandling.of(mail, person, game, agenda)
    handling.first_unread = next((line.text.strip()[:_LONGEST_SHOWN] for line in lines if line.is_unread), "")
    if not (mail.waiting.is_worked or mail.waiting.has_filed):
        handling.unused = unused([line for line in lines if not line.is_unread], context_of(game, mail.sender))
    return handling
