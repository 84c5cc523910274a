"""Unsettled matters of a power in random games: when READY counts, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from judge.commands import AnswerQuestion, Clear, Create, Doubt, Doubted, GameCommand, Give, Join, SetReady, Undo
from judge.games import Game, Handled, MailContext, PersonId, Request, close, create, handle, join, not_taken
from judge.games.findings import Impossible, Lacking
from judge.games.unsettled import blocking, unsettled
from judge.robots import RobotView, orders
from judge.rules import Location, Phase, Power, load_map, read_order, read_unit
from judge.rules.options import PROFILES
from judge.rules.orders import Build, Disband, Hold, Move, Order, Retreat
from judge.rules.position import PhaseKind, Position, Province, province_of

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
MAP = load_map()
ITALY = Power("ITALY")
SEEDS = range(6)


def opened(*, incomplete: bool = False) -> Game:
    made = create(Create("ardennes"), PersonId(100))
    assert isinstance(made, Handled)
    game = made.game
    for number, power in enumerate(MAP.powers, start=1):
        game = join(game, PersonId(number), Join("ardennes", power), NOON, seed=1).game
    return replace(game, settings=replace(game.settings, ready_incomplete=incomplete))


def mail_context(mail: int, heard: frozenset[int] = frozenset()) -> MailContext:
    return MailContext(mail, f"line of mail {mail}", NOON + timedelta(seconds=mail), heard=heard)


def ask(game: Game, power: Power, command: GameCommand, mail: int, heard: frozenset[int] = frozenset()) -> Game:
    person = game.seat(power).holder
    context = mail_context(mail, heard)
    return game if person is None else handle(Request(game, person, command, context, context.received_at)).game


def unread(game: Game, person: PersonId, context: MailContext, *places: Province) -> Game:
    """Return the game after a line that could not be read."""
    return not_taken(game, person, context, context.received_at, places).game


def phases(seed: int, count: int = 5) -> Iterator[Game]:
    """Yield the open phases of a random game."""
    game, chance = opened(incomplete=seed % 3 == 0), Random(seed)
    profile = chance.choice(sorted(PROFILES))
    game = replace(game, settings=replace(game.settings, rules=PROFILES[profile]))
    for number in range(count):
        if not game.is_running:
            return
        yield game
        for power in game.deciding:
            view = RobotView(game.map, game.position, (power,), game.settings.rules, game.circumstances)
            for order in orders(view, seed + number).get(power, ()):
                game = ask(game, power, Give(order), 1)
        closing = replace(game, clock=replace(game.clock, closing_since=NOON, processed=""))
        closed = close(closing, game.position.phase, NOON, seed)
        assert closed is not None
        game = closed[0]


def wild(game: Game, power: Power, chance: Random) -> Order:
    """Return an order of any kind, often for another power's unit."""
    units = [*game.position.units, *game.position.dislodged]
    unit = chance.choice([one for one in units if game.position.units.get(one) == power] * 3 + units)
    to = Location(chance.choice(sorted(game.map.provinces)))
    match game.position.phase.kind:
        case PhaseKind.MOVEMENT:
            return Hold(unit) if chance.random() < 0.5 else Move(unit, to)
        case PhaseKind.RETREAT:
            return Retreat(unit, to) if chance.random() < 0.5 else Disband(unit)
        case PhaseKind.ADJUSTMENT:
            return Build(replace(unit, location=to)) if chance.random() < 0.5 else Disband(unit)


def said(game: Game, power: Power, chance: Random, mail: int) -> Game:
    """Return the game after a random mail of the power's player."""
    person = game.seat(power).holder
    assert person is not None
    match chance.randrange(8):
        case 0:
            return unread(game, person, mail_context(mail))
        case 1:
            return ask(game, power, Doubted(wild(game, power, chance), Doubt.WORDS, "perhaps", 1), mail)
        case 2:
            return ask(game, power, AnswerQuestion(chance.random() < 0.5), mail)
        case 3:
            return ask(game, power, Clear() if chance.random() < 0.5 else Undo(), mail)
        case 4 | 5:
            heard = frozenset(range(mail)) if chance.random() < 0.8 else frozenset[int]()
            return ask(game, power, SetReady(ready=True), mail, heard)
        case _:
            return ask(game, power, Give(wild(game, power, chance)), mail)


@pytest.mark.parametrize("seed", SEEDS)
def test_ready_never_counts_while_something_blocks(seed: int) -> None:
    chance, said_ready = Random(seed), 0
    for game in phases(seed):
        for mail in range(2, 42):
            power = chance.choice(game.deciding or MAP.powers)
            game = said(game, power, chance, mail) if game.deciding else game  # noqa: PLW2901
            for seat in map(game.seat, game.deciding):
                assert not (seat.filed.ready and blocking(game, seat.power)), (seat, blocking(game, seat.power))
                assert not (seat.filed.ready_by and not blocking(game, seat.power)), seat
                said_ready += seat.filed.ready or seat.filed.ready_by > 0
    assert said_ready


@pytest.mark.parametrize("seed", SEEDS)
def test_once_all_is_settled_ready_counts_without_another_word(seed: int) -> None:
    chance = Random(seed)
    for game in phases(seed):
        for power in game.deciding:
            for mail in range(2, 8):
                game = said(game, power, chance, mail)  # noqa: PLW2901
            game = ask(game, power, SetReady(ready=True), 8)  # noqa: PLW2901
            game = ask(game, power, AnswerQuestion(yes=False), 9)  # noqa: PLW2901
            game = ask(game, power, Clear(), 10)  # noqa: PLW2901
            view = RobotView(game.map, game.position, (power,), game.settings.rules, game.circumstances)
            for order in orders(view, seed).get(power, ()):
                game = ask(game, power, Give(order), 11)  # noqa: PLW2901
            assert not blocking(game, power)
            assert game.seat(power).filed.ready, unsettled(game, power)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_that_others_order_changes_what_is_unsettled(seed: int) -> None:
    chance = Random(seed)
    for game in phases(seed):
        for power in game.deciding:
            for mail in range(2, 5):
                game = said(game, power, chance, mail)  # noqa: PLW2901
        for power in game.deciding:
            others = [seat for seat in game.seats if seat.power != power]
            emptied = game
            for seat in others:
                filed = replace(seat.filed, orders=(), questions=(), refused=(), planned=(), ready=True)
                emptied = emptied.with_seat(replace(seat, filed=filed))
            assert unsettled(emptied, power) == unsettled(game, power)


def in_winter(owned: str, units: str) -> Game:
    owners = {province_of(Location(code)): ITALY for code in owned.split()}
    standing = {read_unit(unit): ITALY for unit in units.split(", ")}
    return replace(opened(incomplete=True), position=Position(Phase.parse("W1901A"), standing, owners))


def test_a_build_never_counts_as_a_removal() -> None:
    game = in_winter("NAP VEN", "A VEN, A TUN, F NAP, F ION, A TYR")
    game = ask(game, ITALY, Give(read_order("A ROM B")), 1)
    assert [(one.count, len(one.by_rule)) for one in unsettled(game, ITALY) if isinstance(one, Lacking)] == [(-3, 3)]
    (impossible,) = (one for one in unsettled(game, ITALY) if isinstance(one, Impossible))
    assert (impossible.why.reason.value, impossible.why.owner) == ("removal-due", ITALY)
    game = ask(game, ITALY, SetReady(ready=True), 2)
    assert not game.seat(ITALY).filed.ready, "too few removals block, whatever the game lets READY count without"


def test_a_line_is_replaced_by_an_order_for_its_unit_and_by_no_other() -> None:
    game = opened(incomplete=True)
    game = ask(game, ITALY, SetReady(ready=True), 1)
    assert game.seat(ITALY).filed.ready
    person = game.seat(ITALY).holder
    assert person is not None
    game = unread(game, person, mail_context(2), Province(Location("NAP")))
    assert not game.seat(ITALY).filed.ready
    game = ask(game, ITALY, Give(read_order("A VEN H")), 3)
    assert not game.seat(ITALY).filed.ready
    assert ask(game, ITALY, Give(read_order("F NAP H")), 3).seat(ITALY).filed.ready


def test_a_line_of_somebody_who_is_not_known_for_sure_is_not_held_against_them() -> None:
    game = opened(incomplete=True)
    game = ask(game, ITALY, SetReady(ready=True), 1)
    person = game.seat(ITALY).holder
    assert person is not None
    assert unread(game, person, replace(mail_context(2), is_proved=False)).seat(ITALY).filed.ready


def test_the_word_for_one_removal_by_rule_is_none_for_another() -> None:
    game = in_winter("NAP VEN", "A VEN, A TUN, F NAP, F ION")
    centers = {**(game.position.centers or {}), province_of(Location("PAR")): Power("FRANCE")}
    game = replace(game, position=replace(game.position, centers=centers))  # France has something to decide, too
    game = ask(game, ITALY, Give(read_order("A TUN D")), 1)
    game = ask(game, ITALY, SetReady(ready=True), 1)
    assert not game.seat(ITALY).filed.ready
    game = ask(game, ITALY, SetReady(ready=True), 2, heard=frozenset((1,)))
    assert game.seat(ITALY).filed.ready, "F ION goes by rule, and its player was told"
    changed = ask(game, ITALY, Give(read_order("F ION D")), 3)
    assert not changed.seat(ITALY).filed.ready
    (lack,) = (one for one in unsettled(changed, ITALY) if isinstance(one, Lacking))
    assert [str(unit) for unit in lack.by_rule] == ["A TUN"]


def test_a_yes_to_one_removal_leaves_the_others_on_file() -> None:
    game = in_winter("NAP VEN", "A VEN, A TUN, F NAP, F ION")
    game = ask(game, ITALY, Give(read_order("A TUN D")), 1)
    game = ask(game, ITALY, Doubted(read_order("F ION D"), Doubt.WORDS, "maybe", 1), 2)
    game = ask(game, ITALY, AnswerQuestion(yes=True), 3)
    assert [filed.order for filed in game.seat(ITALY).filed.orders] == [read_order("A TUN D"), read_order("F ION D")]


@pytest.mark.parametrize("command", [Undo(), Clear(read_unit("A VEN"))], ids=["UNDO", "CLEAR A Ven"])
def test_a_question_is_taken_back_and_what_was_on_file_before_it_stays(command: GameCommand) -> None:
    game = ask(opened(), ITALY, Give(read_order("A ROM H")), 1)
    game = ask(game, ITALY, Doubted(read_order("A VEN - TRI"), Doubt.WORDS, "maybe", 1), 2)
    assert game.seat(ITALY).filed.questions
    game = ask(game, ITALY, command, 3)
    assert not game.seat(ITALY).filed.questions
    assert [filed.order for filed in game.seat(ITALY).filed.orders] == [read_order("A ROM H")]
