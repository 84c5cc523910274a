"""A mail being worked: what is known of it, and the letters that answer it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.budget import Budget
from judge.commands import Language, Reading
from judge.commands.question import Question
from judge.config import Config
from judge.games import Person
from judge.language import is_japanese, language_of
from judge.mail.letters import Letter, LetterKind, Outgoing, RawMail
from judge.mail.passing_on import PassedOn
from judge.mail.proof import CONFIRM, offer_address, reply_address, token_for
from judge.reports.readers import NoticeKind, Rendered
from judge.reports.render import notice
from judge.service.post.letters import LetterWriter
from judge.service.talk.senders import Author
from judge.storage import LetterTags, Waiting, Work

WHICH = "which"
"""The purpose of the token for answering whether a letter is press or orders."""
ANSWERED_WITHIN = timedelta(hours=1)
_MOST_ANSWERS_AN_HOUR = {False: 20, True: 200}
"""Whether the sender is proved → limit."""
_MOST_UNPROVED_A_DAY = 60


@dataclass(frozen=True, slots=True)
class MailInWork:
    """A mail that is being worked, in a unit of work."""

    work: Work
    writer: LetterWriter
    config: Config
    waiting: Waiting
    letter: Letter
    sender: Author
    now: datetime
    read_letter: Callable[[RawMail, Budget], Letter]
    """Reads another mail that was held."""
    budget: Budget
    """The remaining budget for reading this mail, and others because of it."""
    chosen: Reading | None = None
    """Whether a letter in the mail is press or orders, if that was asked."""
    drawn: tuple[PassedOn, ...] | None = None
    """The redrawn pictures of an answer to press without words."""
    lacks_proof: bool = False
    """Whether it came to a secret address without the sender's usual proof."""
    answer: str = ""
    """The sender's own text, if the lines that their answers stand for have replaced it."""

    @property
    def language(self) -> Language:
        """The language in which the sender is answered."""
        if self.sender.person:
            return self.sender.person.language
        return language_in(replace(self.letter, own_text=self.answer or self.letter.own_text), self.config)

    def may_be_answered(self) -> bool:
        """Whether this address may get another answer.

        At the limit it gets one notice, then nothing. This ends loops.
        """
        proved = self.sender.is_proved
        limit = _MOST_ANSWERS_AN_HOUR[proved]
        may = self._is_within(limit, ANSWERED_WITHIN, worked=proved)
        return may and (proved or self._is_within(_MOST_UNPROVED_A_DAY, timedelta(days=1), daily=True))

    def _is_within(self, limit: int, time: timedelta, *, worked: bool = False, daily: bool = False) -> bool:
        answered = self.work.outbox.count_to(self.sender.address, self.now - time, proved=worked)
        if answered == limit:
            rendered = notice(NoticeKind.LIMIT, self.language, limit=limit, worked=worked, daily=daily)
            self.send(LetterKind.REPLY, rendered)
        return answered < limit

    def confirm_token(self, mail: int) -> str:
        """Return the token that proves that a sender received the question about a mail."""
        return token_for(self.writer.secret, "confirm", mail)

    def which_token(self, mail: int) -> str:
        """Return the token for the question whether a letter is press or orders."""
        return token_for(self.writer.secret, WHICH, mail)

    def send(
        self,
        kind: LetterKind,
        rendered: Rendered,
        *,
        key: str = "",
        confirm: int | None = None,
        which: int | None = None,
        new_address: str | None = None,
        asks: tuple[Question, ...] = (),
        game: str | None = None,
    ) -> None:
        """Answer the mail.

        A letter to a new address starts a thread, because the mail is unknown there.
        If it `asks` something about a game, a reply to its secret address proves that its reader sent it.
        """
        key = key or f"{kind.value} to mail {self.waiting.id}"
        person = self.sender.person.id if game is not None and self.sender.person is not None else None
        tags = LetterTags(key, person=person, game=game, inbox=self.waiting.id, asks=asks)
        outgoing = self.writer.write(kind, new_address or self.sender.address, rendered, tags, self.now)
        tokens = (
            *(() if confirm is None else (self.confirm_token(confirm),)),
            *(() if which is None else (self.which_token(which),)),
        )
        for token in tokens:
            outgoing = replace(outgoing, reply_to=reply_address(self.writer.address, CONFIRM, token))
        if asks and game is not None:
            reply_to = offer_address(self.writer.address, game, outgoing.message_id)
            outgoing = replace(outgoing, reply_to=reply_to)
        outgoing = outgoing if new_address else in_answer_to(self.letter, outgoing)
        self.work.outbox.queue(outgoing, tags, self.now)

    def done(self, person: Person | None = None, game: str | None = None) -> None:
        """Mark the mail as done."""
        kind = self.letter.kind.value
        self.work.inbox.done(self.waiting.id, kind=kind, person=person.id if person else None, game=game)


def in_answer_to(letter: Letter, outgoing: Outgoing) -> Outgoing:
    """Thread a letter below the mail it answers (RFC 5322 3.6.4)."""
    if letter.message_id is None:
        return outgoing
    chain = dict.fromkeys((*letter.references, letter.message_id))
    return replace(outgoing, in_reply_to=letter.message_id, references=tuple(chain))


def names_of(person: Person | None, letter: Letter) -> list[str]:
    """Return the names that the sender of a letter may sign with."""
    names = [letter.sender_name, person.name if person else "", letter.sender.split("@")[0]]
    return [name for name in names if name]


def language_in(letter: Letter, config: Config) -> Language:
    """Guess a stranger's language from their mail; by default the judge's own."""
    usual = config.judge.language
    name = letter.sender_name if is_japanese(letter.sender_name) else ""  # a Latin name may be a word of any language
    told = (language_of(text, usual) for text in (letter.own_text, letter.subject, name))
    return next((language for language in told if language is not usual), usual)
