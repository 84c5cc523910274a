"""Closing at a deadline.

Drain the sources, work the waiting mail, close the phase, queue the reports.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog

from judge.config import Config
from judge.errors import ConflictError, SourceError
from judge.failpoints import Step, passed
from judge.games import Game, remind
from judge.games.events import PhaseClosed
from judge.games.muster import is_muster_due
from judge.games.seats import has_lapsed
from judge.mail.sources import Source
from judge.rules.map import is_readable
from judge.service.engine.intake import Intake
from judge.service.muster import muster
from judge.service.phases import (
    close_phase,
    is_held_up_by_mail,
    is_ripe,
    move_back,
    remind_of_deadline,
    tell_of_hold_up,
    tell_of_mail,
    unworked_mail,
)
from judge.service.post.letters import LetterWriter
from judge.storage import Store

log = structlog.get_logger(__name__)

_BACK = timedelta(minutes=1)
"""A smaller step back is no jump: clocks are corrected by seconds all the time."""


class Closing:
    """Closes phases that are due, each in its own unit of work."""

    def __init__(
        self,
        store: Store,
        config: Config,
        clock: Callable[[], datetime],
        writer: LetterWriter,
        intake: Intake,
        sources: Sequence[Source],
    ) -> None:
        self.store = store
        self.settling = timedelta(seconds=config.games.settling_seconds)
        self.clock = clock
        self.writer = writer
        self.intake = intake
        self.sources = sources
        self.unread_since: Callable[[datetime], Sequence[str]] = lambda _: ()
        """Returns the mailboxes that other processes have not read since a time."""
        self.clock_complaint: Callable[[], str] = str
        """Returns what is wrong with the clock, or "".

        Until the clock is right, no phase closes and no reminder is sent.
        """
        self.read_last: datetime | None = None
        """When the clock was last read."""

    def close_due(self) -> int:
        """Send the reminders that are due and close every phase that is due.

        Return the number of phases closed.
        """
        if self.clock_complaint():
            return 0
        self.heed_the_clock(self.clock())
        awake = self._awake(self.clock())
        for game in awake:
            self._remind(game)
        due = [game for game in awake if is_ripe(game, self.settling, self.clock())]
        silent = [game for game in awake if is_muster_due(game, self.clock())]
        if not due and not silent:
            return 0
        try:
            for source in self.sources:
                source.drain()
        except SourceError as error:
            # A mail that counts may be waiting there, therefore nothing is closed yet.
            log.warning("closing waits for a source", source=str(error))
            self._tell_masters(due)
            return 0
        passed(Step.SOURCES_DRAINED)
        self.intake.heed_boards()  # mail may have waited for a board that is mended
        self.intake.work_all()
        for game in silent:
            self._muster(game)
        return sum(self.close(game.name, game) for game in due if not self._lacks_mail(game))

    def look_after(self, game: str) -> None:
        """Close the phase of one game and send its reminders, if they are due."""
        if self.clock_complaint():
            return  # the next look queues this job again
        with self.store.look() as work:
            known = work.games.get(game)
        if known is None or not is_readable(known.settings.map):
            return
        self._remind(known)
        now = self.clock()
        if known.next_muster is not None and known.next_muster <= now and not self.unread_since(known.next_muster):
            self._muster(known)
        if not is_ripe(known, self.settling, now):
            return
        assert known.due is not None
        if unread := self.unread_since(known.due):
            log.warning("closing waits for mailboxes", game=game, mailboxes=", ".join(unread))
            self._tell_masters([known])
            return
        passed(Step.SOURCES_DRAINED)
        self.intake.heed_boards()  # mail may have waited for a board that is mended
        if not self._lacks_mail(known):
            self.close(game)

    def heed_the_clock(self, now: datetime) -> None:
        """Correct deadlines that a wrong clock may have moved.

        This happens after the clock went back, and once after the start.
        """
        before, self.read_last = self.read_last, now
        if before is not None and now > before - _BACK:
            return
        with self.store.look() as work:
            names = work.games.with_outage()
        for name in names:
            with self.intake.turn, self.store.work() as work:
                game = work.games.get(name)
                if game is not None and is_readable(game.settings.map) and move_back(work, self.writer, game, now):
                    work.commit()
                    log.warning("clock went back, the deadline as well", game=name)

    def _lacks_mail(self, game: Game) -> bool:
        """Whether mail that may be for this game is missing.

        It arrived in time, but is not worked yet, or was set aside through our fault.
        """
        with self.store.work() as work:
            lacking = unworked_mail(work, self.writer, game, self.clock())
            is_held_up = is_held_up_by_mail(work, game, self.clock())
            if is_held_up:
                tell_of_mail(work, self.writer, game, self.clock())
                work.commit()
        if lacking:
            log.warning("closing waits for mail that is still to be worked", game=game.name, mails=len(lacking))
        return bool(lacking) or is_held_up

    def _tell_masters(self, games: Sequence[Game]) -> None:
        now = self.clock()
        with self.store.work() as work:
            for game in games:
                tell_of_hold_up(work, self.writer, game, now)
            work.commit()

    def _awake(self, now: datetime) -> list[Game]:
        """Return the games that have something due; games whose board is unreadable wait."""
        with self.store.look() as work:
            games = [work.games.get(name) for name in work.games.due(now)]
        return [game for game in games if game is not None and is_readable(game.settings.map)]

    def close(self, name: str, known: Game | None = None) -> bool:
        """Close the open phase of a game if it is still due.

        Return False if nothing was closed.
        `known` is the game as it was read before; it is read again only if it has changed since.
        """
        now = self.clock()
        try:
            with self.intake.turn, self.store.work() as work:
                game = work.games.current(known) if known is not None else work.games.get(name)
                if game is None or not is_ripe(game, self.settling, now):
                    return False
                closed = close_phase(work, self.writer, game, now, secrets.randbits(32))
                if closed is None:
                    return False
                passed(Step.PHASE_CLOSED)
                work.commit()
            passed(Step.CLOSING_COMMITTED)
        except ConflictError:
            return False  # another transaction changed the game; it is still due
        except Exception:
            log.exception("phase could not be closed", game=name)
            return False
        after, events = closed
        what = "phase closed" if any(isinstance(event, PhaseClosed) for event in events) else "phase kept open"
        log.info(what, game=name, phase=str(game.position.phase), next=str(after.position.phase))
        return True

    def _muster(self, known: Game) -> None:
        """Ask silent players of a forming game; all mail has been read before."""
        try:
            with self.intake.turn, self.store.work() as work:
                game = work.games.current(known)
                if game is not None and muster(work, self.writer, game, self.clock()):
                    work.commit()
                    log.info("mustered", game=known.name)
        except ConflictError:
            return  # it is still due
        except Exception:
            log.exception("silent players could not be asked", game=known.name)

    def _remind(self, known: Game) -> None:
        now, name = self.clock(), known.name
        if remind(known, now) is None and not has_lapsed(known, now):
            return
        try:
            with self.intake.turn, self.store.work() as work:
                game = work.games.current(known)
                if game is not None and remind_of_deadline(work, self.writer, game, now):
                    passed(Step.PHASE_CLOSED)
                    work.commit()
                    log.info("reminded", game=name)
        except ConflictError:
            return  # the reminder is still due
        except Exception:
            log.exception("nobody could be reminded", game=name)
