"""The route of a mail: kept, read, worked, answered."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy.exc import InterfaceError, OperationalError

from judge.commands import Language
from judge.config import Config
from judge.errors import ConflictError, may_pass
from judge.failpoints import Step, passed
from judge.mail.identity import head_and_body, identity_and_message_id
from judge.mail.large_files import to_be_kept
from judge.mail.letters import LetterKind, RawMail
from judge.mail.marks import NOT_SEEN, Mark
from judge.mail.proof import CONFIRM, game_written_to, parse_reply_address
from judge.mail.reading import MailReader
from judge.reports import NoticeKind, notice
from judge.service.engine.alone import Ending
from judge.service.post.bounces import Bounces
from judge.service.post.letters import LetterWriter
from judge.service.talk.conversation import Correspondence, ask_what_waits, work_mail
from judge.service.talk.gathering import does_anything_wait
from judge.service.talk.mail import in_answer_to
from judge.service.talk.senders import identify
from judge.service.talk.vocabulary import VOCABULARY
from judge.storage import Arrived, LetterTags, Store, Waiting, Work, WorkMail
from judge.storage.waking import sender_of

log = structlog.get_logger(__name__)

_MOST_FAILURES = 3
_MOST_CONFLICTS = 20
"""In a row; then they count as a failure."""
_MOST_IN_A_TURN = 20
"""Mails; then others that wait for the same worker, or a closing of the same game, come first."""
_PAUSES = tuple(map(timedelta, (0, 0, 0, 0), (2, 10, 60, 300)))
"""After attempts that did not come to an end: what was wrong may pass, and the others go first."""


class _Turn:
    """The mails of one turn, each taken up as the one before it is done; after some it is the turn of others."""

    def __init__(self, turn: str, clock: Callable[[], datetime], is_stopping: Callable[[], bool]) -> None:
        self.turn = turn
        self.clock = clock
        self.is_stopping = is_stopping
        self.left = _MOST_IN_A_TURN
        self.is_over = False
        """The rest is left to another job."""
        self.taken: Waiting | None = None
        """Which is worked next, if what took it up was committed."""

    def go_on(self, work: Work) -> None:
        """Take up the next mail, or have the rest worked later."""
        self.taken = None
        self.is_over = not self.left or self.is_stopping()
        if self.is_over:
            work.wake(WorkMail(self.turn))
        else:
            work.inbox.take(self.turn, self.clock(), self._heed)
        self.left -= 1

    def _heed(self, taken: Waiting) -> None:
        self.taken = taken


class _Row:
    """The mails that have waited longest, each taken up as the one before it is done; after some it is others' turn."""

    def __init__(self, take_up: Callable[[Work], Waiting | None], most: int) -> None:
        self.take_up = take_up
        self.most = most
        self.number = 0
        """Of those taken up."""
        self.taken: Waiting | None = None
        """Which is worked next, if what took it up was committed."""
        self.is_over = False
        """There was no other."""

    def go_on(self, work: Work) -> None:
        """Take up the next mail, if there is one."""
        if self.number < self.most:
            self.taken = self.take_up(work)
            self.is_over = self.taken is None
            self.number += not self.is_over


class Intake:
    """Keeps mail, and works it one mail at a time."""

    def __init__(
        self, store: Store, config: Config, clock: Callable[[], datetime], writer: LetterWriter, bounces: Bounces
    ) -> None:
        self.store = store
        self.config = config
        self.clock = clock
        self.writer = writer
        self.bounces = bounces
        own, aliases = frozenset((writer.address.lower(),)), frozenset(map(str.lower, config.judge.aliases))
        self.reader = MailReader(own, VOCABULARY, config.judge.authserv_id or None, aliases)
        self.correspondence = Correspondence(config, writer, self.reader, bounces)
        self.turn = threading.Lock()
        self.alone: Callable[[Waiting], Ending] = self._alone_here
        """How a suspect is worked: by a process of its own wherever there can be one."""
        self.conflicts: Counter[int] = Counter()
        self.is_stopping: Callable[[], bool] = lambda: False

    def keep(self, *mails: RawMail) -> None:
        """Store mails, in this order, and commit; nothing is lost after this returned."""
        arrived = [self._arrived(raw) for raw in mails]
        for raw, kept in zip(mails, self.store.keep_all(arrived), strict=True):
            log.info("mail kept" if kept else "mail known already", mail=kept, source=raw.source)

    def _arrived(self, raw: RawMail) -> Arrived:
        head, body = head_and_body(raw.content)
        sender = self.reader.sender_of(raw, head) or None
        kept = replace(raw, content=to_be_kept(raw.content))
        return Arrived(kept, *identity_and_message_id(head, body), sender, self._game_written_to(raw))

    def _game_written_to(self, raw: RawMail) -> str | None:
        """The game of the secret address a mail was sent to; a name that no game need have."""
        parsed = (parse_reply_address(self.writer.address, recipient) for recipient in raw.envelope_to)
        names = {game_written_to(found[0]) for found in parsed if found is not None and found[0] != CONFIRM}
        return names.pop() if len(names) == 1 else None

    def begin(self, source: str) -> Mark:
        """Where a mailbox stands; if it is new, what arrived before this moment stays there, unread."""
        with self.store.work() as work:
            mark = work.mark(source)
            if mark is None:
                # One that was read before it could be marked is read whole: mail may have come since.
                at = datetime.fromtimestamp(0, UTC) + timedelta(days=1) if work.has_read(source) else self.clock()
                mark = Mark(NOT_SEEN, 1, at)
                work.set_mark(source, mark)
                work.commit()
        return mark

    def seen(self, source: str, mark: Mark, left: int) -> None:
        """A mailbox was looked into."""
        with self.store.work() as work:
            work.set_mark(source, mark)
            work.commit()
        if left:
            log.warning("mail from before is left alone", source=source, mails=left)

    def work_all(self) -> int:
        """Work every mail that may be worked now, oldest first; the number of mails looked at."""
        worked, is_there_more = 0, True
        while is_there_more:
            some, is_there_more = self.work_some()
            worked += some
        return worked

    def work_some(self, most: int = _MOST_IN_A_TURN) -> tuple[int, bool]:
        """Work mails that have waited longest; how many were looked at, and whether there may be more."""
        with self.turn:
            row = _Row(self._taken_up, most)
            with self.store.work(may_be_lost=True) as work:  # the mail is not to blame for a loss of power
                row.go_on(work)
                work.commit()
            while row.taken is not None:
                self._work_first(row, row.taken)
        return row.number, not row.is_over

    def _taken_up(self, work: Work) -> Waiting | None:
        """The mail that has waited longest, begun with the commit; None if none may be worked now.

        A mail whose work did not come to an end may be what ended us, or merely have been in work when we were ended.
        It becomes a suspect: the others go first, then it is worked alone, where only its own faults count.
        """
        waiting = work.inbox.next(self.clock())
        if waiting is None:
            return None
        if waiting.begun:
            self._suspect(work, waiting)
        elif not waiting.is_suspect:
            work.inbox.begin(waiting.id)
        return waiting

    def _work_first(self, row: _Row, waiting: Waiting) -> None:
        """Work a mail, and take up the one behind it in the same commit, if all goes well."""
        row.taken, row.is_over = None, False
        if waiting.begun:
            return
        if waiting.is_suspect:
            self._work_alone(waiting)
            return
        passed(Step.ATTEMPT_COUNTED)
        if not self._try(waiting, row.go_on):
            row.taken, row.is_over = None, False

    def work_turn(self, turn: str) -> None:
        """Work the mail of one turn in the order it came, unless another process is at it.

        Mail whose game was not known when it came waits for its turn in that game, if it can be told now.
        """
        with self.turn:
            if self._waits_for_game(turn):
                return
            line = _Turn(turn, self.clock, self.is_stopping)
            self._go_on(line, None)
            while line.taken is not None:
                self._work_taken(line, line.taken)
                if line.taken is None and not line.is_over:
                    # Another job may have found a new mail while we still held the last one, and left it to us.
                    self._go_on(line, None)

    def resume(self) -> None:
        """Let go of mail that we took up and did not come back to: the database was away, for example."""
        if self.turn.acquire(blocking=False):  # else one is being worked
            try:
                with self.store.work() as work:
                    if work.inbox.let_go():
                        work.commit()
            finally:
                self.turn.release()

    def _waits_for_game(self, turn: str) -> bool:
        """Whether all mail of one sender has its turn in a game now, the only one he has."""
        sender = sender_of(turn)
        if not sender:
            return False
        with self.store.work() as work:
            person = work.people.by_address(sender)
            games = work.games.of_person(person.id) if person is not None else ()
            if len(games) == 1:
                work.inbox.wait_for_game(sender, games[0])
            work.commit()
        return len(games) == 1

    def _work_taken(self, line: _Turn, waiting: Waiting) -> None:
        """Work a mail, and take up the one behind it, in the same commit if all goes well."""
        if waiting.begun:  # whoever was told before us did not come back
            self._go_on(line, waiting)
            return
        if waiting.is_suspect:
            self._work_alone(waiting)
        else:
            passed(Step.ATTEMPT_COUNTED)
            if self._try(waiting, line.go_on):
                return
        self._go_on(line, None)

    def _go_on(self, line: _Turn, lost: Waiting | None) -> None:
        with self.store.work() as work:
            if lost is not None:
                self._suspect(work, lost)
            line.go_on(work)
            work.commit()

    def ask_what_waits(self) -> int:
        """Ask about mails in people's names that could not be asked about when they came."""
        with self.store.look() as work:
            if not does_anything_wait(work, self.clock()):
                return 0  # as nearly always: nobody who writes is kept waiting for that
        with self.turn, self.store.work() as work:
            ask_what_waits(work, self.correspondence, self.clock())
            work.commit()
        return 0

    def _suspect(self, work: Work, waiting: Waiting) -> None:
        pause = _PAUSES[min(waiting.losses, len(_PAUSES) - 1)]
        work.inbox.suspect(waiting.id, self.clock() + pause)
        log.warning("mail suspected, it will be worked alone", mail=waiting.id, pause=str(pause))

    def _work_alone(self, suspect: Waiting) -> None:
        """Work a suspect, and judge it by how that ended."""
        ending = self.alone(suspect)
        with self.store.work() as work:
            left = work.inbox.to_be_worked(suspect.id)
            if left is not None and left.begun:  # nobody has come back from it
                log.error("mail ended who worked it alone", mail=left.id, ending=ending.value)
                self._suspect(work, left)
                if ending is Ending.DIED:
                    self._fail(work, left, "it ends the process that works it, each time it is worked alone")
            elif left is not None and ending is not Ending.CAME_BACK:
                self._suspect(work, left)  # it was not even begun
            work.commit()

    def _alone_here(self, suspect: Waiting) -> Ending:
        """Without a process of its own: a death is our own, and proves nothing."""
        self.try_alone(suspect.id)
        return Ending.CAME_BACK

    def try_alone(self, id_: int) -> None:
        """Work a suspect; where there can be a process of its own, by that."""
        with self.store.work() as work:
            suspect = work.inbox.to_be_worked(id_)
            if suspect is None:
                return
            work.inbox.begin(id_)
            work.commit()
        passed(Step.ATTEMPT_COUNTED)
        self._try(suspect)

    def _try(self, waiting: Waiting, go_on: Callable[[Work], None] = lambda _: None) -> bool:
        """Whether it came to its end; then that is one commit with what goes on behind it."""
        try:
            self._work(waiting, go_on)
        except ConflictError:
            log.info("game changed meanwhile, trying again", mail=waiting.id)
            self.conflicts[waiting.id] += 1
            with self.store.work() as work:
                if self.conflicts[waiting.id] % _MOST_CONFLICTS:
                    work.inbox.forget(waiting.id)
                else:  # the mail is not to blame, but it may not go on for ever
                    self._fail(work, waiting, f"{_MOST_CONFLICTS} times in a row somebody else was quicker")
                work.commit()
        except Exception as error:
            if _is_of_resources(error):
                with self.store.work() as work:
                    self._suspect(work, waiting)
                    work.commit()
                raise
            log.exception("mail could not be worked", mail=waiting.id)
            with self.store.work() as work:
                self._fail(work, waiting, repr(error), is_our_mistake=True)
                work.commit()
        else:
            return True
        return False

    def _work(self, waiting: Waiting, go_on: Callable[[Work], None]) -> None:
        with self.store.work() as work:
            kind = work_mail(work, self.correspondence, waiting, self.clock())
            go_on(work)
            passed(Step.MAIL_WORKED)
            work.commit()
        log.info("mail worked", mail=waiting.id, kind=kind.value)
        passed(Step.WORK_COMMITTED)

    def _fail(self, work: Work, waiting: Waiting, reason: str, *, is_our_mistake: bool = False) -> None:
        """An attempt failed by the mail itself; with the last that it has, it is set aside and everybody told."""
        work.inbox.failed(waiting.id)
        if waiting.failures + 1 < _MOST_FAILURES:
            return
        try:
            work.inbox.set_aside(waiting.id, reason, self._holds_up(work, waiting) if is_our_mistake else None)
        except ConflictError:
            log.info("mail was worked by somebody else", mail=waiting.id)
            return
        log.error("mail set aside", mail=waiting.id)
        now = self.clock()
        if self.config.judge.operator:
            language = Language(self.config.judge.language)
            rendered = notice(NoticeKind.SET_ASIDE_MASTER, language, inbox=waiting.id, reason=reason)
            tags = LetterTags(f"set aside {waiting.id} at {now.isoformat()}")
            outgoing = self.writer.write(LetterKind.NOTICE, self.config.judge.operator, rendered, tags, now)
            work.outbox.queue(outgoing, tags, now)
        try:
            self._tell_sender(work, waiting, now)
        except Exception:  # the mail has harmed enough; the operator knows
            log.exception("nobody could be told of the mail set aside", mail=waiting.id)

    def _holds_up(self, work: Work, waiting: Waiting) -> str | None:
        """The game whose phase waits for a mail: it is proved to come from one of its players."""
        try:
            sender = identify(work, self.writer, waiting, self.reader.read(waiting.raw, lambda _: ()))
        except Exception:  # noqa: BLE001 - it may be what cannot be done with this mail
            return None
        if sender.person is None or not sender.is_proved:
            return None
        names = (sender.game,) if sender.game is not None else work.games.of_person(sender.person.id)
        games = [game for game in map(work.games.get, names) if game is not None and game.seats_of(sender.person.id)]
        return games[0].name if len(games) == 1 else None

    def _tell_sender(self, work: Work, waiting: Waiting, now: datetime) -> None:
        """By its head alone, which was read when the mail came: to read more may be what ends us."""
        letter = self.reader.read_head(waiting.raw)
        person = work.people.by_address(letter.sender) if letter.sender else None
        if person is not None:
            rendered = notice(NoticeKind.SET_ASIDE, person.language, subject=letter.subject)
            # Its own key: the reply is still to come, should the mail be replayed.
            tags = LetterTags(f"set aside {waiting.id}, to its sender, at {now.isoformat()}", inbox=waiting.id)
            outgoing = self.writer.write(LetterKind.REPLY, person.address, rendered, tags, now)
            work.outbox.queue(in_answer_to(letter, outgoing), tags, now)


def _is_of_resources(error: Exception) -> bool:
    """Whether it is the fault of the disk or the database, and no mail's."""
    if isinstance(error, OSError):
        return may_pass(error)
    return isinstance(error, OperationalError | InterfaceError)
