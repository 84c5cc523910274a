"""The judge watches itself: alarms and a health mail for the operator, old mail emptied."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta

import structlog

from judge.commands import Language
from judge.config import Config
from judge.mail.letters import LetterKind
from judge.reports.readers import NoticeKind
from judge.reports.render import notice
from judge.service.post.letters import LetterWriter
from judge.storage import Census, LetterTags, Looked, Store, sqlite_file

log = structlog.get_logger(__name__)

_MEGABYTE = 1_000_000
_MINUTE = timedelta(minutes=1)
_MESSAGE_IDS_KEPT = timedelta(days=400)
"""How long a second mail with the Message-ID of a proved mail has no effect."""
_WORTH_TELLING = timedelta(minutes=10)


class Watch:
    """Checks the judge about every minute; repeats an alarm at most once a day."""

    def __init__(self, store: Store, config: Config, clock: Callable[[], datetime], writer: LetterWriter) -> None:
        self.store = store
        self.settings = config.watch
        self.operator = config.judge.operator
        self.language = Language(config.judge.language)
        self.clock = clock
        self.writer = writer
        self.database = sqlite_file(config.database.url)
        self.looked = Looked()
        self.cleaned_on: date | None = None
        self.logged_on: date | None = None
        self.logged: set[str] = set()
        """The alarms logged on `logged_on`."""
        self.outside: Callable[[], Iterable[str]] = tuple
        """Returns what is wrong with the mail servers, in and out."""
        self.wrong_since: dict[str, datetime] = {}

    def look(self) -> int:
        """Raise alarms where there is reason to, and send the daily health mail."""
        now = self.clock()
        with self.store.look() as work:
            census = work.census()
        for kind, amount in self.alarms(census, now):
            if self._is_new(kind, now):
                log.warning("alarm", alarm=kind, amount=amount)
            self._tell(NoticeKind.ALARM, f"alarm {kind}", now, alarm=kind, amount=amount)
        for said in self._lasting(now):
            self.tell_at_once(said)
        if self.settings.health_mail:
            self._tell(NoticeKind.HEALTH, "health", now, census=census, free=self.free_megabytes())
        return 0

    def tell_at_once(self, said: str) -> None:
        """Raise an alarm about something outside, whose name stands before the colon."""
        now = self.clock()
        if self._is_new(said, now):
            log.warning("alarm", alarm="outside", reason=said)
        self._tell(NoticeKind.ALARM, f"alarm {said.partition(':')[0]}", now, alarm="outside", amount=said)

    def _is_new(self, alarm: str, now: datetime) -> bool:
        """Whether an alarm was not logged today."""
        if self.logged_on != now.date():
            self.logged_on, self.logged = now.date(), set()
        is_new = alarm not in self.logged
        self.logged.add(alarm)
        return is_new

    def alarms(self, census: Census, now: datetime) -> Iterator[tuple[str, int]]:
        """Yield each kind of alarm with its amount in megabytes or minutes."""
        free = self.free_megabytes()
        if free is not None and free < self.settings.least_free_megabytes:
            yield "disk", free
        waits = {"inbox": census.waiting_since, "outbox": census.queued_since, "clock": census.due_since}
        for kind, since in waits.items():
            minutes = (now - since) // _MINUTE if since is not None else 0
            if minutes > self.settings.longest_wait_minutes:
                yield kind, minutes

    def _lasting(self, now: datetime) -> Iterator[str]:
        """Yield problems outside that have lasted ten minutes.

        Servers are away for a moment every day.
        """
        found = {said.partition(":")[0]: said for said in self.outside()}
        self.wrong_since = {name: self.wrong_since.get(name, now) for name in found}
        yield from (said for name, said in found.items() if now - self.wrong_since[name] >= _WORTH_TELLING)

    def complaints(self) -> Iterator[str]:
        """Yield short complaints about the queues, the clock and the disk."""
        now = self.clock()
        with self.store.look() as work:
            census = work.census()
        said = {
            "disk": "disk: {} MB are left",
            "inbox": "work: a mail has waited for {} minutes",
            "outbox": "deliver: a mail has waited for {} minutes",
            "clock": "clock: a phase is {} minutes late",
        }
        for kind, amount in self.alarms(census, now):
            yield said[kind].format(amount)

    def free_megabytes(self) -> int | None:
        """Return the free space on the database's disk; None if it is on another machine."""
        return None if self.database is None else shutil.disk_usage(self.database.parent).free // _MEGABYTE

    def _tell(self, kind: NoticeKind, about: str, now: datetime, **values: object) -> None:
        """Queue a mail to the operator, unless they were told today."""
        if not self.operator:
            return
        rendered = notice(kind, self.language, **values)
        once = LetterTags(f"{about} {now.date()}")
        with self.store.work() as work:
            if not work.outbox.is_queued(once.key):
                work.outbox.queue(self.writer.write(LetterKind.NOTICE, self.operator, rendered, once, now), once, now)
                work.commit()

    def clean(self) -> int:
        """Empty one batch of old mails; return 0 when all are done for today."""
        now, days = self.clock(), self.settings.redact_after_days
        if self.cleaned_on == now.date():
            return 0
        if not days:
            self._forget_what_is_over(now)
            return 0
        with self.store.work() as work:  # in small batches: other processes need to write too
            looked = work.redact(now - timedelta(days=days), self.looked)
            work.commit()
        if looked == self.looked:
            if self._shrinks():
                return 1
            self._forget_what_is_over(now)
            log.info("old mail is emptied")
            return 0
        self.looked = looked
        return 1

    def _forget_what_is_over(self, now: datetime) -> None:
        """Forget outdated Message-IDs and questions, as the last step of the day."""
        with self.store.work() as work:
            work.inbox.forget_uses((now - _MESSAGE_IDS_KEPT).date())
            work.inbox.forget_questions(now)
            work.commit()
        self.looked, self.cleaned_on = Looked(), now.date()

    def _shrinks(self) -> bool:
        """Give some free pages back to the disk; return whether there are more."""
        with self.store.work() as work:
            is_more = work.shrink()
            work.commit()
        return is_more
