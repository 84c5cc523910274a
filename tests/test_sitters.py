"""Sitters: who may sit, and what they and others may do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import Message
from typing import Any, get_args

import pytest

from judge import commands as c
from judge.commands import GameCommand, Permitted
from judge.games import Game, MailContext, PersonId, Request, handle, refusals
from judge.games.answers import SittingAgreed
from judge.games.events import SitterNews, SitterStep
from judge.games.game import Coaching, GameState, Insight, Petition, Seat
from judge.games.insight import why_not_coach, why_not_seated
from judge.games.leave import Sitting
from judge.games.refusals import Refused
from judge.games.request import LookedUp
from judge.games.setup import set_out
from judge.games.sight import seen_by
from judge.games.sitters import turned
from judge.games.terms import Settings
from judge.rules import load_map
from judge.rules.position import Power
from tests.office import JUDGE, World, address, begun, playing, text, world

__all__ = ["playing", "world"]

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
DAY = timedelta(days=1)
FRANCE, ITALY = Power("FRANCE"), Power("ITALY")
CHO, EVA, GIL, HAL = PersonId(3), PersonId(5), PersonId(9), PersonId(20)
ASKED = Sitting(CHO, (FRANCE,), NOON, NOON + 9 * DAY, "hal@players.test")
SITS = replace(ASKED, address="", sitter=HAL, since=NOON)
WILL_SIT = replace(SITS, since=None, start=NOON + DAY)
LEFT_TO_THE_PLAYER = (c.Absence, c.Sitter, c.Coach, c.NewSecret, c.Note, c.ShareNotes, c.Mute, c.Block)
ANSWERED_TO_THE_PLAYER = (c.PressToCoach,)
FOR_SITTERS = (
    *(c.Give, c.Doubted, c.AnswerQuestion, c.Clear, c.Undo, c.SetReady, c.Wait, c.Decline, c.ShowOrders, c.WhatIf),
    *(c.Press, c.Broadcast, c.Object, c.ShowAddresses, c.PressOrOrders),
    *(c.VoteDraw, c.Concede, c.Elect, c.Propose, c.CastVote),
    *(c.Rematch, c.Statement),  # of a finished game, which has no sitters
)


def game_with(*sittings: Sitting, **changes: Any) -> Game:
    seats = tuple(Seat(power, PersonId(place)) for place, power in enumerate(load_map().powers, 1))
    return replace(
        set_out("ardennes", Settings(), GIL), state=GameState.ACTIVE, seats=seats, sittings=sittings, **changes
    )


def done(game: Game, person: PersonId, command: GameCommand, **looked_up: Any) -> Any:
    request = Request(game, person, command, MailContext(1, "", NOON), NOON, LookedUp(**looked_up))
    return handle(request)


# What a sitter may do


def test_every_command_of_a_player_is_for_sitters_or_left_to_the_player() -> None:
    kinds = {*get_args(GameCommand), c.PressOrOrders}
    of_players = {kind for kind in kinds if kind.card.who in (Permitted.PLAYER, Permitted.SPEAKER)}
    assert of_players == {*FOR_SITTERS, *LEFT_TO_THE_PLAYER}
    left = {kind for kind in kinds if kind.card.is_for_players_only}
    assert left == {*LEFT_TO_THE_PLAYER, *ANSWERED_TO_THE_PLAYER}


@pytest.mark.parametrize(
    "command",
    [
        c.Absence(),
        c.NewSecret(),
        c.Note(text="a"),
        c.ShareNotes(share=True),
        c.Mute(ITALY),
        c.Block(ITALY),
        c.PressToCoach(text="a"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_what_lasts_is_left_to_the_player(command: GameCommand) -> None:
    handled = done(game_with(SITS), HAL, command)
    assert handled.answer == Refused(refusals.LeftToThePlayer((FRANCE,)))
    assert handled.game == game_with(SITS)


def test_the_player_keeps_the_seat() -> None:
    game = game_with(SITS)
    assert [seat.power for seat in game.seats_of(HAL)] == [seat.power for seat in game.seats_of(CHO)] == [FRANCE]
    assert game.seats_held_by(HAL) == ()
    resigned = done(game, HAL, c.Resign())
    assert resigned.game.seat(FRANCE).holder == CHO
    assert resigned.game.sittings == ()


@pytest.mark.parametrize("sitting", [SITS, WILL_SIT], ids=["sits", "will sit"])
@pytest.mark.parametrize("command", [c.TakeOver("ardennes"), c.TakeOver("ardennes", ITALY)])
def test_a_sitter_gets_no_seat(command: GameCommand, sitting: Sitting) -> None:
    game = game_with(sitting)
    vacant = game.with_seat(replace(game.seat(ITALY), holder=None))
    handled = done(vacant, HAL, command, address="hal@players.test")
    assert handled.answer == Refused(refusals.SitsAlready("ardennes", (FRANCE,)))


@pytest.mark.parametrize("sitting", [SITS, WILL_SIT], ids=["sits", "will sit"])
def test_a_master_who_sits_sees_no_orders(sitting: Sitting) -> None:
    game = game_with(sitting, co_masters=(HAL,))
    assert HAL not in game.referees
    assert done(game, HAL, c.Preview()).answer == Refused(refusals.PlayingMaster(c.Preview()))


@pytest.mark.parametrize("sitting", [SITS, WILL_SIT], ids=["sits", "will sit"])
@pytest.mark.parametrize("power", [FRANCE, ITALY])
def test_a_sitter_becomes_no_coach(sitting: Sitting, power: Power) -> None:
    assert why_not_coach(game_with(sitting), HAL, (power,)) == refusals.MayNotCoach("ardennes")


def test_a_finished_game_has_no_sitter() -> None:
    game = replace(game_with(SITS), state=GameState.FINISHED)
    assert game.seats_of(HAL) == ()
    assert HAL in game.members  # who gets the last report
    assert game.wakes is None


# Who may sit


@pytest.mark.parametrize(
    ("changes", "looked_up", "may"),
    [
        ({}, {}, True),
        ({"observers": (HAL,)}, {}, True),
        ({"co_masters": (HAL,)}, {}, False),
        ({"petitions": (Petition(HAL, is_denied=True),)}, {}, False),
        ({"saw": (Insight(load_map().first_phase(set_out("a", Settings(), GIL).set_up), HAL),)}, {}, False),
        ({}, {"is_shunned": True}, False),
        ({"observers": (HAL,), "coached": FRANCE}, {}, True),
        ({"observers": (HAL,), "coached": ITALY}, {}, False),
        ({}, {"same": {HAL: HAL, EVA: HAL}}, False),  # a player's other registration
        ({}, {"same": {HAL: HAL, GIL: HAL}}, False),
        ({}, {"same": {HAL: HAL, CHO: HAL}}, False),
    ],
)
def test_who_may_sit(changes: dict[str, Any], looked_up: dict[str, Any], may: bool) -> None:  # noqa: FBT001 - a column
    coached = changes.pop("coached", None)
    game = game_with(ASKED, **changes)
    game = game.with_seat(replace(game.seat(coached), coach=Coaching(HAL))) if coached is not None else game
    handled = done(game, HAL, c.Accept(), address=ASKED.address, **looked_up)
    (news,) = (event for event in handled.events if isinstance(event, SitterNews))
    if may:
        assert isinstance(handled.answer, SittingAgreed)
        assert news.step is SitterStep.BEGAN
        assert handled.game.sitter_of(handled.game.seat(FRANCE)) == HAL
    else:
        assert handled.answer == Refused(refusals.MayNotSit("ardennes"))
        assert news.step is SitterStep.DECLINED  # the player reads the same as of a no
        assert handled.game.sittings == ()


def test_nobody_sits_for_two_players() -> None:
    other = replace(ASKED, player=EVA, powers=(ITALY,))
    handled = done(game_with(SITS, other), HAL, c.Accept(), address=other.address)
    assert handled.answer == Refused(refusals.MayNotSit("ardennes"))
    assert handled.game.sittings == (SITS,)


def test_only_the_address_that_was_asked_may_say_yes() -> None:
    handled = done(game_with(ASKED), PersonId(21), c.Accept(), address="ivy@players.test")
    assert handled.answer == Refused(refusals.NothingOffered("ardennes"))
    assert handled.game == game_with(ASKED)


def test_a_second_yes_finds_nothing() -> None:
    once = done(game_with(ASKED), HAL, c.Accept(), address=ASKED.address)
    again = done(once.game, HAL, c.Accept(), address=ASKED.address)
    assert again.answer == Refused(refusals.NothingOffered("ardennes"))
    assert again.game == once.game


# When


def test_a_sitting_begins_and_ends_by_itself() -> None:
    game = game_with(WILL_SIT)
    assert game.seats_of(HAL) == ()
    assert game.wakes == NOON + DAY
    assert turned(game, NOON) == (game, ())
    begun, (news,) = turned(game, NOON + DAY)
    assert (news.step, [seat.power for seat in begun.seats_of(HAL)]) == (SitterStep.BEGAN, [FRANCE])
    assert begun.wakes == SITS.end
    ended, (news,) = turned(begun, SITS.end)
    assert (news.step, ended.sittings, ended.seats_of(HAL)) == (SitterStep.ENDED, (), ())


def test_without_a_yes_it_lapses_silently() -> None:
    assert turned(game_with(ASKED), ASKED.end) == (game_with(), ())


def test_a_mail_from_after_the_end_is_no_longer_the_sitters() -> None:
    """The clock may not have struck yet, for example after an outage."""
    mail = MailContext(1, "", SITS.end)
    handled = handle(Request(game_with(SITS), HAL, c.SetReady(ready=True), mail, NOON))
    assert handled.answer == Refused(refusals.NotAPlayer("ardennes"))
    assert [event.step for event in handled.events if isinstance(event, SitterNews)] == [SitterStep.ENDED]


def test_who_sat_takes_only_the_same_seat_until_the_phase_closes() -> None:
    game, _ = turned(game_with(SITS), SITS.end)
    assert why_not_seated(game, HAL, {}, FRANCE) is None
    assert why_not_seated(game, HAL, {}, ITALY) == refusals.HasSeenOrders("ardennes", game.position.phase)


def test_in_fog_a_sitter_sees_what_the_seat_sees_and_never_another() -> None:
    settings = replace(Settings(), rules=replace(Settings().rules, fog=type(Settings().rules.fog)("own")))
    game = game_with(SITS, settings=settings)
    assert set(seen_by(game, HAL).position.units.values()) == {FRANCE}
    ended, _ = turned(game, SITS.end)
    assert set(seen_by(ended, HAL).position.units.values()) == set()
    assert why_not_seated(ended, HAL, {}, ITALY) == refusals.HasPlayedAnother("ardennes", (FRANCE,))


# By mail


def sitting(world: World, more: str = "") -> Message:
    """Let Hal sit for Cho; return the letter with which it began."""
    world.box.take("hal")
    world.reply("cho", f"ABSENCE until 5 Dec WITH hal@players.test{more}")
    asked = world.box.take("hal")[-1]
    assert "France" in text(asked)
    world.mail("hal", "YES", to=str(asked["Reply-To"]), answers=asked)
    letters = world.box.take("hal")
    world.collect_reports()
    return next(one for one in letters if one["List-Id"])


def test_nobody_else_answers_for_who_is_asked(playing: World) -> None:
    playing.reply("cho", "ABSENCE until 5 Dec WITH hal@players.test")
    (asked,) = playing.box.take("hal")
    playing.collect_reports()
    for name in ("ivy", "eva", "gil", "cho"):
        playing.mail(name, "YES", to=str(asked["Reply-To"]), answers=asked)
        playing.mail(name, "ACCEPT ardennes", Authentication_Results="mx.test; dmarc=pass header.from=players.test")
    assert playing.game().sittings[0].sitter is None
    # a forged mail in the name of the address proves nothing
    playing.mail("hal", "ACCEPT ardennes")
    assert playing.game().sittings[0].sitter is None


def test_what_is_addressed_to_a_sitter_is_worth_nothing_to_others_and_later(playing: World) -> None:
    letter = sitting(playing)
    seat = str(letter["Reply-To"])
    for name in ("ivy", "eva", "gil"):
        playing.mail(name, "A Par - Bur", to=seat, answers=letter)
    assert playing.orders("FRANCE") == []
    playing.mail("hal", "A Par - Bur", to=seat, answers=letter)
    assert playing.orders("FRANCE") == ["A PAR - BUR"]
    playing.mail("hal", "RESIGN", to=seat, answers=letter)
    playing.mail("hal", "A Par - Pic", to=seat, answers=letter)
    playing.mail("ivy", "A Par - Pic", to=seat, answers=letter)
    assert playing.orders("FRANCE") == ["A PAR - BUR"]
    playing.now += timedelta(minutes=1)
    again = sitting(playing)
    assert str(again["Reply-To"]) != seat


def test_a_mail_that_comes_twice_acts_once(playing: World) -> None:
    letter = sitting(playing)
    content = playing.mail("hal", "PRESS TO Italy: Hello", to=str(letter["Reply-To"]), answers=letter)
    playing.arrive(content, str(letter["Reply-To"]), address("hal"))
    assert len(playing.box.take("eva")) == 1
    stopped = playing.mail("hal", "RESIGN", to=str(letter["Reply-To"]), answers=letter)
    sitting(playing)
    playing.arrive(stopped, str(letter["Reply-To"]), address("hal"))
    assert playing.game().sittings[0].sitter is not None


def test_older_press_is_shown_only_if_the_player_says_so(playing: World) -> None:
    playing.reply("cho", "PRESS TO Italy, Germany: Shall we talk of Munich?")
    playing.reply("eva", "PRESS TO France: Rather of Tyrolia.")
    playing.reply("ben", "PRESS TO Austria: Nothing for France.")
    for words in ("", " AND PRESS"):
        playing.now += timedelta(minutes=1)
        letter = sitting(playing, words)
        files = {part.get_filename(): part.get_payload(decode=True) for part in letter.walk() if part.get_filename()}
        if words:
            content = files["ardennes-press.txt"]
            assert isinstance(content, bytes)
            said = content.decode()
            assert said.count("Shall we talk of Munich?") == 1
            assert said.index("Munich") < said.index("Rather of Tyrolia.")
            assert "Nothing for France" not in said
        else:
            assert "ardennes-press.txt" not in files


def test_older_press_of_a_gunboat_names_nobody(world: World) -> None:
    begun(world, "2 days\nanonymous: yes")
    world.reply("cho", "PRESS TO Italy: Shall we talk?\nEND PRESS\nPRESS TO MASTER: I am ill.")
    letter = sitting(world, " AND PRESS")
    (content,) = (
        part.get_payload(decode=True) for part in letter.walk() if part.get_filename() == "ardennes-press.txt"
    )
    assert isinstance(content, bytes)
    said = content.decode()
    assert "Shall we talk?" in said
    assert "I am ill" not in said
    assert "Cho" not in said


def test_house_rules_are_told_after_the_yes_only(world: World) -> None:
    begun(world)
    world.reply("gil", "HOUSE RULES:\nNo stabbing before breakfast.\nEND RULES")
    world.collect_reports()
    world.reply("cho", "ABSENCE until 5 Dec WITH hal@players.test")
    (asked,) = world.box.take("hal")
    assert "breakfast" not in text(asked)
    world.mail("hal", "YES", to=str(asked["Reply-To"]), answers=asked)
    assert any("breakfast" in text(one) for one in world.box.take("hal"))


def test_a_blocked_person_does_not_sit(playing: World) -> None:
    playing.signed("hal", "REGISTER Hal\nSTANDBY")
    playing.signed("gil", "REPLACE Italy hal@players.test BECAUSE of a test")
    playing.signed("hal", "ACCEPT ardennes")
    playing.collect_reports()
    playing.reply("cho", "BLOCK Italy")
    playing.signed("hal", "RESIGN ardennes")
    playing.box.take("hal")
    playing.now += 3 * DAY
    playing.settle()
    playing.collect_reports()
    playing.reply("ben", "ABSENCE until 5 Dec WITH hal@players.test")
    asked = playing.box.take("hal")[-1]
    playing.mail("hal", "YES", to=str(asked["Reply-To"]), answers=asked)
    assert "You cannot sit" in text(playing.box.take("hal")[-1])
    assert playing.game().sittings == ()


def test_after_the_end_nobody_begins_to_sit(playing: World) -> None:
    playing.reply("cho", "ABSENCE until 5 Dec WITH hal@players.test")
    (asked,) = playing.box.take("hal")
    playing.signed("gil", "END ardennes BECAUSE of the weather")
    playing.mail("hal", "YES", to=str(asked["Reply-To"]), answers=asked)
    assert playing.game().seats_of(PersonId(9)) == ()
    assert playing.game().sittings[0].sitter is None


def test_a_person_who_is_erased_sits_no_more(playing: World) -> None:
    sitting(playing)
    playing.signed("hal", "ERASE ME")
    assert playing.game().sittings == ()
    playing.reply("cho", "ABSENCE until 6 Dec WITH ivy@players.test")
    playing.mail("ivy", "HELP", to=JUDGE)
    playing.signed("ivy", "REGISTER Ivy")
    playing.signed("ivy", "ERASE ME")
    assert playing.game().sittings == ()


def test_reliability_counts_neither_for_the_sitter_nor_for_the_player(playing: World) -> None:
    sitting(playing)
    playing.pass_deadline()
    with playing.parts.store.work() as work:
        people = {one: work.people.by_address(address(one)) for one in ("ada", "cho", "hal")}
    assert {name: one.record.due for name, one in people.items() if one is not None} == {"ada": 1, "cho": 0, "hal": 0}
