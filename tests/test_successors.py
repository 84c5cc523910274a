"""Time for players who take over seats: at least half of the phase."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from judge.games import Game, PersonId
from judge.games.clock import Clock
from judge.games.game import GameState, Seat
from judge.games.schedule import half_a_phase, paused, resumed, with_time_for
from judge.games.settings import read_settings
from judge.games.setup import set_out
from judge.games.terms import Settings
from judge.rules import load_map
from judge.rules.position import Power
from tests.times import as_read

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
FRANCE, ITALY = Power("FRANCE"), Power("ITALY")
HOURS = timedelta(hours=1)


def game_with(**settings: str) -> Game:
    """Return a game whose phase lasts four days from noon.

    `settings` are added to a deadline of 4 days, or replace it.
    """
    read = read_settings(as_read({"deadline": "4 days", **settings}))
    assert isinstance(read, Settings)
    game = set_out("ardennes", read, PersonId(9))
    seats = tuple(Seat(power, PersonId(place)) for place, power in enumerate(load_map().powers, 1))
    return replace(game, state=GameState.ACTIVE, seats=seats, clock=Clock(NOON, deadline=NOON + 96 * HOURS))


def left(game: Game, hours: int, *powers: Power) -> timedelta | None:
    """Return the time left to a player who takes a seat after these hours."""
    now = NOON + hours * HOURS
    deadline = with_time_for(game, powers or (FRANCE,), now).clock.deadline
    return deadline - now if deadline is not None else None


@pytest.mark.parametrize(("hours", "has"), [(0, 96), (47, 49), (48, 48), (49, 48), (95, 48)])
def test_at_least_half_a_phase_is_left(hours: int, has: int) -> None:
    assert left(game_with(), hours) == has * HOURS


def test_a_phase_that_was_extended_is_no_longer_one() -> None:
    game = game_with()
    game = replace(game, clock=replace(game.clock, deadline=NOON + 400 * HOURS))
    assert half_a_phase(game) == 48 * HOURS
    assert left(game, 390) == 48 * HOURS


def test_a_seat_gets_it_once_in_a_phase() -> None:
    game = with_time_for(game_with(), (FRANCE,), NOON + 90 * HOURS)
    assert left(game, 130, FRANCE) == 8 * HOURS
    assert left(game, 130, ITALY) == 48 * HOURS


def test_a_grace_period_is_over_so_that_orders_on_file_may_be_changed() -> None:
    game = game_with(grace="1 day")
    game = replace(game, clock=replace(game.clock, deadline=NOON + 120 * HOURS, in_grace=True))
    clock = with_time_for(game, (FRANCE,), NOON + 97 * HOURS).clock
    assert (clock.deadline, clock.in_grace) == (NOON + 145 * HOURS, False)


def test_a_phase_without_a_deadline_gets_none() -> None:
    game = game_with(update="on-completion")
    assert left(replace(game, clock=Clock(NOON)), 90) is None


def test_nobody_waits_for_a_phase_that_the_master_is_closing() -> None:
    game = game_with()
    game = replace(game, clock=replace(game.clock, processed="", closing_since=NOON))
    assert left(game, 90) == 6 * HOURS


def test_a_paused_game_goes_on_with_half_a_phase() -> None:
    still = paused(game_with(), NOON + 90 * HOURS)
    later = NOON + 500 * HOURS
    assert resumed(with_time_for(still, (FRANCE,), later), later).clock.deadline == later + 48 * HOURS


def test_a_power_with_nothing_to_decide_needs_no_time() -> None:
    game = game_with()
    out = game.map.start()
    nothing = {unit: power for unit, power in out.units.items() if power != FRANCE}
    assert left(replace(game, position=replace(out, units=nothing)), 90) == 6 * HOURS
