"""Store incoming mail, and work it: read, carry out, answer."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy.exc import InterfaceError, OperationalError

from judge.boards.operators import look_in
from judge.commands import Language
from judge.config import Config
from judge.errors import BoardError, ConflictError, may_pass
from judge.failpoints import Step, passed
from judge.mail.identity import head_and_body, identity_and_message_id
from judge.mail.large_files import to_be_kept
from judge.mail.letters import LetterKind, RawMail
from judge.mail.marks import NOT_SEEN, Mark
from judge.mail.proof import CONFIRM, game_written_to, parse_reply_address
from judge.mail.reading import MailReader
from judge.reports.readers import NoticeKind
from judge.reports.render import notice
from judge.rules.map import is_readable
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
"""This many conflicts in a row count as one failure of the mail."""
_MOST_IN_A_TURN = 20
"""The most mails per job.

After that, the worker's other jobs, or the closing of the same game, come first.
"""
_PAUSES = tuple(map(timedelta, (0, 0, 0, 0), (2, 10, 60, 300)))
"""Pauses after unfinished attempts.

The cause may pass, and other mails go first.
"""


class _Turn:
    """Claims the mails of one turn in order, up to a limit per job."""

    def __init__(self, turn: str, clock: Callable[[], datetime], is_stopping: Callable[[], bool]) -> None:
        self.turn = turn
        self.clock = clock
        self.is_stopping = is_stopping
        self.left = _MOST_IN_A_TURN
        self.is_over = False
        """Whether the rest is left to another job."""
        self.taken: Waiting | None = None
        """The mail to work next, once the claim is committed."""

    def go_on(self, work: Work) -> None:
        """Claim the next mail, or queue another job for the rest."""
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
    """Claims up to `most` mails, oldest first."""

    def __init__(self, take_up: Callable[[Work], Waiting | None], most: int) -> None:
        self.take_up = take_up
        self.most = most
        self.number = 0
        """Number of mails claimed."""
        self.taken: Waiting | None = None
        """The mail to work next, once the claim is committed."""
        self.is_over = False
        """Whether no further mail was found."""

    def go_on(self, work: Work) -> None:
        """Claim the next mail, if there is one."""
        if self.number < self.most:
            self.taken = self.take_up(work)
            self.is_over = self.taken is None
            self.number += not self.is_over


class Intake:
    """Stores mail, and works it one mail at a time."""

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
        """Works a suspect mail, in its own process unless the database is in memory."""
        self.conflicts: Counter[int] = Counter()
        self.is_stopping: Callable[[], bool] = lambda: False
        self.bad_boards: Mapping[str, tuple[str, ...]] = {}
        """The operator's boards that had faults at the last look, with all their faults."""

    def keep(self, *mails: RawMail) -> None:
        """Store mails in order and commit.

        Nothing is lost once this has returned.
        """
        arrived = [self._arrived(raw) for raw in mails]
        for raw, kept in zip(mails, self.store.keep_all(arrived), strict=True):
            log.info("mail kept" if kept else "mail known already", mail=kept, source=raw.source)

    def _arrived(self, raw: RawMail) -> Arrived:
        head, body = head_and_body(raw.content)
        sender = self.reader.sender_of(raw, head) or None
        kept = replace(raw, content=to_be_kept(raw.content))
        return Arrived(kept, *identity_and_message_id(head, body), sender, self._game_written_to(raw))

    def _game_written_to(self, raw: RawMail) -> str | None:
        """Return the game named by the secret address a mail was sent to.

        Such a game may not exist.
        """
        parsed = (parse_reply_address(self.writer.address, recipient) for recipient in raw.envelope_to)
        names = {game_written_to(found[0]) for found in parsed if found is not None} - {CONFIRM}
        return names.pop() if len(names) == 1 else None

    def begin(self, source: str) -> Mark:
        """Return the mark of a mailbox.

        In a new mailbox, mail from before this moment will stay unread.
        """
        with self.store.work() as work:
            mark = work.mark(source)
            if mark is None:
                # A mailbox once read by a version without marks is read completely: mail may have arrived since.
                at = datetime.fromtimestamp(0, UTC) + timedelta(days=1) if work.has_read(source) else self.clock()
                mark = Mark(NOT_SEEN, 1, at)
                work.set_mark(source, mark)
                work.commit()
        return mark

    def seen(self, source: str, mark: Mark, left: int) -> None:
        """Save the mark of an opened mailbox; log how many mails are `left` unread."""
        with self.store.work() as work:
            work.set_mark(source, mark)
            work.commit()
        if left:
            log.warning("mail from before is left alone", source=source, mails=left)

    def work_all(self) -> int:
        """Work every mail that may be worked now, oldest first.

        Return the number of mails claimed.
        """
        worked, is_there_more = 0, True
        while is_there_more and not self.is_stopping():
            some, is_there_more = self.work_some()
            worked += some
        return worked

    def work_some(self, most: int = _MOST_IN_A_TURN) -> tuple[int, bool]:
        """Work up to `most` mails, oldest first.

        Return their number, and whether there may be more.
        """
        with self.turn:
            row = _Row(self._taken_up, most)
            with self.store.work(may_be_lost=True) as work:  # a power cut is not the mail's fault
                row.go_on(work)
                work.commit()
            while row.taken is not None:
                self._work_first(row, row.taken)
        return row.number, not row.is_over

    def _taken_up(self, work: Work) -> Waiting | None:
        """Claim the oldest mail; return None if none may be worked now.

        The claim takes effect with the commit.
        The last attempt at a mail may not have finished. The mail may have crashed the process, or it was only under
        way when the process was killed. It becomes a suspect: other mails go first, then it is worked alone. A crash
        then proves that the mail is at fault.
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
        """Work a mail; if all goes well, claim the next in the same commit."""
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
        """Work the mails of one turn in order of arrival.

        Nothing is done while another process works this turn.
        Mail whose game was not known on arrival is moved to that game's turn, if the game is known now.
        """
        with self.turn:
            if self._waits_for_game(turn):
                return
            line = _Turn(turn, self.clock, self.is_stopping)
            self._go_on(line, None)
            while line.taken is not None:
                self._work_taken(line, line.taken)
                if line.taken is None and not line.is_over:
                    # Another job may have seen a new mail while we held the last one, and left it to us.
                    self._go_on(line, None)

    def resume(self) -> None:
        """Release mail that we claimed and did not finish.

        The database may have been away, for example.
        """
        if self.turn.acquire(blocking=False):  # otherwise a mail is being worked
            try:
                with self.store.work() as work:
                    work.inbox.let_go()
                    work.commit()  # always: at a rollback psycopg forgets which statements the server has prepared
            finally:
                self.turn.release()

    def _waits_for_game(self, turn: str) -> bool:
        """Whether a sender's mail was moved to the turn of the only game they play."""
        sender = sender_of(turn)
        if not sender:
            return False
        with self.store.work() as work:
            people = work.people.at(sender)
            games = {name: None for person in people for name in work.games.of_person(person.id)}
            if len(games) == 1:
                work.inbox.wait_for_game(sender, next(iter(games)))
            work.commit()
        return len(games) == 1

    def _work_taken(self, line: _Turn, waiting: Waiting) -> None:
        """Work a mail and claim the next; if all goes well, in the same commit."""
        if waiting.begun:  # an earlier attempt did not finish
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
        """Ask addresses about held mails in their names; return 0.

        The limits did not allow the questions when the mails arrived.
        """
        with self.store.look() as work:
            if not does_anything_wait(work, self.clock()):
                return 0  # the usual case, checked without keeping other mail waiting
        with self.turn, self.store.work() as work:
            ask_what_waits(work, self.correspondence, self.clock())
            work.commit()
        return 0

    def _suspect(self, work: Work, waiting: Waiting) -> None:
        pause = _PAUSES[min(waiting.losses, len(_PAUSES) - 1)]
        work.inbox.suspect(waiting.id, self.clock() + pause)
        log.warning("mail suspected, it will be worked alone", mail=waiting.id, pause=str(pause))

    def _work_alone(self, suspect: Waiting) -> None:
        """Work a suspect, and decide what becomes of it by how that ended."""
        ending = self.alone(suspect)
        with self.store.work() as work:
            left = work.inbox.to_be_worked(suspect.id)
            if left is not None and left.begun:  # the attempt did not finish
                log.error("mail ended who worked it alone", mail=left.id, ending=ending.value)
                self._suspect(work, left)
                if ending is Ending.DIED:
                    self._fail(work, left, "it ends the process that works it, each time it is worked alone")
            elif left is not None and ending is not Ending.CAME_BACK:
                self._suspect(work, left)  # the attempt was not even begun
            work.commit()

    def _alone_here(self, suspect: Waiting) -> Ending:
        """Work a suspect in this process.

        A crash here ends the judge itself, and proves nothing about the mail.
        """
        self.try_alone(suspect.id)
        return Ending.CAME_BACK

    def try_alone(self, id_: int) -> None:
        """Work a suspect; runs in a process of its own where that is possible."""
        with self.store.work() as work:
            suspect = work.inbox.to_be_worked(id_)
            if suspect is None:
                return
            work.inbox.begin(id_)
            work.commit()
        passed(Step.ATTEMPT_COUNTED)
        self._try(suspect)

    def _try(self, waiting: Waiting, go_on: Callable[[Work], None] = lambda _: None) -> bool:
        """Work a mail and call `go_on` in the same commit; return whether that succeeded."""
        try:
            self._work(waiting, go_on)
        except ConflictError:
            log.info("game changed meanwhile, trying again", mail=waiting.id)
            self.conflicts[waiting.id] += 1
            with self.store.work() as work:
                if self.conflicts[waiting.id] % _MOST_CONFLICTS:
                    work.inbox.forget(waiting.id)
                else:  # the mail is not at fault, but must not be retried for ever
                    self._fail(work, waiting, f"{_MOST_CONFLICTS} times in a row somebody else was quicker")
                work.commit()
        except BoardError as error:
            self._wait_for_board(waiting, error)
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

    def _wait_for_board(self, waiting: Waiting, error: BoardError) -> None:
        """Set a mail aside until its board is mended.

        The operator is told once a day, and the sender once.
        """
        now, reason = self.clock(), str(error)
        log.error("mail waits for a board", mail=waiting.id, reason=reason)
        with self.store.work() as work:
            work.inbox.wait_for_board(waiting.id, error.board, reason, self._holds_up(work, waiting, error.board))
            key = f"board {error.board} away {now.date()}"
            self._tell_operator(work, NoticeKind.BOARD_AWAY_MASTER, key, now, reason=reason)
            self._tell_sender(work, NoticeKind.BOARD_AWAY, waiting, f"waits for its board {waiting.id}", now)
            work.commit()

    def heed_boards(self) -> int:
        """Log which of the operator's boards broke or were mended; return 0.

        The mails that waited for mended boards are worked again.
        """
        folder = self.config.games.boards
        bad = look_in(folder).bad if folder is not None else {}
        for name, faults in bad.items():
            if self.bad_boards.get(name) != faults:
                log.error("board is not played on", board=name, reason="; ".join(faults))
        for name in self.bad_boards.keys() - bad.keys():
            log.info("board is mended", board=name)
        self.bad_boards = bad
        with self.store.look() as work:
            mended = [mail for mail, board in work.inbox.waiting_for_boards().items() if is_readable(board)]
        for mail in mended:
            with self.store.work() as work:
                work.inbox.replay(mail)
                work.commit()
            log.info("mail waited for a board, and is worked now", mail=mail)
        return 0

    def _fail(self, work: Work, waiting: Waiting, reason: str, *, is_our_mistake: bool = False) -> None:
        """Count a failure of the mail itself.

        After the last failure, the mail is set aside, and operator and sender are told.
        """
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
        key = f"set aside {waiting.id} at {now.isoformat()}"
        self._tell_operator(work, NoticeKind.SET_ASIDE_MASTER, key, now, inbox=waiting.id, reason=reason)
        try:
            # A separate key: if the mail is replayed, its reply must still be sent.
            key = f"set aside {waiting.id}, to its sender, at {now.isoformat()}"
            self._tell_sender(work, NoticeKind.SET_ASIDE, waiting, key, now)
        except Exception:  # the operator is told; the mail must do no more harm
            log.exception("nobody could be told of the mail set aside", mail=waiting.id)

    def _holds_up(self, work: Work, waiting: Waiting, board: str | None = None) -> str | None:
        """Return the game whose phase waits for a mail that was set aside.

        The mail must be proved to come from a player of exactly one such game, on `board` if one is given.
        """
        try:
            sender = identify(work, self.writer, waiting, self.reader.read(waiting.raw, lambda _: ()))
        except Exception:  # noqa: BLE001 - identifying its sender may be what fails
            return None
        if sender.person is None or not sender.is_proved:
            return None
        names = (sender.game,) if sender.game is not None else work.games.of_person(sender.person.id)
        games = [game for game in map(work.games.get, names) if game is not None and game.seats_of(sender.person.id)]
        games = [game for game in games if board in (None, game.settings.map)]
        return games[0].name if len(games) == 1 else None

    def _tell_operator(self, work: Work, kind: NoticeKind, key: str, now: datetime, **values: object) -> None:
        if self.config.judge.operator:
            rendered = notice(kind, Language(self.config.judge.language), **values)
            tags = LetterTags(key)
            outgoing = self.writer.write(LetterKind.NOTICE, self.config.judge.operator, rendered, tags, now)
            work.outbox.queue(outgoing, tags, now)

    def _tell_sender(self, work: Work, kind: NoticeKind, waiting: Waiting, key: str, now: datetime) -> None:
        """Tell the sender.

        Only the head of the mail is read: reading more may crash the process.
        """
        letter = self.reader.read_head(waiting.raw)
        people = work.people.at(letter.sender) if letter.sender else ()
        if people:
            person = people[0]
            rendered = notice(kind, person.language, subject=letter.subject)
            tags = LetterTags(key, inbox=waiting.id)
            outgoing = self.writer.write(LetterKind.REPLY, person.address, rendered, tags, now)
            work.outbox.queue(in_answer_to(letter, outgoing), tags, now)


def _is_of_resources(error: Exception) -> bool:
    """Whether an error is due to the disk or the database, not to a mail."""
    if isinstance(error, OSError):
        return may_pass(error)
    return isinstance(error, OperationalError | InterfaceError)
