"""The route of a deadline: sources drained, waiting mail worked, the phase closed, reports queued."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog

from judge.config import Config
from judge.errors import ConflictError, SourceError
from judge.failpoints import Step, passed
from judge.games import Game, close
from judge.mail.letters import LetterKind
from judge.mail.sources import Source
from judge.reports import NoticeKind, notice
from judge.service.intake import Intake
from judge.service.letters import Desk, queue_event, record
from judge.storage import About, Store

log = structlog.get_logger(__name__)

_WORTH_TELLING = timedelta(minutes=10)


class Closing:
    """Closes phases that are due."""

    def __init__(
        self,
        store: Store,
        config: Config,
        clock: Callable[[], datetime],
        desk: Desk,
        intake: Intake,
        sources: Sequence[Source],
    ) -> None:
        self.store = store
        self.settling = timedelta(seconds=config.games.settling_seconds)
        self.clock = clock
        self.desk = desk
        self.intake = intake
        self.sources = sources
        self.on_closed: Callable[[], None] = lambda: None

    def close_due(self) -> int:
        """Close every phase that is due; the number of phases closed."""
        due = self._ripe(self.clock())
        if not due:
            return 0
        try:
            for source in self.sources:
                source.drain()
        except SourceError as error:
            # A mail that counts may be waiting there: nothing is closed behind the players' backs.
            log.warning("closing waits for a source", source=str(error))
            self._tell_masters(due, str(error))
            return 0
        passed(Step.SOURCES_DRAINED)
        self.intake.work_all()
        closed = sum(self.close(game.name) for game in due)
        if closed:
            self.on_closed()
        return closed

    def _tell_masters(self, games: Sequence[Game], reason: str) -> None:
        """Say once why a phase is not closed, if that has lasted; servers are away for a moment every day."""
        now = self.clock()
        with self.store.work() as work:
            for game in games:
                if now - self._closes_at(game) > _WORTH_TELLING:
                    master = work.people.many([game.master])[game.master]
                    told = notice(NoticeKind.HELD_UP, master.language, game=game, reason=reason)
                    about = About(f"held up {game.name} {game.position.phase}", person=master.id, game=game.name)
                    letter = self.desk.write(LetterKind.NOTICE, master.address, told, about, now, game)
                    work.outbox.queue(letter, about, now)
            work.commit()

    def _ripe(self, now: datetime) -> list[Game]:
        """The games to close: closing was asked for, or the deadline and the settling time are over."""
        with self.store.work() as work:
            games = [work.games.get(name) for name in work.games.due(now)]
        return [game for game in games if game is not None and self._closes_at(game) <= now]

    def _closes_at(self, game: Game) -> datetime:
        assert game.due is not None
        return game.due if game.due == game.closing_since else game.due + self.settling

    def close(self, name: str) -> bool:
        """Close the open phase of one game, if it is still due; False if it was left as it is."""
        now = self.clock()
        try:
            with self.intake.turn, self.store.work() as work:
                game = work.games.get(name)
                if game is None or game.due is None or self._closes_at(game) > now:
                    return False
                closed = close(game, game.position.phase, now)
                if closed is None:
                    return False
                after, event = closed
                work.games.save(after)
                work.record(event, json.dumps(record(event), ensure_ascii=False))
                queue_event(work, self.desk, event, now)
                passed(Step.PHASE_CLOSED)
                work.commit()
            passed(Step.CLOSING_COMMITTED)
        except ConflictError:
            return False  # somebody changed the game just now; it is still due
        except Exception:
            log.exception("phase could not be closed", game=name)
            return False
        log.info("phase closed", game=name, phase=str(event.phase), next=str(after.position.phase))
        return True

    def next_moment(self) -> datetime | None:
        """When the next phase is due."""
        with self.store.work() as work:
            return work.games.next_due()
