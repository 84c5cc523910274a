"""The route of a deadline: sources drained, waiting mail worked, the phase closed, reports queued."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta

import structlog

from judge.config import Config
from judge.errors import ConflictError, SourceError
from judge.failpoints import Step, passed
from judge.games import Game, close, remind
from judge.games.events import Event, HeldUp, PhaseClosed, StartReset
from judge.mail.proof import parse_reply_address
from judge.mail.sources import Source
from judge.service.engine.intake import Intake
from judge.service.post.letters import Desk, record
from judge.service.post.telling import tell
from judge.storage import Storage, Unworked, Work

log = structlog.get_logger(__name__)

_WORTH_TELLING = timedelta(minutes=10)
_LONGEST_HOLD = timedelta(days=1)
"""From its arrival, for mail that still could not be worked; what is found later goes to the master."""


class Closing:
    """Closes phases that are due."""

    def __init__(
        self,
        store: Storage,
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
        """Close every phase that is due, and remind who has to be reminded; the number of phases closed."""
        awake = self._awake(self.clock())
        for game in awake:
            self._remind(game)
        due = [game for game in awake if self._is_ripe(game, self.clock())]
        if not due:
            return 0
        try:
            for source in self.sources:
                source.drain()
        except SourceError as error:
            # A mail that counts may be waiting there: nothing is closed behind the players' backs.
            log.warning("closing waits for a source", source=str(error))
            self._tell_masters(due)
            return 0
        passed(Step.SOURCES_DRAINED)
        self.intake.work_all()
        closed = sum(self.close(game.name, game) for game in due if not self._lacks_mail(game))
        if closed:
            self.on_closed()
        return closed

    def _lacks_mail(self, game: Game) -> bool:
        """Whether mail that came in time, and may be for this game, is still to be worked: a suspect, or behind one."""
        assert game.due is not None
        with self.store.work() as work:
            unworked = work.inbox.unworked(self.clock() - _LONGEST_HOLD, game.due)
            addresses = {person.address for person in work.people.many(game.members).values()} if unworked else set()
        lacking = [mail for mail in unworked if self._may_be_for(mail, game, addresses)]
        if lacking:
            log.warning("closing waits for mail that is still to be worked", game=game.name, mails=len(lacking))
        return bool(lacking)

    def _may_be_for(self, mail: Unworked, game: Game, addresses: Collection[str]) -> bool:
        if mail.sender is None or mail.sender in addresses:
            return True
        parsed = (parse_reply_address(self.desk.address, recipient) for recipient in mail.recipients)
        return any(found is not None and found[0] == game.name for found in parsed)

    def _tell_masters(self, games: Sequence[Game]) -> None:
        """Each once for each phase, if it lasts; servers are away for a moment every day."""
        now = self.clock()
        with self.store.work() as work:
            for game in games:
                if game.due is not None and now - game.due > _WORTH_TELLING:
                    tell(work, self.desk, HeldUp(game, now), now, f"{game.name} {game.position.phase}")
            work.commit()

    def _awake(self, now: datetime) -> list[Game]:
        """The games the clock has to look at."""
        with self.store.work() as work:
            games = [work.games.get(name) for name in work.games.due(now)]
        return [game for game in games if game is not None]

    def _is_ripe(self, game: Game, now: datetime) -> bool:
        """Whether closing was asked for, or the deadline and the settling time are over."""
        if game.due is None:
            return False
        return now >= (game.due if game.due == game.closing_since else game.due + self.settling)

    def close(self, name: str, known: Game | None = None) -> bool:
        """Close the open phase of one game, if it is still due; False if it was left as it is.

        `known` is the game as it was read before, so that it is not read again unless somebody changed it.
        """
        now = self.clock()
        try:
            with self.intake.turn, self.store.work() as work:
                game = work.games.current(known) if known is not None else work.games.get(name)
                if game is None or not self._is_ripe(game, now):
                    return False
                closed = close(game, game.position.phase, now, seed=secrets.randbits(32))
                if closed is None:
                    return False
                self._save(work, *closed, now)
            passed(Step.CLOSING_COMMITTED)
        except ConflictError:
            return False  # somebody changed the game just now; it is still due
        except Exception:
            log.exception("phase could not be closed", game=name)
            return False
        after, events = closed
        what = "phase closed" if any(isinstance(event, PhaseClosed) for event in events) else "phase kept open"
        log.info(what, game=name, phase=str(game.position.phase), next=str(after.position.phase))
        return True

    def _remind(self, known: Game) -> None:
        now, name = self.clock(), known.name
        if remind(known, now) is None:
            return
        try:
            with self.intake.turn, self.store.work() as work:
                game = work.games.current(known)
                reminded = remind(game, now) if game is not None else None
                if reminded is not None:
                    self._save(work, *reminded, now)
                    log.info("reminded", game=name)
        except ConflictError:
            return  # it is still to be done
        except Exception:
            log.exception("nobody could be reminded", game=name)

    def _save(self, work: Work, game: Game, events: Sequence[Event], now: datetime) -> None:
        saved = work.games.save(game)
        for event in events:
            if isinstance(event, PhaseClosed):
                work.records.close(event, json.dumps(record(event), ensure_ascii=False))
            if isinstance(event, StartReset):
                work.records.forget_rollback(saved.name)
            tell(work, self.desk, event, now, f"{saved.name} {saved.version}")
        passed(Step.PHASE_CLOSED)
        work.commit()
