"""Games as people play them: settings, seats, orders on file, readiness, closing."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import Any, get_args

import pytest

from judge.calendar import Timetable
from judge.calendar.zones import find_zone
from judge.commands import (
    AnswerQuestion,
    Clear,
    Command,
    Concede,
    Create,
    Decline,
    Doubted,
    GameCommand,
    Give,
    Join,
    Language,
    Observe,
    Press,
    Process,
    Proposable,
    Resign,
    SetReady,
    TakeOver,
    Undo,
    VoteDraw,
)
from judge.games import (
    Game,
    Handled,
    MailContext,
    PersonId,
    Request,
    close,
    create,
    handle,
    join,
    refusals,
)
from judge.games.answers import Cleared, Closing, Filed, Joined, ReadySet
from judge.games.events import GameEnded, PhaseClosed, PlayerOut
from judge.games.game import Ended
from judge.games.refusals import Refused
from judge.games.refused_lines import with_refused
from judge.games.schedule import may_close_when_ready
from judge.games.schedule import opened as open_phase
from judge.games.settings import read_settings
from judge.games.setup import set_out
from judge.games.terms import MissingOrders, PressRule, Settings
from judge.games.unsettled import lacking
from judge.games.votes import living, voters
from judge.language.times import read_duration
from judge.language.writing import word_of
from judge.reports.wording import wording_in
from judge.rules import Location, Phase, Power, read_order, read_unit, write_order
from judge.rules.options import PROFILES, ConvoyParadox, CountryAssignment, DeclineOwnership, Elimination, UpdateType
from judge.rules.position import Dislodgement, PhaseKind, Position, province_of
from tests.opened import FRANCE, GERMANY, ITALY, MAP, MASTER, NOON, opened
from tests.times import as_read

SPRING = Phase.parse("S1901M")


def holder(game: Game, power: Power = FRANCE) -> PersonId:
    person = game.seat(power).holder
    assert person is not None
    return person


def ask(
    game: Game,
    command: GameCommand,
    *,
    power: Power = FRANCE,
    mail: int = 1,
    at: datetime = NOON,
    phase: str | None = None,
    heard: frozenset[int] = frozenset(),
) -> Handled:
    meant = Phase.parse(phase) if phase else None
    context = MailContext(mail, "line", at, meant, heard=heard)
    return handle(Request(game, holder(game, power), command, context, at))


def order(game: Game, text: str, *, power: Power = FRANCE, mail: int = 1) -> Handled:
    return ask(game, Give(read_order(text)), power=power, mail=mail)


def on_file(game: Game, power: Power = FRANCE) -> list[str]:
    return [write_order(filed.order) for filed in game.seat(power).filed.orders]


def in_winter(centers: str, units: str) -> Game:
    game = opened()
    owners = {province_of(Location(code)): FRANCE for code in centers.split()}
    standing = {read_unit(unit): FRANCE for unit in units.split(", ")}
    return replace(game, position=Position(Phase.parse("W1901A"), standing, owners))


# Settings


def in_order(options: dict[str, Any] | None = None, **changes: Any) -> Settings:
    """Return settings that assign powers in the order of registration."""
    rules = replace(PROFILES["standard"], country_assignment=CountryAssignment.REGISTRATION_ORDER, **(options or {}))
    return replace(Settings(rules=rules), **changes)


def by_the_book(profile: str, paradox: ConvoyParadox | None = None, **changes: Any) -> Settings:
    """Return the settings of a profile, with the press of its source."""
    rules = PROFILES[profile]
    settings = Settings(profile=profile, rules=replace(rules, convoy_paradox=paradox or rules.convoy_paradox))
    return replace(settings, **{"press": PressRule.RULEBOOK, **changes})


@pytest.mark.parametrize(
    ("written", "settings"),
    [
        ({}, in_order()),
        ({"deadline": "2 days"}, in_order(movement=Timetable(timedelta(days=2)))),
        (
            {"Deadline": "36 hours", "retreats": "12h"},
            in_order(movement=Timetable(timedelta(hours=36)), retreat=Timetable(timedelta(hours=12))),
        ),
        ({"deadline": "2日", "zone": "tokyo"}, in_order(movement=Timetable(timedelta(days=2)), zone="Asia/Tokyo")),
        ({"rules": "shingen"}, by_the_book("shingen")),
        ({"rules": "Shingen", "convoy paradox": "szykman"}, by_the_book("shingen", ConvoyParadox.SZYKMAN)),
        ({"convoy_paradox": "szykman", "rules": "shingen"}, by_the_book("shingen", ConvoyParadox.SZYKMAN)),
        ({"rules": "rulebook-1971"}, by_the_book("rulebook-1971", missing=MissingOrders.DISORDER)),
        ({"missing": "wait", "rules": "rulebook-1971"}, by_the_book("rulebook-1971", missing=MissingOrders.WAIT)),
        ({"rules": "shofukusha", "press": "public"}, by_the_book("shofukusha", press=PressRule.PUBLIC)),
        ({"rules": "standard"}, Settings()),
        (
            {"update": "on completion"},
            in_order({"update_type": UpdateType.ON_COMPLETION}),
        ),
        ({"update": "手動更新"}, in_order({"update_type": UpdateType.MANUAL})),
        ({"short game": "1907"}, in_order({"short_game": 1907})),
    ],
)
def test_settings(written: dict[str, str], settings: Settings) -> None:
    assert read_settings(as_read(written)) == settings


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ({"deadline": "soon", "zone": "Atlantis"}, ["deadline: soon (3 days", "zone: Atlantis"]),
        ({"deadline": "-3 days"}, ["deadline: -3 days"]),
        ({"rules": "chess"}, ["rules: chess"]),
        ({"colour": "red"}, ["colour"]),
        ({"players": "8"}, ["players: 8 (2 | 3 plan 1 | 3 plan 2 | 4 | 5 | 6 | 7)"]),
        ({"update": "sometimes"}, ["update: sometimes (", "on-completion"]),
        ({"short game": "later"}, ["short game: later (1910 | none)"]),
        ({"short game": "later", "board": "hundred"}, ["short game: later (1515 | none)"]),
        ({"update": "manual", "grace": "3 hours"}, ["grace (not while update type is manual)"]),
        ({"press": "none", "writing": "5 minutes"}, ["writing (not while press is none)"]),
        ({"short game": "1890"}, ["short game: 1890 (1901"]),
        ({"short game": "9"}, ["short game: 9 (1901"]),
    ],
)
def test_every_wrong_setting_is_named(written: dict[str, str], named: list[str]) -> None:
    refused = create(Create("ardennes", as_read(written)), MASTER)
    assert isinstance(refused, Refused)
    assert isinstance(refused.why, refusals.BadSetting)
    said = wording_in(Language.ENGLISH).say("refused", refused)
    assert [word for word in named if word not in said] == []


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("3 days", timedelta(days=3)),
        ("1 day 12 hours", timedelta(hours=36)),
        ("2日 12時間", timedelta(hours=60)),
        ("90m", timedelta(minutes=90)),
        ("1 week", timedelta(weeks=1)),
        ("", None),
        ("0 days", None),
        ("three days", None),
        ("3 moons", None),
    ],
)
def test_durations(text: str, length: timedelta | None) -> None:
    assert read_duration(text) == length


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Europe/Paris", "Europe/Paris"),
        ("europe/paris", "Europe/Paris"),
        ("new york", "America/New_York"),
        ("東京", "Asia/Tokyo"),
        ("utc", "UTC"),
        ("Atlantis", None),
        ("../../etc/passwd", None),
        ("", None),
    ],
)
def test_zones(text: str, zone: str | None) -> None:
    assert find_zone(text) == zone


@pytest.mark.parametrize(
    ("update", "kind", "has_deadline", "closes_when_ready"),
    [
        (UpdateType.SCHEDULED, PhaseKind.MOVEMENT, True, False),
        (UpdateType.ON_COMPLETION, PhaseKind.MOVEMENT, False, True),
        (UpdateType.SCHEDULED_WITH_EARLY_MINOR_PHASES, PhaseKind.MOVEMENT, True, False),
        (UpdateType.SCHEDULED_WITH_EARLY_MINOR_PHASES, PhaseKind.RETREAT, True, True),
        (UpdateType.SCHEDULED_WITH_EARLY_MINOR_PHASES, PhaseKind.ADJUSTMENT, True, True),
        (UpdateType.MANUAL, PhaseKind.MOVEMENT, False, False),
        (UpdateType.SCHEDULED_OR_ON_COMPLETION, PhaseKind.MOVEMENT, True, True),
    ],
)
def test_update_types(update: UpdateType, kind: PhaseKind, *, has_deadline: bool, closes_when_ready: bool) -> None:
    settings = in_order({"update_type": update})
    game = set_out("ardennes", settings, MASTER)
    game = replace(game, position=replace(game.position, phase=replace(game.position.phase, kind=kind)))
    assert (open_phase(game, NOON).clock.deadline is not None) is has_deadline
    assert may_close_when_ready(settings, kind) is closes_when_ready


# Seats


@pytest.mark.parametrize("name", ["2nd", "winter-sale", "x" * 17, "a b", "-x", "é", "", "a--b", "confirm"])
def test_names_that_are_none(name: str) -> None:
    assert create(Create(name), MASTER) == Refused(refusals.BadName(name))


def test_a_power_is_taken_once_and_a_wish_can_be_changed() -> None:
    made = create(Create("ardennes"), MASTER)
    assert isinstance(made, Handled)
    game = join(made.game, PersonId(1), Join("ardennes", FRANCE), NOON, seed=1).game
    assert join(game, PersonId(2), Join("ardennes", FRANCE), NOON, seed=1).answer == Refused(
        refusals.PowerTaken(FRANCE)
    )
    assert join(game, PersonId(1), Join("ardennes", FRANCE), NOON, seed=1).answer == Refused(
        refusals.AlreadyIn("ardennes")
    )
    changed = join(game, PersonId(1), Join("ardennes", Power("ITALY")), NOON, seed=1).game
    assert [(one.person, one.wishes) for one in changed.applicants] == [(1, ("ITALY",))]


def test_an_observer_who_joins_observes_no_more() -> None:
    made = create(Create("ardennes"), MASTER)
    assert isinstance(made, Handled)
    watched = handle(Request(made.game, PersonId(1), Observe("ardennes"), MailContext(1, "", NOON), NOON)).game
    assert watched.observers == (1,)
    assert join(watched, PersonId(1), Join("ardennes"), NOON, seed=1).game.observers == ()


def test_a_game_that_runs_takes_nobody_else() -> None:
    assert join(opened(), PersonId(50), Join("ardennes"), NOON, seed=1).answer == Refused(
        refusals.HasStarted("ardennes", may_take_over=False, may_observe=False)
    )


# Orders


@pytest.mark.parametrize("mail", [1, 2], ids=["in the same mail", "in a later one"])
def test_the_last_word_per_unit_counts_and_is_named(mail: int) -> None:
    game = order(opened(), "A PAR - BUR", mail=1).game
    again = order(game, "A PAR - PIC", mail=mail)
    assert on_file(again.game) == ["A PAR - PIC"]
    assert again.answer == Filed(FRANCE, read_order("A PAR - PIC"), ((read_order("A PAR - BUR"),),))


def test_a_mail_that_is_worked_late_does_not_replace_a_newer_one() -> None:
    game = order(opened(), "A PAR - BUR", mail=7).game
    late = order(game, "A PAR - PIC", mail=3)
    assert late.answer == Refused(refusals.Superseded("PAR", read_order("A PAR - BUR")))
    assert late.game == game


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A MUN - BER", refusals.ForeignUnit(province_of(Location("MUN")))),
        ("A RUH - BER", refusals.NoSuchUnit(province_of(Location("RUH")))),
        ("F PAR - PIC", refusals.WrongKind(read_unit("A PAR"))),
    ],
)
def test_orders_that_are_not_taken(text: str, why: refusals.Refusal) -> None:
    handled = order(opened(), text)
    assert handled.answer == Refused(why)
    assert on_file(handled.game) == []


def test_an_order_that_will_be_void_is_on_file_with_a_warning() -> None:
    handled = order(opened(), "A PAR - BER")
    assert isinstance(handled.answer, Filed)
    assert handled.answer.warning is not None
    assert on_file(handled.game) == ["A PAR - BER"]


def test_a_newer_mail_of_builds_replaces_the_set_and_names_what_is_gone() -> None:
    game = in_winter("BRE MAR PAR POR SPA", "A POR, A BUR, F BRE")
    game = order(order(game, "F MAR B").game, "WAIVE").game
    again = order(game, "A PAR B", mail=2)
    assert on_file(again.game) == ["A PAR B"]
    assert isinstance(again.answer, Filed)
    assert again.answer.replaced == ((read_order("F MAR B"),), (read_order("WAIVE"),))
    (lack,) = lacking(again.game)
    assert lack.count == 1


def test_one_build_too_many_is_warned_about() -> None:
    game = in_winter("BRE MAR PAR POR", "A POR, A BUR, F BRE")
    first = order(game, "F MAR B")
    second = order(first.game, "A PAR B")
    assert isinstance(first.answer, Filed)
    assert isinstance(second.answer, Filed)
    assert first.answer.warning is None
    assert second.answer.warning is not None


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        (["WAIVE", "WAIVE"], ["WAIVE", "WAIVE"]),
        (["WAIVE"] * 4, ["WAIVE"] * 3),
        (["F MAR B", "WAIVE", "WAIVE"], ["F MAR B", "WAIVE", "WAIVE"]),
        (["WAIVE", "F MAR B", "WAIVE"], ["WAIVE", "F MAR B", "WAIVE"]),
        (["WAIVE", "F MAR B", "F MAR B", "WAIVE"], ["WAIVE", "F MAR B", "WAIVE"]),
    ],
)
def test_each_waive_of_a_mail_counts(orders: list[str], expected: list[str]) -> None:
    game = in_winter("BRE MAR PAR POR SPA BEL", "A POR, A BUR, F BEL")
    for one in orders:
        game = order(game, one).game
    assert on_file(game) == expected


def test_a_unit_that_was_not_dislodged_needs_no_retreat() -> None:
    game = opened()
    lost = {read_unit("A MUN"): Dislodgement(Power("GERMANY"), province_of(Location("BUR")), False, (Location("RUH"),))}  # noqa: FBT003
    game = replace(game, position=replace(game.position, phase=Phase.parse("S1901R"), dislodged=lost))
    assert order(game, "A PAR R BUR").answer == Refused(refusals.NotDislodged(province_of(Location("PAR"))))
    assert ask(game, SetReady(ready=True)).answer == Refused(refusals.NothingToDecide(Phase.parse("S1901R")))
    wrong = order(game, "A MUN R BER", power=Power("GERMANY"))
    assert isinstance(wrong.answer, Filed)
    assert wrong.answer.retreats == ("RUH",)


@pytest.mark.parametrize(
    ("open_", "is_lost"),
    [("S1901M", False), ("S1901R", False), ("F1901M", False), ("F1901R", True), ("S1902M", False)],
)
def test_a_build_is_refused_in_civil_disorder_where_no_movement_comes_before(open_: str, *, is_lost: bool) -> None:
    game = replace(opened(), settings=Settings(rules=PROFILES["rulebook-1971"]))
    game = game.with_seat(replace(game.seat(FRANCE), in_disorder=True))
    game = replace(game, position=replace(game.position, phase=Phase.parse(open_)))
    answer = order(game, "A PAR B").answer
    if is_lost:
        assert answer == Refused(refusals.NothingToDecide(Phase.parse("W1901A"), idle=(FRANCE,)))
    else:
        assert isinstance(answer, Filed)


def test_clearing() -> None:
    game = order(order(opened(), "A PAR - BUR").game, "F BRE H").game
    one = ask(game, Clear(read_unit("F BRE")))
    assert one.answer == Cleared((read_order("F BRE H"),))
    assert on_file(one.game) == ["A PAR - BUR"]
    assert ask(one.game, Clear(read_unit("F BRE"))).answer == Refused(refusals.NothingToClear(read_unit("F BRE")))
    assert on_file(ask(game, Clear()).game) == []


# Which phase, and when it closes


@pytest.mark.parametrize(
    ("phase", "at", "why"),
    [
        ("S1904M", NOON, refusals.WrongPhase(Phase.parse("S1904M"), SPRING)),
        ("S1901M", NOON + timedelta(days=3, seconds=1), refusals.TooLate(SPRING)),
        (None, NOON + timedelta(days=3, seconds=1), refusals.TooLate(SPRING)),
    ],
)
def test_orders_for_another_phase_or_too_late(phase: str | None, at: datetime, why: refusals.Refusal) -> None:
    handled = ask(opened(), Give(read_order("A PAR H")), at=at, phase=phase)
    assert handled.answer == Refused(why)


def test_a_mail_at_the_very_deadline_counts() -> None:
    handled = ask(opened(), Give(read_order("A PAR H")), at=NOON + timedelta(days=3), phase="S1901M")
    assert isinstance(handled.answer, Filed)


def test_the_last_to_be_ready_closes_the_phase() -> None:
    game = opened()
    for number, power in enumerate(MAP.powers, start=1):
        handled = ask(game, SetReady(ready=True), power=power)
        game = handled.game
        assert isinstance(handled.answer, ReadySet)
        assert handled.answer.waiting_for == len(MAP.powers) - number
        (lack,) = handled.answer.missing
        assert lack.units == game.position.units_of(power)
        assert not handled.answer.counts
        unheard = ask(game, SetReady(ready=True), power=power, mail=2).game
        assert not unheard.seat(power).filed.ready, "the answer to the first READY may not have been read"
        game = ask(game, SetReady(ready=True), power=power, mail=2, heard=frozenset({1})).game
        assert all(game.seat(power).filed.ready for power in MAP.powers[:number])
    assert game.due == NOON


def test_only_the_master_processes_and_a_phase_closes_once() -> None:
    game = opened()
    spring = Phase.parse("S1901M")
    assert ask(game, Process(spring)).answer == Refused(refusals.NotTheMaster(Process(spring)))
    told = handle(Request(game, MASTER, Process(spring), MailContext(1, "", NOON), NOON))
    assert told.answer == Closing(spring)
    closed = close(told.game, spring, NOON)
    assert closed is not None
    after, (event,) = closed
    assert isinstance(event, PhaseClosed)
    assert after.position.phase == Phase.parse("F1901M")
    assert (event.missing, event.kept) == ((), ())  # they still had time
    assert close(after, spring, NOON) is None
    again = handle(Request(after, MASTER, Process(spring), MailContext(2, "", NOON), NOON))
    assert again.answer == Refused(refusals.AlreadyClosed(spring, Phase.parse("F1901M")))


# Who is out


def out_by_house_rule() -> Game:
    """Return a winter game whose France has centers, no unit and nowhere to build (R-ELIM-1)."""
    game = opened()
    rules = replace(game.settings.rules, elimination=Elimination.NO_UNITS_AFTER_ADJUSTMENT)
    owners = {province_of(Location("SPA")): FRANCE, province_of(Location("BER")): GERMANY}
    units = {read_unit("A MUN"): GERMANY, read_unit("A RUH"): GERMANY, read_unit("A BUR"): ITALY}
    owners[province_of(Location("ROM"))] = ITALY
    winter = Position(Phase.parse("W1901A"), units, owners)
    return replace(game, settings=replace(game.settings, rules=rules), position=winter)


def test_who_is_out_by_a_house_rule_is_told_once() -> None:
    game = out_by_house_rule()
    told = []
    for _ in range(4):
        closed = close(game, game.position.phase, game.clock.deadline or NOON)
        assert closed is not None
        game, (event, *_) = closed
        assert isinstance(event, PhaseClosed)
        told.append(FRANCE in event.resolution.eliminated)
    assert told == [True, False, False, False]
    assert game.seat(FRANCE).is_out
    assert FRANCE not in living(game)
    assert FRANCE not in game.deciding
    assert FRANCE not in {seat.power for seat in voters(game)}


def test_who_is_out_sends_no_press_has_no_vote_and_may_take_over() -> None:
    closed = close(out_by_house_rule(), Phase.parse("W1901A"), NOON)
    assert closed is not None
    game = closed[0]
    assert ask(game, Press((GERMANY,), text="hello")).answer == Refused(refusals.Eliminated())
    assert ask(game, VoteDraw(agrees=True)).answer == Refused(refusals.NoVote("ardennes"))
    assert ask(game, Concede(GERMANY)).answer == Refused(refusals.NoVote("ardennes"))
    game = ask(game, Resign(), power=ITALY).game
    game = game.with_seat(replace(game.seat(ITALY), in_disorder=True, missed=2))
    taken = ask(game, TakeOver("ardennes", ITALY))
    assert isinstance(taken.answer, Joined)
    seat = taken.game.seat(ITALY)
    assert (seat.holder, seat.in_disorder, seat.missed) == (holder(game), False, 0)


def test_a_draw_needs_no_power_that_nobody_is_to_play() -> None:
    made = create(Create("ardennes", as_read({"players": "6", "absent block": "yes"})), MASTER)
    assert isinstance(made, Handled)
    game = made.game
    played = [powers[0] for powers in game.set_up.assignments]
    for number, power in enumerate(played, start=1):
        game = join(game, PersonId(number), Join("ardennes", power), NOON, seed=1).game
    for power in played:
        game = ask(game, VoteDraw(agrees=True), power=power).game
    assert game.ended is Ended.DRAW
    assert set(game.sharers) == set(played)


def test_the_last_one_against_a_draw_leaves() -> None:
    game = opened()
    for power in MAP.powers:
        if power != FRANCE:
            game = ask(game, VoteDraw(agrees=True), power=power).game
    assert game.is_running
    handled = ask(game, Resign())
    assert handled.game.ended is Ended.DRAW
    assert isinstance(handled.events[-1], GameEnded)
    assert FRANCE not in handled.game.sharers


def test_what_is_declined_in_spring_is_declined_in_autumn() -> None:
    game = opened()
    rules = replace(game.settings.rules, decline_ownership=DeclineOwnership.YES)
    game = replace(game, settings=replace(game.settings, rules=rules))
    spain = province_of(Location("SPA"))
    game = ask(game, Decline((spain,))).game
    game = order(game, "A MAR - SPA").game
    for _ in range(2):
        closed = close(game, game.position.phase, game.clock.deadline or NOON)
        assert closed is not None
        game = closed[0]
    assert spain not in (game.position.centers or {})
    assert game.seat(FRANCE).filed.declined == ()


def test_a_grace_is_not_for_taking_back_what_was_complete() -> None:
    game = opened()
    for unit in ("A PAR H", "A MAR H", "F BRE H"):
        game = order(game, unit).game
    game = replace(game, clock=replace(game.clock, in_grace=True))
    for command in (Clear(), Undo()):
        assert ask(game, command, mail=2).answer == Refused(refusals.FixedInGrace(SPRING))


def test_a_refused_line_is_remembered_if_it_was_in_time_and_meant_the_open_phase() -> None:
    game = opened()
    assert game.due is not None
    fall, second = Phase.parse("F1901M"), timedelta(seconds=1)
    for at, phase, remembered in (
        (game.due, None, ["A Par - Xyz"]),
        (game.due, SPRING, ["A Par - Xyz"]),
        (game.due, fall, []),
        (game.due + second, None, []),
    ):
        after = with_refused(game, holder(game), MailContext(1, "A Par - Xyz", at, phase))
        assert [line.text for line in after.seat(FRANCE).filed.refused] == remembered


def test_a_player_without_units_is_told_once_and_is_asked_for_nothing_any_more() -> None:
    game = opened()
    italy, turkey, austria = Power("ITALY"), Power("TURKEY"), Power("AUSTRIA")
    game = game.with_seat(replace(game.seat(turkey), holder=holder(game, italy)))
    units = {read_unit("A VEN"): italy, read_unit("A ROM"): turkey}
    units |= dict.fromkeys(map(read_unit, ("A TYR", "A TRI", "A APU", "F NAP")), austria)
    centers = dict.fromkeys(MAP.home_centers[austria] | MAP.home_centers[italy], austria)
    game = replace(game, position=Position(Phase.parse("F1902M"), units, centers))
    for code in ("A TYR - VEN", "A TRI S A TYR - VEN", "A APU - ROM", "F NAP S A APU - ROM"):
        game = order(game, code, power=austria).game
    told: list[PlayerOut] = []
    for _ in range(3):
        closed = close(game, game.position.phase, game.clock.deadline or NOON)
        assert closed is not None
        game = closed[0]
        told += [event for event in closed[1] if isinstance(event, PlayerOut)]
    assert [event.powers for event in told] == [(italy, turkey)]


# Words


@pytest.mark.parametrize(
    "kind",
    [kind for kind in get_args(GameCommand) if kind not in (Give, Doubted, AnswerQuestion)],
    ids=lambda kind: kind.__name__,
)
def test_a_command_is_named_as_it_is_written(kind: type[Command]) -> None:
    named = {"EndGame": "END", "ShowLog": "LOG", "SetReady": "READY", "VoteDraw": "DRAW"}
    values: dict[str, Any] = {
        "power": FRANCE, "to": FRANCE, "game": "ardennes", "address": "a@b.test",
        "phase": Phase.parse("S1901M"), "setting": "grace", "value": "none", "moment": "Fri", "length": "1 day",
        "ready": True, "agrees": True, "share": True, "provinces": (), "period": "1 Dec", "reason": "why",
        "unit": read_unit("A PAR"), "center": "PAR", "what": next(iter(Proposable)), "yes": True, "upholds": True,
            "word": "rosebud",
    }  # fmt: skip
    if kind is Press:
        values["to"] = (FRANCE,)
    told = {one.name: values[one.name] for one in fields(kind) if one.name in values}
    word = word_of(kind(**told))
    assert word == named.get(kind.__name__, word)
    assert word.isupper()
    assert "FRANCE" not in word
    assert "S1901M" not in word
