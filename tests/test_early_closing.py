"""Deadlines after a phase that closed early are no later than without that."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.calendar import Timetable, Weekday, deadline
from judge.games import Game, PersonId, close
from judge.games.clock import Clock
from judge.games.game import GameState, Seat
from judge.games.schedule import heeding_readiness
from judge.games.settings import usual_settings
from judge.games.setup import set_out
from judge.games.terms import Settings
from judge.rules.options import UpdateType

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
EARLY = (UpdateType.SCHEDULED_OR_ON_COMPLETION, UpdateType.SCHEDULED_WITH_EARLY_MINOR_PHASES)
TIMETABLES = st.builds(
    Timetable,
    st.timedeltas(HOUR, 10 * DAY),
    st.frozensets(st.sampled_from(Weekday)),
    st.none() | st.times().map(lambda at: at.replace(second=0, microsecond=0)),
)


def opened(zone: str, at: str, *timetables: Timetable, update: UpdateType = EARLY[0]) -> Game:
    """Return a game whose first movement phase opened at that time."""
    movement, *minor = timetables
    rules = replace(usual_settings().rules, update_type=update)
    chosen = replace(Settings(), rules=rules, zone=zone, movement=movement)
    chosen = replace(chosen, retreat=minor[0], adjustment=minor[-1]) if minor else chosen
    game = set_out("ardennes", chosen, PersonId(9))
    seats = tuple(Seat(seat.power, PersonId(place)) for place, seat in enumerate(game.seats, 1))
    moment = datetime.fromisoformat(at + "Z")
    clock = Clock(moment, deadline(movement, moment, zone))
    return replace(game, state=GameState.ACTIVE, seats=seats, clock=clock)


def after(game: Game, now: datetime) -> Game:
    """Return the game with its next phase, if the open one closes now."""
    closed = close(replace(game, clock=replace(game.clock, processed="", closing_since=now)), game.position.phase, now)
    assert closed is not None
    return closed[0]


def due(game: Game) -> datetime:
    assert game.clock.deadline is not None
    return game.clock.deadline


@settings(max_examples=60, deadline=None)
@given(
    TIMETABLES,
    st.datetimes(datetime(2020, 1, 1), datetime(2040, 12, 31)),
    st.sampled_from(sorted(available_timezones())),
    st.floats(0, 1),
)
def test_the_next_phase_ends_no_later_and_is_no_shorter_than_set(
    table: Timetable, at: datetime, zone: str, part: float
) -> None:
    game = opened(zone, at.isoformat(" "), table)
    set_for, opened_at = due(game), game.clock.opened_at
    assert opened_at is not None
    now = opened_at + (set_for - opened_at) * part
    early, on_time = after(game, now), after(game, set_for)
    assert now + table.length <= due(early) <= due(on_time)
    assert early.clock.added == timedelta()


MIDNIGHT, TUESDAY_FRIDAY, WORKDAYS = time(), frozenset({Weekday(1), Weekday(4)}), frozenset(map(Weekday, range(5)))


@pytest.mark.parametrize(
    ("table", "opens", "closes", "next_deadline"),
    [
        # A length alone.
        (Timetable(3 * DAY), "2026-11-24 12:00", "2026-11-25 06:00", "2026-11-28 06:00"),
        # Days with a time: the next of them, but at least as long as set.
        (Timetable(HOUR, TUESDAY_FRIDAY, MIDNIGHT), "2026-11-24 00:00", "2026-11-24 09:00", "2026-11-27 00:00"),
        (Timetable(DAY, TUESDAY_FRIDAY, MIDNIGHT), "2026-11-24 00:00", "2026-11-25 23:00", "2026-11-27 00:00"),
        (Timetable(DAY, TUESDAY_FRIDAY, MIDNIGHT), "2026-11-24 00:00", "2026-11-26 01:00", "2026-12-01 00:00"),
        # Days without a time: two days from Thursday evening would be Monday evening, from Friday morning they are
        # Monday morning.
        (Timetable(2 * DAY, WORKDAYS), "2026-11-25 08:00", "2026-11-26 20:00", "2026-11-30 08:00"),
        (Timetable(DAY, WORKDAYS), "2026-11-25 08:00", "2026-11-25 20:00", "2026-11-26 20:00"),
    ],
)
def test_deadlines_after_an_early_closing(table: Timetable, opens: str, closes: str, next_deadline: str) -> None:
    game = after(opened("UTC", opens, table), datetime.fromisoformat(closes + "Z"))
    assert due(game) == datetime.fromisoformat(next_deadline + "Z")


def test_all_are_ready_before_the_earliest_moment() -> None:
    game = opened("UTC", "2026-11-25 08:00", Timetable(2 * DAY, WORKDAYS))
    game = replace(game, settings=replace(game.settings, earliest=36 * HOUR))
    for seat in game.seats:
        game = game.with_seat(replace(seat, filed=replace(seat.filed, ready=True)))
    game = heeding_readiness(game, datetime(2026, 11, 25, 9, tzinfo=UTC))
    assert game.due == datetime(2026, 11, 26, 20, tzinfo=UTC)
    closed = close(game, game.position.phase, game.due)
    assert closed is not None
    assert due(closed[0]) == datetime(2026, 11, 30, 8, tzinfo=UTC)


def test_left_over_time_is_handed_on_where_the_update_type_says_so() -> None:
    game = opened("UTC", "2026-11-24 12:00", Timetable(3 * DAY), Timetable(DAY), update=EARLY[1])
    following = after(game, due(game))
    assert (following.clock.added, due(following) - due(game)) == (DAY, 4 * DAY)
    plain = opened("UTC", "2026-11-24 12:00", Timetable(3 * DAY), Timetable(DAY))
    assert due(after(plain, due(plain))) - due(plain) == 3 * DAY
