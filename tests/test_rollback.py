"""A reopened phase: what is restored, what stays current, and what starts anew."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from judge.calendar import deadline
from judge.commands import (
    Eject,
    GameCommand,
    Give,
    MakeDummy,
    Mute,
    Resign,
    Rollback,
    SetReady,
    TakeOver,
    VoteDraw,
)
from judge.games import Game, GameState, LookedUp, MailContext, PersonId, Request, close, handle
from judge.games.ballots import Ballots
from judge.games.events import PhaseClosed
from judge.games.filed import OpenQuestion, RefusedLine
from judge.games.game import Seat, SeatThen, Stood
from judge.games.insight import written
from judge.games.leave import Leave, Waited
from judge.games.mutes import Mutes
from judge.games.refusals import Refused
from judge.games.remembering import remembered
from judge.games.reopening import (
    GAME_BLANK,
    GAME_KEPT,
    GAME_ON_RECORD,
    GAME_REMEMBERED,
    SEAT_IN_PART,
    SEAT_KEPT,
    SEAT_REMEMBERED,
    Past,
)
from judge.games.terms import MissingOrders
from judge.rules import Phase, Power, read_order
from judge.storage.fields import COURSE
from tests.opened import MASTER, NOON, opened

AS_IT_OPENED = {
    *("in_disorder", "is_dummy", "missed", "offered_at", "is_voted_out", "extensions", "waited"),
    *("questions", "refused"),
}
AS_IT_IS_NOW = {
    *("power", "holder", "before", "serial", "is_robot", "powers", "nameless", "start", "end"),
    *("shares_notes", "elects"),
}
AS_IT_CLOSED = {"orders", "declined", "planned"}
GAME_AS_IT_IS_NOW = {
    *("name", "settings", "master", "co_masters", "observers", "applicants", "arrivals", "version", "invitations"),
    *("master_offers", "searches", "petitions", "own_reminders", "tossed", "proposed", "draw_confirmed"),
    *("saw", "played", "previews", "objections"),
}
GROUPS = ("clock", "filed", "ballots", "leave", "mutes")
BY_THE_CLOCK = {"opened_at", "deadline", "unmoved", "closing_since", "added", "carried"}
"""Fields that the deadline of the reopened phase sets anew."""


def test_every_field_of_a_seat_and_a_game_is_kept_remembered_on_record_or_blank() -> None:
    seat = [*SEAT_KEPT, *SEAT_REMEMBERED, *SEAT_IN_PART]
    game = [*GAME_KEPT, *GAME_REMEMBERED, *GAME_ON_RECORD, *GAME_BLANK]
    assert sorted(seat) == sorted(one.name for one in fields(Seat))
    assert sorted(game) == sorted(one.name for one in fields(Game))
    then = [*SEAT_REMEMBERED, "power", "planned", "questions", "refused", "waited"]
    assert sorted(one.name for one in fields(SeatThen)) == sorted(then)


def flat(value: object) -> dict[str, Any]:
    """Map fields to values, for a seat or a game and the values it groups."""
    found: dict[str, Any] = {}
    for name in (one.name for one in fields(value)):  # type: ignore[arg-type]
        one = getattr(value, name)
        found |= flat(one) if name in GROUPS else {name: one}
    return found


class Played:
    """A random game, with its state at the opening and closing of each phase."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.now = NOON
        missing = self.chance.choice([MissingOrders.DISORDER, MissingOrders.REPLACE, MissingOrders.HOLD])
        start = opened()
        self.game = replace(start, settings=replace(start.settings, missing=missing))
        self.mail = 0
        self.openings: dict[Phase, Game] = {self.phase: self.game}
        self.closings: dict[Phase, tuple[Game, Past]] = {}

    @property
    def phase(self) -> Phase:
        return self.game.position.phase

    def ask(self, person: PersonId, command: GameCommand, phase: Phase | None = None, past: Past | None = None) -> bool:
        self.mail += 1
        context = MailContext(self.mail, "line", self.now, phase)
        handled = handle(Request(self.game, person, command, context, self.now, LookedUp(past=past)))
        self.game = handled.game
        return not isinstance(handled.answer, Refused)

    def happens(self) -> None:
        """Let a random event happen, including some that are hard to cause by mail."""
        chance = self.chance
        seat = chance.choice(self.game.seats)
        units = sorted(self.game.position.units_of(seat.power), key=str)
        later = Phase.parse(f"S{self.phase.year + 1}M")
        if seat.holder is not None:
            order = Give(read_order(f"{chance.choice(units)} H")) if units else SetReady(ready=True)
            wish = chance.choice(
                [order, order, order, SetReady(ready=True), VoteDraw(agrees=True), Resign(), "mute", "plan"]
            )
            match wish:
                case "plan":
                    self.ask(seat.holder, order, later)
                case "mute":
                    self.ask(seat.holder, Mute(chance.choice(self.game.seats).power))
                case _ if not isinstance(wish, str):
                    self.ask(seat.holder, wish)
        elif not seat.is_dummy:
            self.ask(PersonId(chance.randrange(200, 10**6)), TakeOver(self.game.name, seat.power))
        if chance.random() < 0.1:
            self.ask(MASTER, chance.choice([Eject, MakeDummy])(reason="why", power=seat.power))
        if chance.random() < 0.3:
            self.game = self.game.with_seat(self.changed(self.game.seat(seat.power)))

    def changed(self, seat: Seat) -> Seat:
        """Return a seat with a change that only long games bring."""
        at, number = self.now, self.chance.randrange(1, 9)
        question, line = OpenQuestion(number, ("A PAR H",), "perhaps", number), RefusedLine(number, "A Pxr", number)
        return self.chance.choice(
            (
                replace(seat, extensions=number, filed=replace(seat.filed, is_late=True)),
                replace(seat, leave=Leave(waited=(Waited("F1900M", at, timedelta(hours=number)),))),
                replace(seat, is_voted_out=True, offered_at=at),
                replace(seat, missed=number, in_disorder=True),
                replace(seat, filed=replace(seat.filed, questions=(question,), waits=True)),
                replace(seat, filed=replace(seat.filed, refused=(line,), told=(), accepted=("x",))),
                replace(seat, leave=Leave(at, at + timedelta(days=number))),
                replace(seat, shares_notes=True, ballots=Ballots(votes_told=number), mutes=Mutes(nameless=True)),
                replace(seat, ballots=Ballots(draw_asked_at=at, silence_agrees=True, refuses_draw=True)),
            )
        )

    def close(self) -> None:
        self.now += timedelta(days=3)
        before = self.game = replace(self.game, clock=replace(self.game.clock, deadline=self.now, in_grace=False))
        closed = close(before, self.phase, self.now)
        assert closed is not None
        after, events = closed
        if after.position.phase != before.position.phase:
            event = next(one for one in events if isinstance(one, PhaseClosed))
            terms = event.circumstances
            orders = {
                seat.power: tuple(filed.order for filed in seat.filed.orders)
                for seat in before.seats
                if seat.filed.orders
            }
            past = Past(before.position, orders, terms.disorder, terms.unplayed, terms.declined)
            self.closings[self.phase] = before, past
            self.game = COURSE.put(replace(after, stood=()), COURSE.take(after))  # as storage keeps it
            self.openings[self.phase] = self.game


@pytest.mark.parametrize("seed", range(60))
def test_a_phase_is_opened_again_as_it_was_in_random_games(seed: int) -> None:
    played = Played(seed)
    for _ in range(played.chance.randrange(8, 30)):
        for _ in range(played.chance.randrange(8)):
            if played.game.is_running:
                played.happens()
        if played.game.is_running and played.chance.random() < 0.6:
            played.close()
        if played.closings and played.chance.random() < 0.15:
            _rolled_back(played)
    if played.closings:
        _rolled_back(played)


def _rolled_back(played: Played) -> None:
    """Roll a random game back to a random phase, and compare all fields."""
    phase = played.chance.choice(list(played.closings))
    was_open, (closed, past), now = played.openings[phase], played.closings[phase], played.game
    assert played.ask(MASTER, Rollback(phase, reason="why"), past=past)
    again = played.game
    for one in GAME_AS_IT_IS_NOW:
        assert getattr(again, one) == getattr(now, one), one
    assert again.rollbacks == now.rollbacks + 1
    assert again.told == tuple(line for seat in again.seats for line in written(seat))
    blank = Game("x", again.settings, MASTER, GameState.ACTIVE, past.position, ())
    names = flat(blank).keys() - GAME_AS_IT_IS_NOW - BY_THE_CLOCK - {"settings", "seats", "stood", "told", "rollbacks"}
    for one in names - {"state", "position"}:
        assert flat(again)[one] == flat(blank)[one], one
    assert (again.state, again.position) == (GameState.ACTIVE, past.position)
    assert again.clock.opened_at == played.now
    length = again.settings.timetable_of(phase, is_first=not again.has_begun)
    closes = deadline(length, played.now, again.settings.zone) + again.clock.added
    assert (again.clock.unmoved or again.clock.deadline) == closes
    assert again.clock.added == was_open.clock.added
    for old, end, before, seat in zip(was_open.seats, closed.seats, now.seats, again.seats, strict=True):
        _compared(old, end, before, seat)
    played.openings = {one: game for one, game in played.openings.items() if one.order_key < phase.order_key}
    played.openings[phase] = again
    played.closings = {one: two for one, two in played.closings.items() if one.order_key < phase.order_key}


def _compared(old: Seat, end: Seat, now: Seat, again: Seat) -> None:
    """Check a seat after a rollback.

    The arguments are the seat as its phase opened, as it closed, before the rollback, and after it.
    """
    for name in AS_IT_IS_NOW:
        assert flat(again)[name] == flat(now)[name], name
    was_emptied = now.serial != old.serial and now.is_dummy and now.holder is None
    assert [one.order for one in again.filed.orders] == ([] if was_emptied else [one.order for one in end.filed.orders])
    assert set(again.filed.declined) == set(end.filed.declined)
    is_same = now.serial == old.serial
    plain = Seat(again.power)
    for name in AS_IT_OPENED - {"waited"}:
        if is_same:
            assert flat(again)[name] == flat(old)[name], name
        elif name != "is_dummy":
            assert flat(again)[name] == flat(plain)[name], name
    if is_same:
        kept = [
            [one for one in seat.leave.waited if one.phase == "F1900M"] for seat in (again, old)
        ]  # the open one waits anew
        assert kept[0] == kept[1]
        assert again.filed.planned == end.filed.planned
    assert again.holder is None or is_same or not again.is_dummy
    for name in flat(plain).keys() - AS_IT_OPENED - AS_IT_IS_NOW - AS_IT_CLOSED:
        assert flat(again)[name] == flat(plain)[name], name


def test_what_an_older_version_kept_of_a_phase_is_read_and_rolled_back_by_the_record() -> None:
    game, past, now = _with_france_in_disorder()
    old = '{"stood":[{"phase":{"year":1901,"season":"S","kind":"M"},"holders":[1,2,3,4,5,6,7],"left":"PT2H"}]}'
    phase = COURSE.adapter.validate_json(COURSE.take(game))["stood"][0].phase
    text = old.replace('{"year":1901,"season":"S","kind":"M"}', _written(phase))
    game = COURSE.put(replace(game, stood=()), text)
    assert game.stood == (Stood(phase, left=timedelta(hours=2)),)
    rollback = Rollback(phase, reason="why")
    handled = handle(Request(game, MASTER, rollback, MailContext(9, "line", now), now, LookedUp(past=past)))
    france = handled.game.seat(Power("FRANCE"))
    assert france.in_disorder
    assert handled.game.clock.added == timedelta(hours=2)


def _written(phase: Phase) -> str:
    game = replace(opened(), stood=(Stood(phase),))
    text = COURSE.take(game)
    start = text.index('"stood":[{"phase":') + len('"stood":[{"phase":')
    return text[start : text.index(',"serials"', start)]


def _with_france_in_disorder() -> tuple[Game, Past, datetime]:
    played = Played(1)
    played.close()
    _, past = played.closings[Phase.parse("S1901M")]
    return played.game, replace(past, disorder=frozenset({Power("FRANCE")})), played.now


def test_a_robot_that_was_eliminated_plays_again() -> None:
    played = Played(3)
    played.game = played.game.with_seat(replace(played.game.seats[0], holder=None, is_robot=True, serial=9))
    played.close()
    played.game = played.game.with_seat(replace(played.game.seats[0], is_dummy=True))
    _, past = played.closings[Phase.parse("S1901M")]
    assert played.ask(MASTER, Rollback(Phase.parse("S1901M"), reason="why"), past=past)
    assert not played.game.seats[0].is_dummy


def test_what_was_said_by_somebody_who_left_is_not_kept() -> None:
    played = Played(4)
    seat = played.game.seats[0]
    assert seat.holder is not None
    played.ask(seat.holder, Give(read_order("A VIE H")), Phase.parse("F1901M"))
    played.close()
    assert any(one.planned for then in played.game.stood for one in then.seats)
    assert played.ask(seat.holder, Resign(played.game.name))
    assert not any(one.power == seat.power for then in played.game.stood for one in then.seats)


def test_what_is_remembered_of_a_phase_is_small() -> None:
    assert not remembered(opened()).stood[0].seats, "all are as a seat begins"
    played = Played(5)
    while len(played.openings) < 20:
        played.game = replace(played.game, seats=tuple(map(played.changed, played.game.seats)), state=GameState.ACTIVE)
        played.close()
    empty = COURSE.take(replace(played.game, stood=()))
    assert (len(COURSE.take(played.game)) - len(empty)) / len(played.game.stood) < 2500
