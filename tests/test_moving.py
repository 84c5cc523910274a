"""A game moves to another judge by two mails."""

from __future__ import annotations

import json
from email.message import Message

import pytest

from judge.games import GameState
from tests.office import NAMES, TITLES, World, bring, text


def exported(world: World) -> bytes:
    """Return the file that EXPORT sends."""
    receipt = world.reply("gil", "EXPORT")
    (content,) = [
        part.get_payload(decode=True) for part in receipt.walk() if part.get_content_type() == "application/json"
    ]
    assert isinstance(content, bytes)
    return content


def last(letters: list[Message]) -> Message:
    return letters[-1]


@pytest.fixture
def old() -> World:
    """Return a judge with a game in its second phase."""
    world = World()
    world.proved("gil", "CREATE ardennes\ndeadline: 2 days\npress: public")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.proved(name, f"JOIN ardennes AS {power}")
    world.collect_reports()
    world.reply("cho", "A Par - Bur")
    world.reply("gil", "PROCESS S1901M")
    world.collect_reports()
    world.reply("gil", "EXTEND 1 day because of a holiday")
    world.reply("gil", "PROMOTE dan@players.test")
    world.reply("dan", "ACCEPT")
    world.reply("gil", "REPLACE Turkey hal@players.test because Gus is away")
    world.reply("cho", "A Bur - Bel")
    return world


def test_a_game_goes_on_elsewhere(old: World) -> None:
    content = exported(old)
    assert b"players.test" not in content
    assert b"A BUR - BEL" not in content
    new = World()
    assert "is here, with its clock stopped" in bring(new, content)
    game, before = new.game(), old.game()
    assert game.state is GameState.PAUSED
    assert (game.position, game.settings) == (before.position, before.settings)
    assert game.clock.left is not None
    with new.parts.store.work() as work:
        assert [str(one.phase) for one in work.records.phases("ardennes")] == ["S1901M"]
        assert [type(one.command).__name__ for one in work.records.entries(game)][3:] == ["Replace", "Import"]
    new.proved("cho", "REGISTER Cho")
    answer = new.proved("gil", "GAME ardennes\nREPLACE France cho@players.test because the game has moved")
    assert "is asked to take France" in text(answer)
    new.box.letters.clear()
    new.proved("cho", "TAKE OVER ardennes")
    new.proved("cho", "A Bur - Bel")
    assert new.orders("FRANCE") == ["A BUR - BEL"]
    new.box.letters.clear()
    new.proved("gil", "GAME ardennes\nRESUME")
    assert new.game().state is GameState.ACTIVE


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": "something else"}, "is no game that EXPORT wrote"),
        ({"settings": {"rules": 7}}, "is no game that EXPORT wrote"),
        ({"position": {}}, "is no game that EXPORT wrote"),
        (
            {"log": [{"at": "2026-11-24T12:00:00Z", "phase": "S1901M", "power": None, "entry": {"command": "os"}}]},
            "no game",
        ),
        ({"surprise": 1}, "is no game that EXPORT wrote"),
    ],
)
def test_a_bad_file_is_refused_whole(old: World, change: dict[str, object], complaint: str) -> None:
    new = World()
    content = json.dumps(json.loads(exported(old)) | change).encode()
    assert complaint in " ".join(bring(new, content).split())
    assert new.find_game() is None


def test_a_mail_without_the_file_is_told_so() -> None:
    assert "brought no file" in bring(World(), None)


def test_a_name_is_taken_once(old: World) -> None:
    content = exported(old)
    assert "already" in bring(old, content)
