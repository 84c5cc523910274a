"""Questions about mails in somebody's name, gathered: he gets few letters, and is shown every such mail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import product

import structlog

from judge.commands import Language
from judge.games import Person
from judge.language import ReadLine
from judge.language.asking.answering import numbered_answer
from judge.language.asking.consent import Consent, settled, without_answers
from judge.mail.letters import Letter, LetterKind, RawMail
from judge.mail.proof import reply_address, token_for
from judge.reports import Consequence, HeldMail, NoticeKind, notice
from judge.service.post.letters import LetterWriter
from judge.service.talk.consequences import asked_in, finals
from judge.service.talk.reading import read_mail
from judge.service.talk.senders import addresses_of, identify
from judge.storage import LetterTags, Waiting, Work

log = structlog.get_logger(__name__)

CONFIRM_WITHIN = timedelta(days=7)
FEWER_FOR = timedelta(days=7)
"""After a no: somebody writes in his name."""
_WAITS = "waits "
_GATHERED = "questions gathered "
_MOST_A_DAY = 3
_MOST_SHOWN = 200
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Asker:
    """What is needed to ask about mails that are held."""

    work: Work
    writer: LetterWriter
    read_letter: Callable[[RawMail], Letter]
    now: datetime

    def token(self, first: int) -> str:
        """What proves that somebody got a question about mails; `first` is the first of them."""
        return token_for(self.writer.secret, "confirm", first)


def has_to_wait(asker: Asker, address: str) -> bool:
    """Whether one more question by itself would be too many."""
    work, now = asker.work, asker.now
    return (
        not _may_be_asked(work, address, now) or work.inbox.has_said_no(address, now) or bool(_unasked(asker, address))
    )


def _may_be_asked(work: Work, address: str, now: datetime) -> bool:
    """Whether a letter may go out: three a day that are not answered, or one a day, whoever answers, after a no."""
    if work.inbox.has_said_no(address, now):
        return not work.outbox.count_keyed(_GATHERED, now - _DAY, address)
    since = now - _DAY + CONFIRM_WITHIN  # what ends later was asked later
    asked = [token for token in work.inbox.questions(address, since, "") if not token.startswith(_WAITS)]
    return len({token.partition(".")[0] for token in asked}) < _MOST_A_DAY


def _unasked(asker: Asker, address: str) -> list[int]:
    return list(asker.work.inbox.questions(address, asker.now, _WAITS).values())


def ask_later(asker: Asker, mail: int, person: Person) -> None:
    """Ask about a mail with others: now, if a letter may go out, else as soon as one may."""
    asker.work.inbox.ask(f"{_WAITS}{mail}", mail, person.address, asker.now + CONFIRM_WITHIN)
    log.info("asked with others", mail=mail)
    ask_gathered(asker, person)


def does_anything_wait(work: Work, now: datetime) -> bool:
    """Whether there is a mail about which nobody has been asked."""
    return bool(work.inbox.addresses_asked(now, _WAITS))


def ask_all_gathered(asker: Asker) -> int:
    """Ask everybody who may be asked about what waits; the number of letters."""
    people = map(asker.work.people.by_address, asker.work.inbox.addresses_asked(asker.now, _WAITS))
    return sum(ask_gathered(asker, person) for person in people if person is not None)


def ask_gathered(asker: Asker, person: Person) -> bool:
    """Ask somebody about all mails that wait; False if he may not be asked now."""
    waiting = _unasked(asker, person.address)[:_MOST_SHOWN]
    if not waiting or not _may_be_asked(asker.work, person.address, asker.now):
        return False
    token = asker.token(waiting[0])
    for number, mail in enumerate(waiting, 1):
        until = asker.now + CONFIRM_WITHIN
        asker.work.inbox.ask_instead(f"{token}.{number}", mail, person.address, until)
    _send(asker, person, dict(enumerate(waiting, 1)), token)
    return True


def _send(asker: Asker, person: Person, mails: Mapping[int, int], token: str, *, again: bool = False) -> None:
    shown = [_shown(asker, number, mail) for number, mail in mails.items()]
    rendered = notice(NoticeKind.GATHERED, person.language, mails=shown, zone=person.zone or "UTC", again=again)
    key = f"unclear answer about {token}" if again else f"{_GATHERED}{token}"
    tags = LetterTags(key, inbox=min(mails.values()))
    letter = asker.writer.write(LetterKind.CONFIRM, person.address, rendered, tags, asker.now)
    letter = replace(letter, reply_to=reply_address(asker.writer.address, "confirm", token))
    asker.work.outbox.queue(letter, tags, asker.now)


def _shown(asker: Asker, number: int, mail: int) -> HeldMail:
    """A mail that is held, as its reader is asked about it."""
    received = asker.work.inbox.get(mail)
    assert received is not None
    waiting = Waiting(mail, received.raw, 0, begun=False, failures=0, losses=0, is_suspect=False, confirmed=False)
    asked, finals = what_is_asked(asker, waiting)
    return HeldMail(number, received.raw.received_at, tuple(asked), tuple(finals))


def what_is_asked(asker: Asker, waiting: Waiting) -> tuple[list[str], list[Consequence]]:
    """The lines of a mail that are done with a yes, and what follows of them."""
    letter = asker.read_letter(waiting.raw)
    sender = identify(asker.work, asker.writer, waiting, letter)
    game, lines = read_mail(asker.work, sender, letter.own_text)
    if waiting.is_worked:
        lines = tuple(line for line in lines if any(request.card.may_need_a_yes for request in line.requests))
    language = sender.person.language if sender.person is not None else Language.ENGLISH
    return asked_in(lines, language), finals(asker.work, sender.person, game, lines)


# Answers


@dataclass(frozen=True, slots=True)
class Gathered:
    """A letter that asked about several mails, and what an answer to it says."""

    token: str
    mails: Mapping[int, int]
    """Number → mail, of those that still wait."""
    numbered: Mapping[int, Consent]
    said: Consent
    """Without a number."""


def gathered_in(asker: Asker, letter: Letter, tokens: Iterable[str]) -> tuple[Gathered, str] | None:
    """The letter about several mails that a mail answers, with its answers, and what else stands there."""
    for token, address in product(tokens, addresses_of(asker.work, letter.sender)):
        found = asker.work.inbox.questions(address, asker.now, f"{token}.")
        if found:
            mails = {int(key.rpartition(".")[2]): mail for key, mail in found.items()}
            numbered, rest = _numbered(letter.own_text, mails)
            said, rest = without_answers(rest)
            return Gathered(token, mails, numbered, said), rest
    return None


def _numbered(text: str, mails: Mapping[int, int]) -> tuple[Mapping[int, Consent], str]:
    """Number → what is said of that mail; a no outweighs a yes. And the text without these lines."""
    numbered: dict[int, Consent] = {}
    rest = []
    for line in text.splitlines():
        said, numbers = numbered_answer(line) or (Consent.UNCLEAR, ())
        is_answer = bool(numbers) and set(numbers) <= mails.keys()
        rest.append("" if is_answer else line)
        for number in numbers if is_answer else ():
            numbered[number] = Consent.NO if numbered.get(number) is Consent.NO else said
    return numbered, "\n".join(rest)


def settle_gathered(
    asker: Asker, person: Person, answer: Gathered, lines: Sequence[ReadLine], names: Sequence[str]
) -> None:
    """Do what an answer says about the mails; a yes counts only where the rest of the mail lets it."""
    stands = settled(Consent.YES, lines, names) is Consent.YES
    decided = {number: said for number, said in answer.numbered.items() if stands or said is Consent.NO}
    left = answer.mails.keys() - decided.keys()
    if answer.said is Consent.NO or (answer.said is Consent.YES and len(answer.mails) == 1 and stands):
        decided |= dict.fromkeys(left, answer.said)
    for number, said in decided.items():
        mail = answer.mails[number]
        log.info("mail confirmed" if said is Consent.YES else "mail disowned", mail=mail)
        if said is Consent.YES:
            asker.work.inbox.confirm(mail)
        else:
            asker.work.inbox.disown(mail, person.address, asker.now + FEWER_FOR)
    if not decided:  # once: the answer may come from a robot
        _send(asker, person, answer.mails, answer.token, again=True)
