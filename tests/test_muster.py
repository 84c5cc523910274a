"""Who wrote anything keeps the seat in a game that still gathers players."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from judge.errors import SourceError
from judge.games.game import Game
from judge.games.setup import form_anew
from tests.office import World

DAY = timedelta(days=1)


@pytest.fixture
def asked() -> World:
    """Return a world in which Ada has just been asked."""
    world = World()
    world.signed("gil", "CREATE ardennes\ndeadline: 2 days\nmuster: yes")
    world.signed("ada", "JOIN ardennes")
    world.signed("ben", "JOIN ardennes")
    world.now += 5 * DAY
    world.signed("ben", "LIST")
    world.now += 2 * DAY
    world.settle()
    assert [len(world.box.take(name)) > 0 for name in ("ada",)] == [True]
    return world


def game(world: World) -> Game:
    with world.parts.store.work() as work:
        found: Game | None = work.games.get("ardennes")
    assert found is not None
    return found


def names(world: World) -> set[str]:
    """Return the names of the players who have joined."""
    with world.parts.store.work() as work:
        people = work.people.many(one.person for one in game(world).applicants)
    return {person.address.partition("@")[0] for person in people.values()}


@pytest.mark.parametrize(
    ("words", "headers", "stays"),
    [
        ("Yes!", {}, True),
        ("no idea what this is about", {}, True),
        ("LIST", {}, True),
        ("", {}, True),
        ("I am out of office until Monday.", {"Auto_Submitted": "auto-replied"}, False),
        ("I am out of office until Monday.", {"X_Autoreply": "yes", "Precedence": "auto_reply"}, False),
    ],
)
def test_any_mail_of_a_person_is_an_answer(asked: World, words: str, headers: dict[str, Any], stays: bool) -> None:  # noqa: FBT001
    asked.now += DAY
    asked.mail("ada", words, **headers)
    asked.now += 2 * DAY
    asked.settle()
    assert names(asked) == ({"ada", "ben"} if stays else {"ben"})


def test_a_mail_of_another_is_no_answer(asked: World) -> None:
    asked.now += DAY
    asked.mail("ben", "Ada is still there, I think")
    asked.now += 2 * DAY
    asked.settle()
    assert names(asked) == {"ben"}


def test_nobody_is_asked_twice_for_one_silence(asked: World) -> None:
    for _ in range(3):
        asked.now += timedelta(hours=20)
        asked.settle()
        assert not asked.box.take("ada")
    assert names(asked) == {"ada", "ben"}


def test_a_seat_stays_while_a_mailbox_cannot_be_read(asked: World, monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def drain(self) -> None:
            raise SourceError("away")

    monkeypatch.setattr(asked.parts.closing, "sources", [Away()])
    asked.now += 4 * DAY
    asked.settle()
    assert names(asked) == {"ada", "ben"}
    monkeypatch.setattr(asked.parts.closing, "sources", [])
    asked.settle()
    assert names(asked) == {"ben"}


def test_a_game_that_starts_or_is_full_asks_nobody(asked: World) -> None:
    asked.signed("gil", "GAME ardennes\nSTART BECAUSE two are enough")
    asked.box.letters.clear()
    asked.now += 30 * DAY
    assert game(asked).next_muster is None
    assert not game(asked).asked_whether_there


def test_a_game_that_was_unstarted_asks_the_silent_again(asked: World) -> None:
    asked.signed("gil", "GAME ardennes\nSTART BECAUSE two are enough")
    asked.now += DAY
    asked.signed("gil", "GAME ardennes\nUNSTART BECAUSE more want to play")
    assert names(asked) == {"ada", "ben"}
    asked.settle()
    letters = {name: [str(one["Subject"]) for one in asked.box.take(name)] for name in ("ada", "ben")}
    assert any("still there" in subject for subject in letters["ada"])
    assert not any("still there" in subject for subject in letters["ben"])  # who wrote three days ago
    asked.now += 4 * DAY
    asked.signed("ben", "LIST")
    asked.settle()
    assert names(asked) == {"ben"}


def test_a_game_from_before_that_forgot_who_joined_when_counts_from_its_start(asked: World) -> None:
    asked.signed("gil", "GAME ardennes\nSTART BECAUSE two are enough")
    started = replace(game(asked), arrivals=())
    anew = form_anew(started)
    assert {at for _, at in anew.arrivals} == {started.clock.opened_at}
    assert anew.next_muster == asked.now + 7 * DAY


def test_a_master_who_declined_the_muster_is_not_offered_it_again(asked: World) -> None:
    started = replace(game(asked), muster_offered=True)
    assert form_anew(started).muster_offered
