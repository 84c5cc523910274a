"""Draws by agreement: who is asked, who must agree, who shares (R-GAME-5, R-GAME-6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import Message

import pytest

from judge.commands import AsWritten, ChangeSetting, Concede, GameCommand, Give, Resign, Rollback, VoteDraw
from judge.games import Game, LookedUp, Request, close, handle
from judge.games.context import MailContext
from judge.games.draws import sharing
from judge.games.events import DrawAsked, Dropped, Event, VoteDropped
from judge.games.game import Ended, Seat
from judge.games.refusals import NoOtherPlayer, Refused
from judge.games.reopening import Past
from judge.games.terms import Lasting, MissingOrders, VotesTold
from judge.rules.options import DrawRule
from judge.rules.orders import Hold
from judge.rules.position import Phase, Position, Power
from tests.office import NAMES, TITLES, World, text
from tests.opened import MAP, MASTER, NOON, opened

A, E, F, G, ITALY, R, T = MAP.powers
DRAW, NO_DRAW = VoteDraw(agrees=True), VoteDraw(agrees=False)


@dataclass(frozen=True)
class Case:
    """A game in Spring 1901 at the moment of a vote.

    Every letter is a power. Powers that are not named are played.
    """

    agreed: str
    """The powers that vote for a draw."""
    shared: str | None
    """The powers that share it; None if the game goes on."""
    silent: str = ""
    """Powers in civil disorder, asked, and silent for a whole movement phase."""
    lost: str = ""
    """Powers in civil disorder that have not been asked for that long."""
    refusing: str = ""
    """Powers in civil disorder that were silent, and then said no."""
    robots: str = ""
    vacant: str = ""
    dummies: str = ""
    out: str = ""
    """Powers without units and centers."""
    landless: str = ""
    """Powers with units and without centers."""
    unitless: str = ""
    """Powers with centers and without units."""
    blocks: bool = False
    rule: DrawRule = DrawRule.UNANIMOUS
    centers: dict[str, int] = field(default_factory=dict)


ARMISTICE = DrawRule.ARMISTICE
CASES = {
    "everybody agrees": Case("AEFGIRT", "AEFGIRT"),
    "one active power does not": Case("AEFGIR", None),
    "an active power has to agree by itself": Case("AEFGI", None, silent="R"),
    "silence in civil disorder agrees and shares": Case("AEFGIR", "AEFGIRT", silent="T"),
    "all but one are silent": Case("A", "AEFGIRT", silent="EFGIRT"),
    "nobody wants it but the silent": Case("", None, silent="AEFGIRT"),
    "in civil disorder and not asked for a whole phase": Case("AEFGIR", None, lost="T"),
    "in civil disorder and against it": Case("AEFGIR", None, refusing="T"),
    "in civil disorder and for it": Case("AEFGIRT", "AEFGIRT", lost="T"),
    "silence is refusal where absence blocks": Case("AEFGIR", None, silent="T", blocks=True),
    "in civil disorder and for it, where absence blocks": Case("AEFGIRT", "AEFGIRT", lost="T", blocks=True),
    "a vacant power neither votes nor shares": Case("AEFGIR", "AEFGIR", vacant="T"),
    "a vacant power blocks": Case("AEFGIR", None, vacant="T", blocks=True),
    "robots neither vote nor share": Case("AE", "AE", robots="FGIRT"),
    "robots do not block": Case("AE", "AE", robots="FGIRT", blocks=True),
    "one person and four robots, the others asleep": Case("A", None, robots="FGIR", lost="ET"),
    "one person and four robots, the others silent": Case("A", "AET", robots="FGIR", silent="ET"),
    "one person shares with nobody": Case("A", None, robots="EFGIRT"),
    "nor with vacant powers": Case("A", None, vacant="EFGIRT"),
    "dummies neither vote nor share": Case("AEFGIR", "AEFGIR", dummies="T", blocks=True),
    "who is out has no say": Case("AEFGIR", "AEFGIR", out="T"),
    "who has units and no centers shares": Case("AEFGIRT", "AEFGIRT", landless="T"),
    "and must agree": Case("AEFGIR", None, landless="T"),
    "who has no units shares nothing": Case("AEFGIR", "AEFGIR", unitless="T"),
    "an armistice of 23 centers": Case("AE", "AE", rule=ARMISTICE, centers={"A": 12, "E": 11, "F": 11}),
    "an armistice of 22 centers": Case("AE", None, rule=ARMISTICE, centers={"A": 12, "E": 10, "F": 12}),
    "robots' centers count for nobody": Case("AE", None, robots="FGIRT", rule=ARMISTICE, centers={"A": 11, "E": 11}),
    "nor does silence in an armistice": Case("A", None, silent="E", rule=ARMISTICE, centers={"A": 12, "E": 11}),
    "in civil disorder one may join an armistice": Case(
        "AE", "AE", lost="E", rule=ARMISTICE, centers={"A": 12, "E": 11, "F": 11}
    ),
    "an armistice needs nobody else": Case("AE", "AE", refusing="F", rule=ARMISTICE, centers={"A": 12, "E": 11}),
    "a vacant power's centers count for nobody": Case(
        "A", None, vacant="E", rule=ARMISTICE, centers={"A": 17, "E": 17}
    ),
}


def powers(letters: str) -> tuple[Power, ...]:
    return tuple(power for power in MAP.powers if power[0] in letters)


def as_told(seat: Seat, case: Case) -> Seat:
    letter = seat.power[0]
    sleeps = letter in case.silent + case.lost + case.refusing
    return replace(
        seat,
        holder=None if letter in case.robots + case.vacant + case.dummies else seat.holder,
        is_robot=letter in case.robots,
        is_dummy=letter in case.dummies,
        in_disorder=sleeps,
        ballots=replace(
            seat.ballots,
            silence_agrees=letter in case.silent + case.refusing,
            refuses_draw=letter in case.refusing,
            draw_asked_at=NOON if letter in case.silent else None,
        ),
    )


def board(case: Case) -> Position:
    start = opened().position
    units = {unit: power for unit, power in start.units.items() if power[0] not in case.out + case.unitless}
    owners = {
        center: power for center, power in (start.centers or {}).items() if power[0] not in case.out + case.landless
    }
    if case.centers:
        order = iter(sorted(MAP.supply_centers))
        owners = {next(order): power for power in MAP.powers for _ in range(case.centers.get(power[0], 0))}
    return Position(start.phase, units, owners)


def arranged(case: Case) -> Game:
    game = opened()
    rules = replace(game.settings.rules, draw_rule=case.rule)
    settings = replace(game.settings, rules=rules, absent_block=case.blocks)
    seats = tuple(as_told(seat, case) for seat in game.seats)
    return replace(game, settings=settings, position=board(case), seats=seats)


def ask(game: Game, power: Power, command: VoteDraw | Concede | Resign) -> tuple[Game, tuple[Event, ...]]:
    person = game.seat(power).holder
    assert person is not None
    handled = handle(Request(game, person, command, MailContext(1, "line", NOON), NOON))
    return handled.game, handled.events


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_who_must_agree_and_who_shares(case: Case) -> None:
    game = arranged(case)
    for power in powers(case.agreed):
        assert game.ended is None
        game, _ = ask(game, power, DRAW)
    assert (game.ended is Ended.DRAW) is (case.shared is not None)
    assert set(game.sharers) == set(powers(case.shared or ""))


def test_one_person_alone_is_refused_a_draw() -> None:
    game = arranged(Case("A", None, robots="EFGIRT"))
    person = game.seat(A).holder
    assert person is not None
    answer = handle(Request(game, person, DRAW, MailContext(1, "line", NOON), NOON)).answer
    assert answer == Refused(NoOtherPlayer("ardennes"))


# Asked first


def is_question(letter: Message) -> bool:
    return "+confirm." in str(letter["Reply-To"])


def answered(world: World, name: str, body: str) -> None:
    """Reply to the latest report."""
    world.mail(name, body, to=str(world.reports[name]["Reply-To"]), answers=world.reports[name])


def question_of(command: str, votes: dict[str, str], rule: str, language: str) -> str:
    """Return what Ada is asked who votes after others."""
    world = World()
    world.proved("gil", f"CREATE ardennes\ndraw rule: {rule}\nupdate: scheduled")
    for name, title in zip(NAMES, TITLES, strict=True):
        world.signed(name, f"JOIN ardennes AS {title}")
    world.collect_reports()
    world.reply("ada", f"SET LANGUAGE {language}")
    for name, vote in votes.items():
        answered(world, name, vote)
        (asked_first,) = [letter for letter in world.box.take(name) if is_question(letter)]
        world.mail(name, "YES", to=str(asked_first["Reply-To"]), answers=asked_first)
    world.box.letters.clear()
    answered(world, "ada", command)
    questions = [letter for letter in world.box.take("ada") if is_question(letter)]
    assert len(questions) == 1
    assert world.game().is_running
    return f"{questions[0]['Subject']}\n{text(questions[0])}"


OTHERS = ("ben", "cho", "dan", "eva", "fay", "gus")


@pytest.mark.parametrize("language", ["English", "Japanese"])
@pytest.mark.parametrize(
    ("command", "vote", "rule"),
    [
        ("DRAW", "DRAW", "unanimous"),
        ("DRAW", "DRAW", "armistice"),
        ("CONCEDE TO France", "CONCEDE TO France", "unanimous"),
    ],
)
def test_the_question_does_not_tell_whether_the_vote_would_end_the_game(
    command: str, vote: str, rule: str, language: str
) -> None:
    others = [name for name in OTHERS if name != "cho" or vote == "DRAW"]
    voted: list[dict[str, str]] = [{}, dict.fromkeys(others[:2], vote), dict.fromkeys(others, vote)]
    if rule == "armistice":
        voted = voted[:2]  # with all votes the game would have ended
    asked_what = {question_of(command, votes, rule, language) for votes in voted}
    assert len(asked_what) == 1
    said = asked_what.pop()
    assert ("France" in said or "フランス" in said) is (rule == "unanimous")


# Asked, phase by phase


def played(game: Game, sleeping: str, number: int) -> tuple[Game, tuple[Event, ...]]:
    """Close the open phase; all powers order except the sleeping ones."""
    assert game.clock.deadline is not None
    for seat in game.seats:
        if seat.power[0] not in sleeping:
            orders = tuple(Hold(unit) for unit in game.position.units_of(seat.power))
            for order in orders[:1]:
                game, _ = asked(game, seat, Give(order), number)
    assert game.clock.deadline is not None
    closed = close(game, game.position.phase, game.clock.deadline)
    assert closed is not None
    return closed


def asked(game: Game, seat: Seat, command: GameCommand, number: int) -> tuple[Game, tuple[Event, ...]]:
    assert seat.holder is not None
    assert game.clock.opened_at is not None
    moment = game.clock.opened_at + timedelta(hours=1)
    handled = handle(Request(game, seat.holder, command, MailContext(number, "line", moment), moment))
    return handled.game, handled.events


def of_kind(events: tuple[Event, ...], kind: type) -> Iterator[Event]:
    return (event for event in events if isinstance(event, kind))


def in_disorder_by_rule(**changes: object) -> Game:
    game = opened()
    settings = replace(game.settings, missing=MissingOrders.DISORDER, **changes)  # type: ignore[arg-type]
    game, _ = played(replace(game, settings=settings), "T", 1)
    assert game.seat(T).in_disorder
    return game


@pytest.mark.parametrize("blocks", [False, True])
def test_who_is_in_disorder_is_asked_once_and_one_full_movement_phase_of_silence_counts(blocks: bool) -> None:  # noqa: FBT001
    game = in_disorder_by_rule(absent_block=blocks)
    assert game.position.phase == Phase.parse("F1901M")
    game, events = asked(game, game.seat(A), DRAW, 2)
    told = list(of_kind(events, DrawAsked))
    assert [(one.powers, one.is_counted) for one in told if isinstance(one, DrawAsked)] == [((T,), False)]
    for power in (E, F, G, ITALY, R):
        game, events = asked(game, game.seat(power), DRAW, 3)
        assert not list(of_kind(events, DrawAsked))
    # The question came within the phase, which is not a full one.
    game, events = played(game, "T", 4)
    assert game.is_running
    assert not list(of_kind(events, DrawAsked))
    while game.position.phase != Phase.parse("S1902M"):
        game, events = played(game, "T", 5)
    game, events = played(game, "T", 6)
    assert (game.ended is Ended.DRAW) is not blocks
    assert game.sharers == (() if blocks else MAP.powers)


def test_an_order_ends_the_silence_and_a_no_is_a_no() -> None:
    game = in_disorder_by_rule()
    for power in (A, E, F, G, ITALY, R):
        game, _ = asked(game, game.seat(power), DRAW, 2)
    game, _ = asked(game, game.seat(T), NO_DRAW, 3)
    for number in range(4, 8):
        game, _ = played(game, "T", number)
    assert game.is_running
    game, _ = asked(game, game.seat(T), DRAW, 9)
    assert game.ended is Ended.DRAW


# No vote is dropped without telling


def dropped(events: tuple[Event, ...]) -> list[tuple[tuple[Power, ...], object, Dropped]]:
    return [(one.powers, one.command, one.why) for one in events if isinstance(one, VoteDropped)]


def test_votes_that_end_with_their_phase() -> None:
    game = opened()
    game = replace(game, settings=replace(game.settings, votes_last=Lasting.PHASE))
    game, _ = ask(game, A, DRAW)
    game, _ = ask(game, F, Concede(E))
    game, events = played(game, "", 2)
    assert dropped(events) == [((A,), DRAW, Dropped.PHASE), ((F,), Concede(E), Dropped.PHASE)]
    assert not game.has_votes


def test_votes_that_end_with_their_time() -> None:
    game = opened()
    game = replace(game, settings=replace(game.settings, votes_last=timedelta(hours=10)))
    game, _ = ask(game, A, DRAW)
    assert game.wakes == NOON + timedelta(hours=10)
    game, events = played(game, "", 2)
    assert dropped(events) == [((A,), DRAW, Dropped.TIME)]


def test_votes_of_who_leaves_and_votes_for_who_left() -> None:
    game, _ = ask(opened(), A, DRAW)
    game, _ = ask(game, F, Concede(A))
    game, events = ask(game, A, Resign())
    assert dropped(events) == [((A,), DRAW, Dropped.SEAT), ((F,), Concede(A), Dropped.NOBODY)]
    assert not game.has_votes


def test_what_a_voter_takes_back_is_not_dropped() -> None:
    game, _ = ask(opened(), A, DRAW)
    _, events = ask(game, A, NO_DRAW)
    assert dropped(events) == []


def test_vacant_powers_never_win_by_concession() -> None:
    game = opened()
    for power in (A, E, G, ITALY, R):
        game, _ = ask(game, power, Concede(F))
    game, _ = ask(game, F, Resign())
    game, _ = ask(game, T, Concede(G))
    assert game.is_running
    assert game.winner is None
    assert F not in sharing(game)


def test_votes_that_were_held_back_are_dropped_and_not_told_if_they_are_held_back_no_more() -> None:
    game = opened()
    game = replace(game, settings=replace(game.settings, tell_votes=VotesTold.WITH_ORDERS))
    game, _ = ask(game, A, DRAW)
    game, _ = played(game, "", 2)  # Austria's vote is told with the orders
    for power, vote in ((E, DRAW), (F, DRAW), (G, Concede(A))):
        game, _ = ask(game, power, vote)
    game, _ = ask(game, F, NO_DRAW)
    setting = ChangeSetting("tell votes", AsWritten("no"), reason="why")
    handled = handle(Request(game, MASTER, setting, MailContext(9, "line", NOON), NOON))
    assert [seat.power for seat in handled.game.seats if seat.ballots.would_end] == [A]
    assert dropped(handled.events) == [((E,), DRAW, Dropped.HELD), ((G,), Concede(A), Dropped.HELD)]


def test_a_rollback_drops_the_votes_and_tells_the_voters() -> None:
    game, _ = ask(opened(), A, DRAW)
    game, _ = played(game, "", 2)
    assert game.seat(A).ballots.draws
    past = Past(opened().position)
    rollback = Rollback(Phase.parse("S1901M"), reason="why")
    handled = handle(Request(game, MASTER, rollback, MailContext(3, "line", NOON), NOON, LookedUp(past=past)))
    assert handled.game.position.phase == Phase.parse("S1901M")
    assert not handled.game.has_votes
    assert dropped(handled.events) == [((A,), DRAW, Dropped.ROLLBACK)]
