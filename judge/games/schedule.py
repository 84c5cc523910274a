"""Deadlines and early closing of phases (RULES R-UPD)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from judge.calendar import deadline, upcoming
from judge.games.absences import waiting
from judge.games.clock import Clock
from judge.games.draws import played
from judge.games.game import Game, GameState
from judge.games.terms import Settings
from judge.rules.options import AdjustmentSeason, ReadyNeeded, SkippedTime, UpdateType
from judge.rules.position import Phase, PhaseKind, Power, Season


def opened(game: Game, now: datetime, *, is_first: bool = False, due: datetime | None = None) -> Game:
    """Open the phase with the deadline from the settings.

    Absences and time carried over move it. `due` is the deadline of the phase before. If that phase closed early, the
    new one ends no later than if it had closed when due: a timetable with weekdays alone could put it a day later.
    """
    moment = _deadline(game, now, is_first=is_first)
    if moment is not None and due is not None and due > now:
        moment = min(moment, _deadline(game, due, is_first=is_first) or moment)
    carried, added = game.clock.carried, timedelta()
    if moment is not None and game.position.phase.kind is PhaseKind.MOVEMENT:
        carried, added = added, carried
        moment += added
    unmoved = moment
    if moment is not None:
        game, moment = waiting(game, moment)
    unmoved = unmoved if moment != unmoved else None
    return replace(game, clock=Clock(now, moment, unmoved=unmoved, carried=carried, added=added))


def _deadline(game: Game, now: datetime, *, is_first: bool) -> datetime | None:
    """Return the deadline by the timetable; None if phases do not close by time."""
    settings = game.settings
    if not has_deadlines(settings):
        return None
    return deadline(settings.timetable_of(game.position.phase, is_first=is_first), now, settings.zone)


def has_deadlines(settings: Settings) -> bool:
    """Whether phases close by time."""
    return settings.rules.update_type not in (UpdateType.ON_COMPLETION, UpdateType.MANUAL)


def moved(game: Game, moment: datetime, now: datetime) -> Game:
    """Return the game with another deadline.

    Reminders whose time is already past are not sent.
    """
    past = sum(moment - before <= now for before in game.all_reminders)
    return replace(game, clock=replace(game.clock, deadline=moment, unmoved=None, before_outage=None, reminded=past))


_NOTICE = timedelta(days=1)
"""The least notice before a deadline that moves to an earlier time.

A player may have relied on the later one.
"""


def with_absences(game: Game, now: datetime) -> Game:
    """Return the game with the deadline of its open phase moved by absences.

    Absences do not move the end of a grace period.
    """
    before = game.clock.deadline
    if before is None or game.clock.in_grace:
        return game
    base = game.clock.unmoved or before
    game, moment = waiting(game, base)
    moment = max(moment, min(before, now + _NOTICE))
    game = moved(game, moment, now) if moment != before else game
    return replace(game, clock=replace(game.clock, unmoved=base if moment != base else None))


def half_a_phase(game: Game) -> timedelta | None:
    """Return half the time that the timetable gives the open phase; None without a timetable."""
    opened_at = game.clock.opened_at
    usual = _deadline(game, opened_at, is_first=not game.has_begun) if opened_at is not None else None
    return (usual - opened_at) / 2 if usual is not None and opened_at is not None else None


def with_time_for(game: Game, powers: Collection[Power], now: datetime) -> Game:
    """Return the game with at least half a phase left for new players.

    They are the players of `powers`, and each power gets more time once a phase. There is no more time for players with
    nothing to decide, or while the master is closing the phase. In fog it does not matter whether they have something
    to decide, because that is secret.
    """
    clock, half = game.clock, half_a_phase(game)
    decides = game.is_foggy or not set(powers).isdisjoint(game.deciding)
    if half is None or not decides or clock.processed is not None or not set(powers).isdisjoint(clock.successors):
        return game
    if clock.left is not None and clock.left < half:
        return replace(game, clock=replace(clock, left=half, successors=(*clock.successors, *powers)))
    if clock.deadline is None or clock.deadline >= now + half:
        return game
    later = moved(game, now + half, now)
    # In a grace period they could not change what is on file.
    return replace(later, clock=replace(later.clock, in_grace=False, successors=(*clock.successors, *powers)))


def left_over(game: Game, now: datetime) -> timedelta:
    """Return the unused time of retreats and adjustments, if carried over (R-UPD-3)."""
    minor = game.position.phase.kind is not PhaseKind.MOVEMENT
    hands_on = game.settings.rules.update_type is UpdateType.SCHEDULED_WITH_EARLY_MINOR_PHASES
    if not (minor and hands_on) or game.clock.deadline is None:
        return game.clock.carried
    return game.clock.carried + max(timedelta(), game.clock.deadline - now)


def may_close_when_ready(settings: Settings, kind: PhaseKind) -> bool:
    """Whether a phase closes as soon as every player that it waits for is ready."""
    if settings.rules.fog.is_thick and kind is not PhaseKind.MOVEMENT:
        return False  # that would tell who has something to decide (R-FOG-4)
    match settings.rules.update_type:
        case UpdateType.SCHEDULED | UpdateType.MANUAL:
            return False
        case UpdateType.ON_COMPLETION | UpdateType.SCHEDULED_OR_ON_COMPLETION:
            return True
        case UpdateType.SCHEDULED_WITH_EARLY_MINOR_PHASES:
            return kind is not PhaseKind.MOVEMENT


def awaited(game: Game) -> tuple[Power, ...]:
    """Return the powers that must be READY to close the open phase early (R-UPD-2).

    In fog these are all powers that a person plays, because it is hidden which ones must decide.
    """
    if game.is_foggy:
        return tuple(seat.power for seat in played(game))
    deciding = game.deciding
    if game.settings.rules.ready_needed is ReadyNeeded.DECIDING or not deciding:
        return deciding
    return tuple(seat.power for seat in played(game))


def left_to_robots(game: Game) -> bool:
    """Whether only robots are left to decide and there is no deadline.

    Then READY of any player closes the phase.
    """
    if game.is_foggy:  # players do not know whether others have something to decide
        return False
    return game.clock.deadline is None and not game.deciding and any(seat.is_robot for seat in game.seats)


def heeding_readiness(game: Game, now: datetime) -> Game:
    """Start closing the phase if all players it waits for are ready.

    Stop closing if one of them is not. A phase that the master is closing closes regardless of readiness.
    """
    if game.state is not GameState.ACTIVE or game.clock.opened_at is None or game.clock.processed is not None:
        return game
    kind, deciding = game.position.phase.kind, awaited(game) if game.is_foggy else game.deciding
    if not deciding and kind is not PhaseKind.MOVEMENT:  # no player to wait for
        return replace(game, clock=replace(game.clock, closing_since=game.clock.closing_since or now))
    if not deciding and left_to_robots(game):
        return game
    ready = bool(deciding) and all(game.seat(power).filed.ready for power in awaited(game))
    if not ready or any(seat.filed.waits for seat in game.seats) or not may_close_when_ready(game.settings, kind):
        return replace(game, clock=replace(game.clock, closing_since=None)) if game.clock.closing_since else game
    since = game.clock.closing_since or max(now, game.clock.opened_at + game.settings.earliest)
    return replace(game, clock=replace(game.clock, closing_since=since))


def rescheduled(game: Game, now: datetime) -> Game:
    """Adapt the deadline of the open phase to a changed update type."""
    moment = _deadline(game, now, is_first=False)
    if game.state is GameState.PAUSED:
        return replace(game, clock=replace(game.clock, left=moment - now if moment is not None else None))
    if moment is None:
        return replace(game, clock=replace(game.clock, deadline=None, in_grace=False, awaits=False))
    game, later = waiting(replace(game, clock=replace(game.clock, closing_since=None)), moment)
    game = moved(game, later, now)
    return replace(game, clock=replace(game.clock, unmoved=moment if later != moment else None))


def paused(game: Game, now: datetime) -> Game:
    """Stop the clock."""
    return replace(game, state=GameState.PAUSED, clock=game.clock.paused(now))


def resumed(game: Game, now: datetime) -> Game:
    """Resume the clock with the time that was left."""
    moment = now + game.clock.left if game.clock.left is not None else None
    game = replace(game, state=GameState.ACTIVE, clock=replace(game.clock, left=None))
    return heeding_readiness(moved(game, moment, now) if moment is not None else game, now)


def upcoming_deadlines(game: Game, now: datetime, count: int) -> tuple[datetime, ...]:
    """Return the next deadlines of movement phases if no phase closes early.

    The deadline of the open phase comes first.
    """
    if game.clock.deadline is None:
        return ()
    settings = game.settings
    return (game.clock.deadline, *upcoming(settings.movement, max(now, game.clock.deadline), settings.zone, count - 1))


def skipped_time(settings: Settings, before: Phase, after: Phase, now: datetime) -> timedelta:
    """Return the time of retreat and adjustment phases that were skipped.

    It is zero where the rules do not carry it over.
    """
    rules = settings.rules
    hands_on = rules.update_type is UpdateType.SCHEDULED_WITH_EARLY_MINOR_PHASES
    if not hands_on or rules.skipped_time is SkippedTime.LOST:
        return timedelta()
    skipped = [settings.retreat] if before.kind is PhaseKind.MOVEMENT and after.kind is not PhaseKind.RETREAT else []
    adjusts = before.season is not Season.SPRING or rules.adjustment_season is AdjustmentSeason.SPRING_TOO
    if adjusts and before.kind is not PhaseKind.ADJUSTMENT and after.kind is PhaseKind.MOVEMENT:
        skipped.append(settings.adjustment)
    return sum((deadline(table, now, settings.zone) - now for table in skipped), timedelta())
