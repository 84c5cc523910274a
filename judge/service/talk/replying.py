"""Replies to letters that asked something.

The mail is read as an answer first, before anything else in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from judge.commands.question import Question
from judge.language import ReadLine
from judge.language.asking.consent import Consent, is_courtesy, without_answers
from judge.language.replies import Replied, asks_of_itself, replied
from judge.mail.letters import LetterKind
from judge.reports.readers import NoticeKind
from judge.reports.render import notice
from judge.rules.position import Phase
from judge.service.talk.mail import MailInWork, names_of
from judge.service.talk.reading import context_of
from judge.storage import SentLetter

_OPEN_FOR = timedelta(days=7)
"""After this time the question is asked again, with the choices.

An offer stays open as long as it stands.
"""
_LONGEST_WITHOUT_REPLY = 300
"""Characters of a mail that replies to no letter: an answer is short."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A letter that asked something, and what the mail answers."""

    asked: SentLetter
    said: Replied


def reply_in(mail: MailInWork) -> Reply | None:
    """Return what a mail answers to the letter it replies to.

    Return None if that letter asked nothing, or if the mail holds a position to be adopted.
    """
    asked = mail.sender.asked if not mail.letter.is_verbatim else None
    return _read(mail, asked, is_reply=True) if asked is not None and _open_in(mail, asked) else None


def reply_to_the_only_question(mail: MailInWork, lines: Sequence[ReadLine]) -> Reply | None:
    """Return what a mail answers that is no reply, if one question is open.

    The mail replies to no letter and asks for nothing. Exactly one question must be open.
    """
    person, sender = mail.sender.person, mail.sender
    is_short = len(mail.letter.own_text) <= _LONGEST_WITHOUT_REPLY
    asks = any(line.requests or line.faults for line in lines)
    if asks or not is_short or person is None or not sender.is_proved or sender.answers_press or sender.asked:
        return None
    ids = mail.work.outbox.open_questions(person.id, mail.now - _OPEN_FOR)
    asked = mail.work.outbox.by_message_id(ids[0]) if len(ids) == 1 else None
    if asked is None or any(one.needs_bare_yes for one in asked.asks):
        return None
    reply = _read(mail, asked, is_reply=False)
    return reply if reply.said.is_answer else None


def _read(mail: MailInWork, asked: SentLetter, *, is_reply: bool) -> Reply:
    is_offer = all(question.is_offer for question in asked.asks)
    if not is_offer and (asked.date is None or mail.now - asked.date > _OPEN_FOR):
        return Reply(asked, Replied(mail.letter.own_text))
    game = mail.work.games.get(asked.game) if asked.game is not None else None
    context = replace(context_of(game, mail.sender), budget=mail.budget)
    return Reply(asked, replied(mail.letter.own_text, _open_in(mail, asked), context, is_reply=is_reply))


def _open_in(mail: MailInWork, asked: SentLetter) -> tuple[Question, ...]:
    """Return the questions of a letter that no other mail has settled."""
    return tuple(one for one in asked.asks if one.settled_by in (0, mail.waiting.id))


def _answers_what_is_settled(mail: MailInWork, lines: Sequence[ReadLine]) -> bool:
    """Whether a mail only says yes or no to a letter that is settled.

    Other mails have settled its questions.
    """
    asked = mail.sender.asked
    is_settled = asked is not None and not _open_in(mail, asked)
    says = is_settled and without_answers(mail.letter.own_text)[0] is not Consent.UNCLEAR
    return says and not any(line.requests or line.faults for line in lines)


def _say_it_is_settled(mail: MailInWork) -> None:
    """Tell a sender who answers again that the question is settled.

    This is told once for each letter.
    """
    if mail.sender.asked is not None and mail.may_be_answered():
        key = f"settled: {mail.sender.asked.message_id}"
        mail.send(LetterKind.REPLY, notice(NoticeKind.SETTLED, mail.language), key=key, game=mail.sender.asked.game)


def with_reply(mail: MailInWork, reply: Reply | None) -> MailInWork:
    """Return a mail with the lines that its answers stand for.

    They are about the game of the letter that asked.
    """
    if reply is None or not reply.said.is_answer:
        return mail
    settled, number = reply.said.settled, mail.waiting.id
    asks = tuple(replace(one, settled_by=number) if one in settled else one for one in reply.asked.asks)
    mail.work.outbox.question_answered(reply.asked.message_id, asks)
    sender, asked = mail.sender, reply.asked
    phase = Phase.parse(asked.phase) if sender.asked is None and asked.phase is not None else sender.phase
    sender = replace(sender, game=sender.game or asked.game, phase=phase)
    letter = mail.letter
    return replace(mail, letter=replace(letter, own_text=reply.said.text), answer=letter.own_text, sender=sender)


def in_own_words(lines: Sequence[ReadLine], reply: Reply | None) -> tuple[ReadLine, ...]:
    """Return the lines, with answers in the sender's words; no guesses beside an answer."""
    if reply is None or not reply.said.is_answer:
        return tuple(lines)
    own = reply.said.own
    return tuple(
        replace(line, requests=(), faults=()) if line.is_guess else replace(line, text=own.get(line.text, line.text))
        for line in lines
    )


def is_only_a_reply(mail: MailInWork, reply: Reply | None, lines: Sequence[ReadLine]) -> bool:
    """Return whether a mail is only a reply; if it is, answer it.

    Such a mail only declines, fits no choice, or comes after its question is settled.
    """
    if reply is None:
        is_late = _answers_what_is_settled(mail, lines)
        if is_late:
            _say_it_is_settled(mail)
        return is_late
    if _only_declines(reply, lines):
        _say_nothing_was_done(mail, reply)
        return True
    if _fits_no_choice(mail, reply, lines):
        _ask_again(mail, reply)
        return True
    return False


def _only_declines(reply: Reply, lines: Sequence[ReadLine]) -> bool:
    """Whether a mail only says no to what was asked, and the no changes nothing."""
    return reply.said.refuses and not any(line.requests or line.faults for line in lines)


def _fits_no_choice(mail: MailInWork, reply: Reply, lines: Sequence[ReadLine]) -> bool:
    """Whether a mail seems to answer, but fits no choice and asks for nothing else."""
    if reply.said.is_answer or any(line.is_unread for line in lines):
        return False
    names = names_of(mail.sender.person, mail.letter)
    is_guest = mail.sender.person is None and all(question.is_offer for question in reply.asked.asks)
    asks = any(asks_of_itself(line) for line in lines if not is_guest or not (line.is_guess or line.faults))
    words = [line for line in mail.letter.own_text.splitlines() if line.strip() and not is_courtesy(line, names)]
    return bool(words) and not asks


def _say_nothing_was_done(mail: MailInWork, reply: Reply) -> None:
    """Tell a sender who only answers no that nothing was done; once for each letter."""
    if mail.may_be_answered():
        asked = [choice.words for question in reply.asked.asks for choice in question.choices]
        rendered = notice(NoticeKind.DECLINED, mail.language, asked=asked)
        mail.send(LetterKind.REPLY, rendered, key=f"no to {reply.asked.message_id}", game=reply.asked.game)


def _ask_again(mail: MailInWork, reply: Reply) -> None:
    """Ask once more what our letter asked, with the choices."""
    if mail.may_be_answered():
        asked, key = reply.asked, f"asked again: {reply.asked.message_id}"
        rendered = notice(NoticeKind.CHOOSE, mail.language, questions=asked.asks)
        mail.send(LetterKind.REPLY, rendered, key=key, asks=asked.asks, game=asked.game)
