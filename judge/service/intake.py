"""The route of a mail: kept, read, worked, answered."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime

import structlog

from judge.commands import Language
from judge.config import Config
from judge.errors import ConflictError
from judge.failpoints import Step, passed
from judge.mail.identity import identity, message_id
from judge.mail.letters import Letter, LetterKind, MailKind, RawMail
from judge.mail.reading import Reader as MailReader
from judge.reports import NoticeKind, notice
from judge.service.bounces import Bounces
from judge.service.conversation import Conversation, in_answer_to
from judge.service.letters import Desk
from judge.service.senders import identify
from judge.service.vocabulary import VOCABULARY
from judge.storage import About, Arrived, SentLetter, Store, Waiting

log = structlog.get_logger(__name__)

_MOST_ATTEMPTS = 3
_MOST_CONFLICTS = 20
"""In a row; then they count as an attempt."""


class Intake:
    """Keeps mail, and works it one mail at a time."""

    def __init__(
        self, store: Store, config: Config, clock: Callable[[], datetime], desk: Desk, bounces: Bounces
    ) -> None:
        self.store = store
        self.config = config
        self.clock = clock
        self.desk = desk
        self.bounces = bounces
        self.reader = MailReader(frozenset((desk.address.lower(),)), VOCABULARY, config.judge.authserv_id or None)
        self.turn = threading.Lock()
        self.conflicts: Counter[int] = Counter()
        self.on_kept: Callable[[], None] = lambda: None
        self.on_worked: Callable[[], None] = lambda: None

    def keep(self, *mails: RawMail) -> None:
        """Store mails, in this order, and commit; nothing is lost after this returned."""
        arrived = [Arrived(raw, identity(raw.content), message_id(raw.content)) for raw in mails]
        for raw, kept in zip(mails, self.store.keep_all(arrived), strict=True):
            log.info("mail kept" if kept else "mail known already", mail=kept, source=raw.source)
        self.on_kept()

    def work_all(self) -> int:
        """Work every waiting mail, oldest first; the number of mails worked."""
        worked = 0
        while self.work_one():
            worked += 1
        return worked

    def work_one(self) -> bool:
        """Work the mail that has waited longest; False if none waits."""
        with self.turn:
            with self.store.work() as work:
                waiting = work.inbox.next()
                if waiting is None:
                    return False
                # Counted before the work and on its own, so that an attempt that kills us counts.
                work.inbox.begin_attempt(waiting.id)
                work.commit()
            passed(Step.ATTEMPT_COUNTED)
            if waiting.attempts >= _MOST_ATTEMPTS:
                log.error("mail set aside, no attempt came to an end", mail=waiting.id)
                self._set_aside(waiting, f"{waiting.attempts} attempts to work this mail did not come to an end")
            else:
                self._try(waiting)
        self.on_worked()
        return True

    def _try(self, waiting: Waiting) -> None:
        try:
            self._work(waiting)
        except ConflictError:
            log.info("game changed meanwhile, trying again", mail=waiting.id)
            self.conflicts[waiting.id] += 1
            if self.conflicts[waiting.id] % _MOST_CONFLICTS:  # the mail is not to blame, but it may not go on for ever
                with self.store.work() as work:
                    work.inbox.forget_attempt(waiting.id)
                    work.commit()
        except Exception as error:
            log.exception("mail could not be worked", mail=waiting.id)
            if waiting.attempts + 1 >= _MOST_ATTEMPTS:
                self._set_aside(waiting, repr(error))

    def _work(self, waiting: Waiting) -> None:
        now = self.clock()
        with self.store.work() as work:
            bounced = self.bounces.heed(work, waiting.raw, waiting.id, now)
            if bounced is not None:
                work.inbox.done(waiting.id, kind=MailKind.BOUNCE.value, person=bounced.person, game=bounced.game)
                work.commit()
                return

            def read(raw: RawMail) -> Letter:
                return self.reader.read(raw, lambda id_: _lines_of(work.outbox.by_message_id(id_)))

            letter = read(waiting.raw)
            sender = identify(work, self.desk, waiting, letter)
            talk = Conversation(work, self.desk, self.config, waiting, letter, sender, now, read)
            match letter.kind:
                case MailKind.PERSON:
                    talk.answer()
                case MailKind.UNREADABLE:
                    talk.explain()
                    work.inbox.done(waiting.id, kind=letter.kind.value)
                case MailKind.AUTOMATIC | MailKind.BOUNCE:
                    if letter.kind is MailKind.AUTOMATIC and not letter.has_null_sender:
                        talk.take_orders_silently()
                    work.inbox.done(waiting.id, kind=letter.kind.value)
            passed(Step.MAIL_WORKED)
            work.commit()
        log.info("mail worked", mail=waiting.id, kind=letter.kind.value)
        passed(Step.WORK_COMMITTED)

    def _set_aside(self, waiting: Waiting, reason: str) -> None:
        """Put a mail that cannot be worked where it does no harm, and say so."""
        now = self.clock()
        try:
            with self.store.work() as work:
                work.inbox.set_aside(waiting.id, reason)
                if self.config.judge.operator:
                    language = Language(self.config.judge.language)
                    told = notice(NoticeKind.SET_ASIDE_MASTER, language, inbox=waiting.id, reason=reason)
                    about = About(f"set aside {waiting.id} at {now.isoformat()}")
                    outgoing = self.desk.write(LetterKind.NOTICE, self.config.judge.operator, told, about, now)
                    work.outbox.queue(outgoing, about, now)
                work.commit()
        except ConflictError:
            log.info("mail was worked by somebody else", mail=waiting.id)
            return
        # Only now: to read it may be what ends us.
        with self.store.work() as work:
            letter = self.reader.read(waiting.raw)
            person = work.people.by_address(letter.sender) if letter.kind is MailKind.PERSON else None
            if person is not None:
                told = notice(NoticeKind.SET_ASIDE, person.language, subject=letter.subject)
                # Its own key: the reply is still to come, should the mail be replayed.
                about = About(f"set aside {waiting.id}, to its sender, at {now.isoformat()}", inbox=waiting.id)
                outgoing = self.desk.write(LetterKind.REPLY, person.address, told, about, now)
                work.outbox.queue(in_answer_to(letter, outgoing), about, now)
                work.commit()


def _lines_of(sent: SentLetter | None) -> Sequence[str]:
    return sent.text.splitlines() if sent is not None else ()
