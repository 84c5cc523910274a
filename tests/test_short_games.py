"""Short games and scores count only players and robots (R-GAME-7)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from judge.games import close
from judge.games.choices import ScoreSystem
from judge.games.game import Ended
from judge.games.scores import robots_in_the_tie, scores
from judge.rules.position import Phase, Position, Power
from tests.opened import MAP, NOON, opened


@dataclass(frozen=True)
class Case:
    """The units of each power after the last winter.

    Every letter is a power. Powers that are not named are played.
    """

    units: dict[str, int]
    winner: str | None
    shared: str
    robots: str = ""
    vacant: str = ""
    dummies: str = ""
    tied: str = ""
    """Robots that are named beside those who share."""


CASES = {
    "the person with most units": Case({"A": 3, "E": 2}, "A", "A"),
    "a robot with most units": Case({"A": 3, "R": 6}, "R", "R", robots="R"),
    "a vacant power with most units": Case({"A": 3, "R": 6}, "A", "A", vacant="R"),
    "a dummy with most units": Case({"A": 3, "R": 6, "E": 2}, "A", "A", dummies="R"),
    "a tie of persons": Case({"A": 4, "E": 4, "R": 2}, None, "AE"),
    "a tie with a robot": Case({"A": 4, "E": 4, "R": 4}, None, "AE", robots="R", tied="R"),
    "a tie of robots": Case({"A": 2, "E": 4, "R": 4}, None, "", robots="ER", tied="ER"),
    "a tie with a vacant power": Case({"A": 4, "R": 4}, "A", "A", vacant="R"),
}


def powers(letters: str) -> set[Power]:
    return {power for power in MAP.powers if power[0] in letters}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_who_wins_a_short_game(case: Case) -> None:
    game = opened()
    standing = iter(sorted(game.position.units, key=str))
    units, owners = {}, {}
    for power in MAP.powers:
        for _ in range(case.units.get(power[0], 0)):
            unit = next(standing)
            units[unit], owners[unit.province] = power, power
    seats = tuple(
        replace(
            seat,
            holder=None if seat.power[0] in case.robots + case.vacant + case.dummies else seat.holder,
            is_robot=seat.power[0] in case.robots,
            is_dummy=seat.power[0] in case.dummies,
        )
        for seat in game.seats
    )
    rules = replace(game.settings.rules, short_game=1901)
    settings = replace(game.settings, rules=rules, scores=ScoreSystem.DRAW_SIZE)
    game = replace(game, settings=settings, seats=seats, position=Position(Phase.parse("W1901A"), units, owners))
    closed = close(game, game.position.phase, game.clock.deadline or NOON)
    assert closed is not None
    over = closed[0]
    assert over.ended is Ended.SHORT
    assert over.winner == (next(iter(powers(case.winner))) if case.winner else None)
    assert set(over.sharers) == powers(case.shared)
    assert set(robots_in_the_tie(over)) == powers(case.tied)
    assert {score.power for score in scores(over)} == powers(case.shared)
