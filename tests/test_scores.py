"""Scores at the end of a game: ending and centers left, points right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.commands import Create, Language, ShowSeason
from judge.games import create
from judge.games.choices import ScoreSystem
from judge.games.game import Ended, Game, GameState
from judge.games.person import PersonId
from judge.games.refusals import Refused
from judge.games.scores import scores
from judge.language import Context, read
from judge.rules import load_map
from judge.rules.position import Power
from judge.service.talk.tables import season_table
from tests.database import store_in_memory
from tests.facts import facts_by_reader
from tests.scripts import Player, scripts

FRANCE, ITALY = Power("FRANCE"), Power("ITALY")
NONE, SIZE, SQUARES, CENTERS = ScoreSystem


def at_the_end(system: ScoreSystem, ended: Ended | None, sharers: tuple[Power, ...]) -> Game:
    """Return a game in which France owns six centers, Italy four, the others none."""
    made = create(Create("ardennes"), PersonId(1))
    assert not isinstance(made, Refused)
    game = made.game
    owned = sorted(game.position.centers or ())[:10]
    centers = {center: FRANCE if number < 6 else ITALY for number, center in enumerate(owned)}
    units = {unit: power for unit, power in game.position.units.items() if power in (FRANCE, ITALY)}
    position = replace(game.position, units=units, centers=centers)
    settings = replace(game.settings, scores=system)
    seats = tuple(replace(seat, holder=PersonId(number)) for number, seat in enumerate(game.seats, start=2))
    winner = sharers[0] if len(sharers) == 1 else None
    return replace(game, settings=settings, position=position, seats=seats, ended=ended, winner=winner, sharers=sharers)


CASES: tuple[tuple[ScoreSystem, Ended | None, tuple[Power, ...], dict[Power, str]], ...] = (
    (NONE, Ended.VICTORY, (FRANCE,), {}),
    (SIZE, None, (), {}),
    (SQUARES, Ended.BY_MASTER, (), {}),
    (SQUARES, Ended.BY_VOTE, (), {}),
    (SIZE, Ended.VICTORY, (FRANCE,), {FRANCE: "100.0"}),
    (SQUARES, Ended.VICTORY, (FRANCE,), {FRANCE: "100.0"}),
    (CENTERS, Ended.CONCESSION, (ITALY,), {ITALY: "100.0"}),
    (SIZE, Ended.DRAW, (FRANCE, ITALY), {FRANCE: "50.0", ITALY: "50.0"}),
    (SQUARES, Ended.DRAW, (FRANCE, ITALY), {FRANCE: "69.2", ITALY: "30.8"}),
    (CENTERS, Ended.DRAW, (FRANCE, ITALY), {FRANCE: "60.0", ITALY: "40.0"}),
    (SIZE, Ended.SHORT, (FRANCE,), {FRANCE: "100.0"}),
    (SIZE, Ended.SHORT, (FRANCE, ITALY), {FRANCE: "50.0", ITALY: "50.0"}),
    (SIZE, Ended.SHORT, (), {}),
    (CENTERS, Ended.SHORT, (FRANCE,), {FRANCE: "100.0"}),
    (SQUARES, Ended.SHORT, (ITALY,), {ITALY: "100.0"}),
    (CENTERS, Ended.SHORT, (), {FRANCE: "60.0", ITALY: "40.0"}),
)


@pytest.mark.parametrize(("system", "ended", "sharers", "points"), CASES)
def test_points(system: ScoreSystem, ended: Ended | None, sharers: tuple[Power, ...], points: dict[Power, str]) -> None:
    found = scores(at_the_end(system, ended, sharers))
    assert {score.power: score.shown for score in found} == points


def test_the_last_report_tells_programs_the_scores() -> None:
    player = Player()
    for step in next(script for script in scripts() if script.name == "scores").steps:
        player.play(step)
    (ended,) = (facts["ended"] for facts in facts_by_reader(player.world.box)["gus@players.test"] if "ended" in facts)
    assert ended["scores"]["system"] == "sum-of-squares"
    assert ended["scores"]["points"]["RUSSIA"] == 22.9
    assert sum(ended["scores"]["points"].values()) == pytest.approx(100, abs=1)


def test_the_table_of_a_season_has_pages() -> None:
    with store_in_memory().work() as work:
        people = [work.people.add(f"p{n}@players.test", f"P{n:02}", Language.ENGLISH, "") for n in range(36)]
        for number in range(5):
            ended = at_the_end(SIZE, Ended.DRAW, (FRANCE, ITALY))
            holders = people[1 + 7 * number :]
            seats = tuple(replace(seat, holder=one.id) for seat, one in zip(ended.seats, holders, strict=False))
            game = replace(ended, name=f"game-{number}", master=people[0].id, seats=seats, state=GameState.FINISHED)
            work.games.add(game)
        shown = [season_table(work, game, people[0], page) for page in (1, 2, 9)]
    sizes = [(one.games, one.page, one.pages, len(one.rows)) for one in shown]
    assert sizes == [(5, 1, 2, 25), (5, 2, 2, 10), (5, 2, 2, 10)]
    assert {row.player for one in shown for row in one.rows} == {one.name for one in people[1:]}
    assert [row.place for row in shown[0].rows] == [1] * 10 + [11] * 15
    assert {(row.place, row.shown) for row in shown[1].rows} == {(11, "0.0")}


@pytest.mark.parametrize("written", ["TABLE 2", "成績表 2"])
def test_a_later_page_is_asked_for_by_its_number(written: str) -> None:
    (line,) = read(written, Context(load_map()))
    assert line.requests == (ShowSeason(page=2),)
