"""Mails that may be forged: ask the claimed address about all of them.

As few letters as possible are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count, product

import structlog

from judge.budget import Budget
from judge.commands import Language
from judge.games import Person
from judge.language import ReadLine
from judge.language.asking.answering import numbered_answer
from judge.language.asking.consent import Consent, settled, without_answers
from judge.mail.letters import Letter, LetterKind, RawMail
from judge.mail.proof import reply_address, token_for
from judge.reports.desk import HeldMails
from judge.reports.readers import Consequence, HeldMail, NoticeKind, Rendered
from judge.reports.render import notice
from judge.service.post.letters import LetterWriter
from judge.service.post.telling import MOST_QUESTIONS, QUESTION, STRANGERS_REST, next_question_to
from judge.service.talk.consequences import asked_in, finals, summarized
from judge.service.talk.mail import in_answer_to
from judge.service.talk.named import name_in_first_line
from judge.service.talk.reading import read_mail
from judge.service.talk.senders import addresses_of, identify, in_own_name
from judge.storage import Claim, LetterTags, Waiting, Work

log = structlog.get_logger(__name__)

CONFIRM_WITHIN = timedelta(days=7)
REMEMBERED = timedelta(days=1)
"""How long a confirmed mail does not count against the daily limit.

The limit is that of questions to a registered address.
"""
_ASKS = "asks about mails "
_MOST_A_DAY = 3
_MOST_SHOWN = 200
_MOST_BESIDE = 5
"""The most mails, the latest ones, named in a letter about other things."""
_DAY = timedelta(days=1)
_GATHERED_FOR = timedelta(minutes=10)
"""Minimum time between questions.

Mails that arrive meanwhile are asked about together.
"""
_KEPT_FOR = timedelta(hours=1)
"""How long before a deadline the day's last question is sent.

That question is kept back for the deadline.
"""


@dataclass(frozen=True, slots=True)
class Asker:
    """The objects needed to ask about held mails."""

    work: Work
    writer: LetterWriter
    read_letter: Callable[[RawMail, Budget], Letter]
    language_of: Callable[[Letter], Language]
    """Returns the language in which to ask a stranger."""
    now: datetime
    budget: Budget
    """The remaining budget for reading all these mails."""

    def token(self, newest: int) -> str:
        """Return the token that proves that a letter about mails was read.

        `newest` is the newest of these mails.
        """
        return token_for(self.writer.secret, "confirm", newest)


def does_anything_wait(work: Work, now: datetime) -> bool:
    """Whether an address is due to be asked about mails in its name."""
    return bool(work.inbox.due_claims(now))


def ask_all_due(asker: Asker) -> int:
    """Ask every address that may be asked now about the mails in its name.

    Return the number of letters.
    """
    return sum(
        ask_about_claims(replace(asker, budget=Budget()), address) for address in asker.work.inbox.due_claims(asker.now)
    )


def ask_about_claims(asker: Asker, address: str) -> bool:
    """Ask an address about all mails in its name in one letter.

    If it may not be asked now, it is asked later. Return whether it was asked.
    Mails of an earlier letter that was not answered are listed again with the new ones.
    """
    inbox, now = asker.work.inbox, asker.now
    claims = inbox.claims(address, now)[-_MOST_SHOWN:]
    if all(claim.is_asked for claim in claims):
        return False
    person = asker.work.people.by_address(address)
    due = _next_question(asker, person) if person is not None else next_question_to(asker.work, address, now)
    if due > now:
        inbox.put_off(address, due)
        log.info("asked later", mails=len(claims))
        return False
    _ask(asker, _asked(asker, address, person, claims))
    return True


def _next_question(asker: Asker, person: Person) -> datetime:
    """Return when a registered address may be asked again.

    It may be asked at once, then three times a day. The last question of the day is kept back for a deadline.
    A confirmed mail does not count against this limit.
    """
    now, written = asker.now, asker.work.outbox.times_keyed(_ASKS, asker.now - _DAY, person.addresses)
    sent = [at for at in written if at > now - _DAY]
    open_ = sent[asker.work.inbox.count_yes(person.address, now, REMEMBERED) :]
    if not open_:
        return now
    free_again, gathered = open_[0] + _DAY, open_[-1] + _GATHERED_FOR
    if len(open_) >= _MOST_A_DAY:
        return free_again
    before = [deadline - _KEPT_FOR for deadline in _deadlines(asker, person)]
    if any(hour <= now for hour in before):
        return now
    if len(open_) == _MOST_A_DAY - 1:
        kept = [hour for hour in before if hour < free_again]
        return min(kept, default=gathered)
    return min([gathered, *before])


def _deadlines(asker: Asker, person: Person) -> list[datetime]:
    """Return the future deadlines of phases in which this person has a decision to make."""
    games = asker.work.games.many(asker.work.games.of_person(person.id))
    return [
        game.clock.deadline
        for game in games
        if game.is_running
        and game.clock.deadline is not None
        and game.clock.deadline > asker.now
        and any(seat.power in game.deciding for seat in game.seats_of(person.id))
    ]


@dataclass(frozen=True, slots=True)
class _Asked:
    """An address that is asked about mails in its name."""

    address: str
    person: Person | None
    """The registered person; None for a stranger."""
    claims: Sequence[Claim]
    """The mails, the newest last."""
    newest: Letter
    """The newest mail."""
    language: Language

    @property
    def zone(self) -> str:
        return (self.person.zone if self.person is not None else "") or "UTC"

    @property
    def prefix(self) -> str:
        """The key prefix of such letters: strangers and players have separate limits."""
        return _ASKS if self.person is not None else QUESTION


def _asked(asker: Asker, address: str, person: Person | None, claims: Sequence[Claim]) -> _Asked:
    received = asker.work.inbox.get(claims[-1].id)
    assert received is not None
    newest = asker.read_letter(received.raw, asker.budget)
    language = person.language if person is not None else asker.language_of(newest)
    return _Asked(address, person, claims, newest, language)


def _ask(asker: Asker, asked: _Asked) -> None:
    known: dict[str, object] = {"is_known": asked.person is not None, "again": False, **_whose(asker, asked)}
    if asked.person is None:
        times = len(asker.work.outbox.times_keyed(QUESTION, asker.now - STRANGERS_REST, (asked.address,)))
        known["is_last"] = times + 1 >= MOST_QUESTIONS
    if len(asked.claims) > 1:
        _send_list(asker, asked, f"{asked.prefix}{asker.token(asked.claims[-1].id)}", **known)
        return
    (claim,), letter = asked.claims, asked.newest
    summary = summary_of(asker, claim)
    values = {"summary": summary, "asked": _first_line(summary), "flaw": letter.flaw, **known}
    rendered = notice(NoticeKind.CONFIRM, asked.language, **values)
    _send(asker, asked, rendered, f"{asked.prefix}confirm mail {claim.id}", {asker.token(claim.id): claim}, letter)


def _whose(asker: Asker, asked: _Asked) -> Mapping[str, object]:
    """Return what the letter says of others at the mailbox, if any."""
    people = asker.work.people.at(asked.newest.sender)
    is_named = name_in_first_line(asked.newest) is not None
    if asked.person not in people or not (is_named or len(people) > 1):
        return {}
    from judge.service.talk.housemates import doubt_about, mates  # noqa: PLC0415 - few people share a mailbox

    return {"doubt": doubt_about(asked.newest, asked.person, people), "mates": mates(asked.person, people)}


def _send_list(asker: Asker, asked: _Asked, key: str, **values: object) -> None:
    """Ask about several mails by number; the numbers belong to this letter's token."""
    token = asker.token(asked.claims[-1].id)
    numbered = _numbers(asker.work, asker.now, asked.address, asked.claims, token)
    mails = [HeldMail(number, one.received_at, summary_of(asker, one)) for number, one in numbered.items()]
    rendered = notice(NoticeKind.GATHERED, asked.language, mails=mails, zone=asked.zone, **values)
    _send(asker, asked, rendered, key, {f"{token}.{number}": claim for number, claim in numbered.items()})


def _send(
    asker: Asker,
    asked: _Asked,
    rendered: Rendered,
    key: str,
    tokens: Mapping[str, Claim],
    about: Letter | None = None,
) -> None:
    """Queue a question and save the tokens that answer it.

    `about` is the mail in question if there is just one.
    """
    newest = asked.claims[-1].id
    tags = LetterTags(key, inbox=newest)
    is_theirs = about is not None and asked.person is not None and about.sender in asked.person.addresses
    to = about.sender if about is not None and is_theirs else asked.address
    letter = asker.writer.write(LetterKind.CONFIRM, to, rendered, tags, asker.now)
    letter = replace(letter, reply_to=reply_address(asker.writer.address, "confirm", asker.token(newest)))
    letter = in_answer_to(about, letter) if about is not None else letter
    asker.work.inbox.asked_about(tokens, asked.address, CONFIRM_WITHIN)
    asker.work.outbox.queue(letter, tags, asker.now)


def _numbers(work: Work, now: datetime, address: str, claims: Sequence[Claim], token: str) -> Mapping[int, Claim]:
    """Return number → mail; a mail keeps its number when its letter is sent again."""
    before = work.inbox.questions(address, now, f"{token}.")
    known = {mail: int(key.rpartition(".")[2]) for key, mail in before.items()}
    free = count(max(known.values(), default=0) + 1)
    return dict(sorted((known[claim.id] if claim.id in known else next(free), claim) for claim in claims))


def summary_of(asker: Asker, claim: Claim) -> str:
    """Return what a mail would do, in our words."""
    if claim.summary:
        return claim.summary
    received = asker.work.inbox.get(claim.id)  # it was held by a version that stored no summaries
    assert received is not None
    waiting = Waiting(claim.id, received.raw, 0, begun=False, failures=0, losses=0, is_suspect=False, confirmed=False)
    letter = asker.read_letter(received.raw, asker.budget)
    sender = identify(asker.work, asker.writer, waiting, letter)
    game, lines = read_mail(asker.work, sender, in_own_name(letter, sender), asker.budget)
    language = sender.person.language if sender.person is not None else asker.language_of(letter)
    return summarized(asker.work, sender, game, lines, language, asker.now)


def _first_line(summary: str) -> list[str]:
    """Return the first request in a summary, for the subject."""
    return [line.strip() for line in summary.splitlines() if line.startswith("    ")][:1]


def what_is_asked(asker: Asker, waiting: Waiting) -> tuple[list[str], list[Consequence]]:
    """Return the lines of a worked mail that a yes would carry out.

    Their consequences come second.
    """
    letter = asker.read_letter(waiting.raw, asker.budget)
    sender = identify(asker.work, asker.writer, waiting, letter)
    game, lines = read_mail(asker.work, sender, in_own_name(letter, sender), asker.budget)
    lines = tuple(line for line in lines if any(request.card.may_need_a_yes for request in line.requests))
    language = sender.person.language if sender.person is not None else Language.ENGLISH
    return asked_in(lines, language), finals(asker.work, sender.person, game, lines)


def held_mails(work: Work, writer: LetterWriter, person: Person, zone: str, now: datetime) -> HeldMails:
    """Return the mails in a person's name that wait for their YES.

    They are for a letter that names them beside other things.
    """
    claims = [one for one in work.inbox.claims(person.address, now) if one.summary][-_MOST_BESIDE:]
    if not claims:
        return HeldMails()
    token = token_for(writer.secret, "confirm", claims[-1].id)
    numbered = _numbers(work, now, person.address, claims, token)
    tokens = {f"{token}.{number}" if len(claims) > 1 else token: claim for number, claim in numbered.items()}
    work.inbox.asked_about(tokens, person.address, CONFIRM_WITHIN)
    mails = tuple(HeldMail(number, one.received_at, one.summary) for number, one in numbered.items())
    return HeldMails(mails, reply_address(writer.address, "confirm", token), zone)


# Answers


@dataclass(frozen=True, slots=True)
class Gathered:
    """A letter that asked about several mails, and the answers to it."""

    token: str
    address: str
    """The address that was asked."""
    mails: Mapping[int, int]
    """Number → mail, of those still waiting for an answer."""
    numbered: Mapping[int, Consent]
    said: Consent
    """The answer without a number."""


def gathered_in(asker: Asker, letter: Letter, tokens: Iterable[str]) -> tuple[Gathered, str] | None:
    """Return the letter that a mail answers, if it asked about several mails.

    The rest of the mail's text comes second.
    """
    for token, address in product(tokens, addresses_of(asker.work, letter.sender)):
        found = asker.work.inbox.questions(address, asker.now, f"{token}.")
        if found:
            mails = {int(key.rpartition(".")[2]): mail for key, mail in found.items()}
            numbered, rest = _numbered(letter.own_text, mails)
            said, rest = without_answers(rest)
            return Gathered(token, address, mails, numbered, said), rest
    return None


def _numbered(text: str, mails: Mapping[int, int]) -> tuple[Mapping[int, Consent], str]:
    """Return number → answer about that mail, and the text without these lines.

    A no outweighs a yes.
    """
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
    asker: Asker, answer: Gathered, lines: Sequence[ReadLine], names: Sequence[str], by: str = ""
) -> None:
    """Carry out the answers about the mails.

    A yes counts only if the rest of the mail allows it. It comes from the address that was asked, else `by` another
    person at the mailbox.
    """
    address = answer.address
    person = asker.work.people.by_address(address)
    remembered = REMEMBERED if person is not None else STRANGERS_REST
    stands = settled(Consent.YES, lines, names) is Consent.YES
    decided = {number: said for number, said in answer.numbered.items() if stands or said is Consent.NO}
    left = answer.mails.keys() - decided.keys()
    if answer.said is Consent.NO or (answer.said is Consent.YES and len(answer.mails) == 1 and stands):
        decided |= dict.fromkeys(left, answer.said)
    for number, said in decided.items():
        mail = answer.mails[number]
        log.info("mail confirmed" if said is Consent.YES else "mail disowned", mail=mail)
        if said is Consent.YES:
            asker.work.inbox.confirm(mail, by or address, asker.now + remembered)
        else:
            asker.work.inbox.disown(mail)
    if not decided:
        ask_again(asker, address, person, answer.token)


def ask_again(asker: Asker, address: str, person: Person | None, token: str) -> None:
    """List the waiting mails again after an unclear answer.

    This is done once per letter: a robot may have answered.
    """
    claims = asker.work.inbox.claims(address, asker.now)[-_MOST_SHOWN:]
    if claims:
        asked = _asked(asker, address, person, claims)
        known = {"is_known": person is not None, "again": True, **_whose(asker, asked)}
        _send_list(asker, asked, f"unclear answer about {token}", **known)
