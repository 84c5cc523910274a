"""Every ending of a game: the last report and STATUS tell cause and time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.commands import Language
from judge.games import events as e
from judge.games.game import Ended, GameState
from judge.reports.phases import phase_reports
from judge.reports.readers import Reader, Role
from judge.reports.views import game_view
from judge.reports.wording import wording_in
from judge.rules import Phase, Power
from tests.happenings import ADA, ENGLAND, FRANCE, GAME, NOON

ENDINGS = [
    (Ended.VICTORY, FRANCE, (FRANCE,), "France owns 3 centers and wins", "France won", "優勝しました"),
    (Ended.SHORT, FRANCE, (FRANCE,), "The last year is over. Ada has 3 units", "with the most units", "最終年が"),
    (Ended.SHORT, None, (), "the game is drawn", "drawn when the last year was over", "引き分けです"),
    (Ended.DRAW, None, (ENGLAND, FRANCE), "shared by England, France", "England, France shared", "引き分けです"),
    (Ended.CONCESSION, FRANCE, (FRANCE,), "Everybody else concedes", "everybody else conceded", "すべて降伏し"),
    (Ended.BY_MASTER, None, (), "The master has ended the game", "the master ended it", "管理人が"),
    (Ended.BY_VOTE, None, (), "The players have voted to end", "the players ended it by a vote", "投票により"),
]


@pytest.mark.parametrize(("how", "winner", "sharers", "report", "status", "japanese"), ENDINGS)
def test_what_ended_a_game_and_when_is_told(
    how: Ended, winner: Power | None, sharers: tuple[Power, ...], report: str, status: str, japanese: str
) -> None:
    position = replace(GAME.position, phase=Phase.parse("F1908M"))
    over = replace(GAME, position=position, state=GameState.FINISHED, clock=replace(GAME.clock, deadline=None))
    game = replace(over, ended=how, winner=winner, sharers=sharers)
    english, nihongo = ADA, replace(ADA, language=Language("ja"))
    readers = [Reader(person, Role.OBSERVER) for person in (english, nihongo)]
    letters = [one.text for one in phase_reports(e.GameEnded(game, NOON), readers, {ADA.id: ADA}, NOON)]
    letters = [" ".join(letters[0].split()), "".join(letters[1].split())]
    assert report in letters[0]
    assert "The game is over before Fall 1908 was played." in letters[0]
    assert japanese in letters[1]
    assert "ゲームは1908年秋の更新を待たずに終了です。" in letters[1]
    line = wording_in(Language.ENGLISH, game.settings.map).say("status_line", game_view(game))
    assert line.startswith("The game is over since Fall 1908; ")
    assert status in line
    line = wording_in(Language("ja"), game.settings.map).say("status_line", game_view(game))
    assert line.startswith("ゲームは1908年秋で終了しました。")
    assert len(line) > len("ゲームは1908年秋で終了しました。")


def test_every_ending_has_its_row() -> None:
    assert {row[0] for row in ENDINGS} == set(Ended)
