"""Stored data come back unchanged, once, and only if they were committed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta, timezone
from pathlib import Path
from types import MappingProxyType

import pytest
from sqlalchemy import RowMapping
from sqlalchemy.event import listen

from judge.calendar import Timetable, Weekday
from judge.commands import HandOver, Language
from judge.errors import ConflictError, InstallationError
from judge.games.ballots import Ballots
from judge.games.clock import Clock
from judge.games.events import GameNews, PhaseClosed
from judge.games.filed import FiledOrder, OpenQuestion, Planned, Replaced
from judge.games.game import Applicant, Ended, Game, GameState, Invitation, Seat
from judge.games.leave import Leave
from judge.games.listing import Shelf
from judge.games.mutes import Mutes
from judge.games.person import Person, PersonId
from judge.games.terms import Settings
from judge.mail.letters import Attachment, LetterKind, Outgoing, RawMail
from judge.rules import load_map, read_order, read_unit
from judge.rules.options import ConvoyIntent, Options, UpdateType
from judge.rules.outcomes import Resolution
from judge.rules.position import Dislodgement, Location, Phase, Position, Power, Province, province_of
from judge.storage import (
    UNPROVED,
    Arrived,
    InboxState,
    LetterTags,
    Looked,
    OutboxState,
    ProcessLocks,
    Store,
    Unworked,
    Waiting,
    Work,
    games,
    migrate,
)
from judge.storage.fields import CONDUCT, COURSE
from judge.storage.records import read_command, write_command
from judge.storage.waking import WorkMail
from tests.asked import asked_of
from tests.database import only_postgresql, only_sqlite, url_in_memory, url_of
from tests.office import Office

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
FRANCE = Power("FRANCE")


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = url_in_memory() if request.param == "memory" else url_of(tmp_path)
    if request.param == "file":
        migrate(url)
    opened = Store.open(url)
    yield opened
    opened.close()


def register(store: Store, address: str) -> Person:
    with store.work() as work:
        person = work.people.add(address, address.partition("@")[0], Language.ENGLISH, "UTC")
        work.commit()
    return person


def new_game(name: str, master: PersonId) -> Game:
    map_ = load_map()
    seats = tuple(Seat(power) for power in map_.powers)
    return Game(name, Settings(), master, GameState.FORMING, map_.start(), seats)


def with_orders(game: Game, power: str, *lines: str, mail: int = 1) -> Game:
    orders = tuple(FiledOrder(read_order(line), f"  {line} ; 海", mail) for line in lines)
    seats = tuple(
        replace(seat, filed=replace(seat.filed, orders=orders)) if seat.power == power else seat for seat in game.seats
    )
    return replace(game, seats=seats)


def added(store: Store, game: Game) -> Game:
    with store.work() as work:
        work.games.add(game)
        work.commit()
    return loaded(store, game.name)


def loaded(store: Store, name: str) -> Game:
    with store.work() as work:
        game = work.games.get(name)
    assert game is not None
    return game


def saved(store: Store, game: Game) -> Game:
    with store.work() as work:
        work.games.get(game.name)
        after = work.games.save(game)
        work.commit()
    return after


def province(code: str) -> Province:
    return Province(Location(code))


def mail(text: str = "A PAR - BUR") -> RawMail:
    return RawMail(text.encode(), "loopback", NOW, "alice@players.test", ("judge@judge.test",))


def letter(number: int = 1, kind: LetterKind = LetterKind.REPLY, recipient: str = "alice@players.test") -> Outgoing:
    return Outgoing(kind, recipient, f"<{number}@judge.test>", NOW, "judge@judge.test", None, "件名", "本文\n")


def kept(store: Store, identity: str = "one") -> int:
    (id_,) = store.keep_all([Arrived(mail(), identity, None)])
    assert id_ is not None
    return id_


def queued(store: Store, number: int = 1, tags: LetterTags | None = None, now: datetime = NOW) -> None:
    with store.work() as work:
        work.outbox.queue(letter(number), tags or LetterTags(f"key {number}"), now)
        work.commit()


def leased(store: Store, now: datetime) -> list[int]:
    with store.work() as work:
        found = work.outbox.lease(now, 10, HOUR)
        work.commit()
    return [one.id for one in found]


def test_letters_that_wait_leave_as_one(store: Store) -> None:
    alice = register(store, "alice@players.test")
    with store.work() as work:
        for number in (1, 2, 3):
            tags = LetterTags(f"key {number}", alice.id, "second" if number == 3 else "ardennes")
            work.outbox.queue(letter(number), tags, NOW, NOW + HOUR)
        work.commit()
    assert leased(store, NOW + 2 * HOUR) == []
    with store.work() as work:
        assert work.outbox.waiting(NOW) == ()
        work.outbox.release(NOW, alice.id, "ardennes")
        first, second = work.outbox.waiting(NOW)
        assert [one.id for one in work.outbox.waiting(NOW + HOUR)] == [first.id, second.id, 3]
        work.outbox.gather([first.id, second.id], replace(first.letter, text="both\n"), NOW)
        work.commit()
    assert leased(store, NOW) == [first.id]
    with store.work() as work:
        parts = [work.outbox.get(first.id), work.outbox.get(second.id)]
        assert [(part.state, part.letter.text) for part in parts if part] == [
            (OutboxState.QUEUED, "both\n"),
            (OutboxState.GATHERED, "本文\n"),
        ]
        work.outbox.redact(alice.id, alice.address)
        assert work.outbox.waiting(NOW + HOUR) == ()


# Games


@pytest.mark.parametrize(
    "lines",
    [
        ("A PAR H", "A MAR - SPA", "A MAR - SPA VIA", "F BRE S A PAR", "F BRE S A PAR - PIC"),
        ("F BRE - SPA/NC", "F ENG C A LON - BRE"),
        ("A PAR R GAS", "F STP/SC R GOB", "A MAR D"),
        ("A PAR B", "F STP/NC B", "A MAR D", "WAIVE", "WAIVE"),
    ],
    ids=["movement", "coasts and convoys", "retreats", "adjustments"],
)
def test_orders_of_every_kind_come_back_in_order(store: Store, lines: tuple[str, ...]) -> None:
    master = register(store, "master@players.test")
    game = with_orders(new_game("ardennes", master.id), "FRANCE", *lines)
    assert added(store, game) == game


def test_what_older_versions_wrote_of_a_seat_and_a_game_is_read() -> None:
    written = (
        '{"changed_by":7,"draws":true,"absent_from":"2026-11-24T12:00:00Z","muted":["ITALY"],"mutes_nameless":true}'
    )
    seat = CONDUCT.put(Seat(FRANCE), written)
    assert (seat.filed.changed_by, seat.ballots, seat.mutes) == (
        7,
        Ballots(draws=True),
        Mutes((Power("ITALY"),), nameless=True),
    )
    assert seat.leave == Leave(datetime(2026, 11, 24, 12, tzinfo=UTC))
    assert json.loads(CONDUCT.take(seat)) == json.loads(written)
    older = '{"questions":[{"number":1,"orders":["A PAR H"],"because":"maybe","mail":7}]}'
    question = OpenQuestion(1, ("A PAR H",), "maybe", 7, group=0, phase="", written=())
    assert CONDUCT.put(Seat(FRANCE), older).filed.questions == (question,)
    game = COURSE.put(new_game("ardennes", PersonId(1)), '{"carried":"PT2H","in_grace":true,"tossed":1}')
    assert (game.clock, game.tossed) == (Clock(carried=2 * HOUR, in_grace=True), 1)
    assert json.loads(COURSE.take(game)) == {"carried": "PT2H", "in_grace": True, "tossed": 1}


_BUILDS = (read_order("F STP/NC B"), "F StP/nc else A Mos else waive", 7, (read_order("A MOS B"), read_order("WAIVE")))
"""What to build, in order of preference."""


def test_a_game_comes_back_whole(store: Store) -> None:
    master, alice, bob = (register(store, f"{name}@players.test") for name in ("master", "alice", "bob"))
    game = new_game("ardennes", master.id)
    full = replace(
        game,
        settings=Settings(
            rules=Options(convoy_intent=ConvoyIntent.EXPLICIT, update_type=UpdateType.MANUAL),
            movement=Timetable(timedelta(hours=12), frozenset((Weekday.TUESDAY, Weekday.FRIDAY)), time(21)),
            retreat=Timetable(timedelta(minutes=1)),
            reminders=(timedelta(hours=3),),
            zone="Asia/Tokyo",
        ),
        seats=tuple(
            replace(
                seat,
                holder=alice.id,
                serial=3,
                filed=replace(
                    seat.filed,
                    ready=True,
                    planned=(
                        Planned(Phase.parse("F1901M"), FiledOrder(read_order("A PAR H"), "A Par H", 7)),
                        Planned(Phase.parse("W1901A"), FiledOrder(*_BUILDS)),
                    ),
                    replaced=(
                        Replaced(FiledOrder(read_order("A PAR - BUR"), "A Par - Bur", 3), 7),
                        Replaced(FiledOrder(*_BUILDS), 7, Phase.parse("W1901A")),
                    ),
                    changed_by=7,
                    declined=(province_of(Location("POR")),),
                ),
                ballots=Ballots(draws=True, concedes_to=Power("ITALY")),
                missed=2,
                leave=Leave(NOW, NOW + HOUR),
            )
            if seat.power == FRANCE
            else seat
            for seat in game.seats
        ),
        applicants=(Applicant(bob.id, (Power("ITALY"), FRANCE)), Applicant(alice.id)),
        co_masters=(bob.id,),
        invitations=(Invitation("eve@players.test", FRANCE),),
        clock=replace(
            game.clock,
            carried=HOUR,
            opened_at=NOW,
            deadline=NOW.astimezone(timezone(timedelta(hours=9))) + HOUR,
            closing_since=NOW + timedelta(microseconds=5),
        ),
        ended=Ended.DRAW,
        sharers=(FRANCE, Power("ITALY")),
        observers=(bob.id, master.id),
        winner=FRANCE,
    )
    assert added(store, full) == full


def test_a_position_with_dislodged_units_and_standoffs_comes_back(store: Store) -> None:
    master = register(store, "master@players.test")
    position = Position(
        Phase.parse("F1902R"),
        {read_unit("A MAR"): Power("ITALY"), read_unit("F SPA/SC"): FRANCE},
        {province("PAR"): FRANCE, province("MAR"): Power("ITALY")},
        {
            read_unit("A MAR"): Dislodgement(FRANCE, province("PIE"), by_convoy=False, retreats=(Location("GAS"),)),
            read_unit("F SPA/NC"): Dislodgement(FRANCE, province("POR"), by_convoy=True, retreats=()),
        },
        frozenset({province("BUR"), province("TYR")}),
    )
    game = replace(new_game("ardennes", master.id), position=position)
    assert added(store, game).position == position


def test_a_save_raises_the_version_and_lasts(store: Store) -> None:
    master = register(store, "master@players.test")
    game = added(store, new_game("ardennes", master.id))
    after = saved(store, with_orders(game, "FRANCE", "A PAR H"))
    assert after.version == game.version + 1
    assert loaded(store, "ardennes") == after


def test_a_save_replaces_the_orders_of_one_power_only(store: Store) -> None:
    master = register(store, "master@players.test")
    game = with_orders(new_game("ardennes", master.id), "FRANCE", "A PAR H", "A MAR H")
    game = added(store, with_orders(game, "ITALY", "A ROM H"))
    after = saved(store, with_orders(game, "FRANCE", "A MAR - SPA", mail=2))
    assert loaded(store, "ardennes") == after
    assert [len(after.seat(Power(power)).filed.orders) for power in ("FRANCE", "ITALY")] == [1, 1]


def test_a_new_phase_begins_with_empty_orders(store: Store) -> None:
    master = register(store, "master@players.test")
    game = added(store, with_orders(new_game("ardennes", master.id), "FRANCE", "A PAR H"))
    fall = replace(game.position, phase=Phase.parse("F1901M"))
    closed = replace(
        game, position=fall, seats=tuple(replace(seat, filed=replace(seat.filed, orders=())) for seat in game.seats)
    )
    assert loaded(store, saved(store, closed).name).seat(FRANCE).filed.orders == ()


def test_a_name_is_taken_once(store: Store) -> None:
    master = register(store, "master@players.test")
    added(store, new_game("ardennes", master.id))
    with store.work() as work, pytest.raises(ConflictError):
        work.games.add(new_game("ardennes", master.id))
    assert loaded(store, "ardennes").master == master.id


def test_a_game_loaded_before_somebody_else_saved_is_refused(store: Store) -> None:
    master = register(store, "master@players.test")
    stale = added(store, new_game("ardennes", master.id))
    saved(store, with_orders(stale, "FRANCE", "A PAR H"))
    with pytest.raises(ConflictError):
        saved(store, with_orders(stale, "ITALY", "A ROM H"))


def test_a_game_that_is_known_is_the_very_one_until_somebody_saves_it(store: Store) -> None:
    known = added(store, new_game("ardennes", register(store, "master@players.test").id))
    with store.work() as work:
        assert work.games.current(known) is known
    after = saved(store, with_orders(known, "FRANCE", "A PAR H"))
    with store.work() as work:
        assert work.games.current(known) == after
        assert work.games.current(replace(known, name="other")) is None


def test_a_game_that_was_never_added_is_not_saved(store: Store) -> None:
    game = new_game("ardennes", register(store, "master@players.test").id)
    with store.work() as work, pytest.raises(ConflictError):
        work.games.save(game)


def test_a_game_saved_twice_in_one_work_is_refused_the_second_time(store: Store) -> None:
    master = register(store, "master@players.test")
    stale = added(store, new_game("ardennes", master.id))
    with store.work() as work:
        work.games.get("ardennes")
        work.games.save(with_orders(stale, "FRANCE", "A PAR H"))
        with pytest.raises(ConflictError):
            work.games.save(stale)


def test_only_active_games_are_due_the_longest_first(store: Store) -> None:
    master = register(store, "master@players.test")
    plan = {
        "late": (GameState.ACTIVE, NOW - HOUR),
        "latest": (GameState.ACTIVE, NOW - 2 * HOUR),
        "on-time": (GameState.ACTIVE, NOW),
        "later": (GameState.ACTIVE, NOW + HOUR),
        "by-hand": (GameState.ACTIVE, None),
        "over": (GameState.FINISHED, NOW - HOUR),
    }
    for name, (state, deadline) in plan.items():
        added(store, replace(new_game(name, master.id), state=state, clock=Clock(deadline=deadline)))
    with store.work() as work:
        assert work.games.due(NOW) == ("latest", "late", "on-time")


def test_nothing_is_due_without_games(store: Store) -> None:
    with store.work() as work:
        assert work.games.due(NOW) == ()
        assert work.games.get("ardennes") is None


def test_games_are_named_by_state_some_at_a_time(store: Store) -> None:
    master = register(store, "master@players.test")
    for name, state in (("b", GameState.ACTIVE), ("a", GameState.FORMING), ("c", GameState.FINISHED)):
        added(store, replace(new_game(name, master.id), state=state))
    with store.work() as work:
        assert work.games.names((GameState.FORMING, GameState.ACTIVE)) == ("a", "b")
        assert work.games.names(GameState, limit=2) == ("a", "b")
        assert work.games.names(GameState, after="b") == ("c",)
        assert [game.name for game in work.games.many(("c", "a", "nowhere"))] == ["c", "a"]
        assert work.games.many(("a",)) == (work.games.get("a"),)


def test_games_stand_on_the_list_by_what_they_offer(store: Store) -> None:
    master, eve = register(store, "master@players.test"), register(store, "eve@players.test")
    plain = new_game("e-forms", master.id)
    held = tuple(replace(seat, holder=master.id) for seat in plain.seats)
    running = replace(plain, state=GameState.ACTIVE, seats=held)
    hidden = replace(plain.settings, listed=False)
    for game in (
        plain,
        replace(running, name="a-runs"),
        replace(running, name="b-lacks", seats=(replace(held[0], holder=None), *held[1:])),
        replace(running, name="c-hides", settings=hidden, observers=(eve.id,)),
        replace(running, name="d-ended", state=GameState.FINISHED),
    ):
        added(store, game)
    everything = (Shelf.NEW, Shelf.VACANT, Shelf.RUNNING)
    with store.work() as work:
        assert work.games.on_shelves(everything, None, 0, 9) == (("e-forms", "b-lacks", "a-runs"), 3)
        assert work.games.on_shelves(everything, eve.id, 0, 2) == (("c-hides", "e-forms"), 4)
        assert work.games.on_shelves((Shelf.VACANT,), None, 0, 9) == (("b-lacks",), 1)
        assert work.games.on_shelves(everything, None, 2, 2) == (("a-runs",), 3)


def test_people_who_stand_by_are_found(store: Store) -> None:
    one, other = (register(store, f"{name}@players.test") for name in ("one", "other"))
    with store.work() as work:
        work.people.save(replace(one, preferences=replace(one.preferences, standby="standard en")))
        work.people.save(replace(other, preferences=replace(other.preferences, warnings=False)))
        assert [person.id for person in work.people.standing_by()] == [one.id]
        work.people.erase(one)
        assert not work.people.standing_by()


def test_games_are_found_by_what_they_keep(store: Store) -> None:
    master = register(store, "master@players.test")
    kept = (Invitation("o'hara_%@players.test"),)
    added(store, replace(new_game("keeps", master.id), invitations=kept))
    added(store, replace(new_game("moved", master.id), state=GameState.ACTIVE, clock=Clock(before_outage=NOW)))
    added(store, replace(new_game("plain", master.id), state=GameState.ACTIVE))
    with store.work() as work:
        assert work.games.inviting("o'hara_%@players.test") == ("keeps",)
        assert work.games.inviting("ohara@players.test") == ()
        assert work.games.with_outage() == ("moved",)


def test_a_person_has_part_as_master_holder_applicant_or_observer(store: Store) -> None:
    master, alice = register(store, "master@players.test"), register(store, "alice@players.test")
    plain = new_game("stranger", master.id)
    added(store, plain)
    added(store, replace(plain, name="mastered", master=alice.id))
    held = tuple(replace(seat, holder=alice.id) for seat in plain.seats)
    added(store, replace(plain, name="held", seats=held))
    added(store, replace(plain, name="applied", applicants=(Applicant(alice.id),)))
    added(store, replace(plain, name="watched", observers=(alice.id,)))
    added(store, replace(plain, name="over", seats=held, state=GameState.FINISHED))
    with store.work() as work:
        assert work.games.of_person(alice.id) == ("applied", "held", "mastered", "watched")


def test_the_latest_finished_games_of_a_master(store: Store) -> None:
    master, alice = register(store, "master@players.test"), register(store, "alice@players.test")
    over = replace(new_game("first", master.id), state=GameState.FINISHED, clock=Clock(opened_at=NOW))
    for name, opened_at in (("first", NOW), ("second", NOW + HOUR), ("unplayed", None)):
        added(store, replace(over, name=name, clock=Clock(opened_at=opened_at)))
    added(store, replace(over, name="hers", master=alice.id))
    added(store, new_game("open", master.id))
    with store.work() as work:
        assert work.games.finished_of(master.id, 2) == ("second", "first")
        assert work.games.finished_of(master.id, 9) == ("second", "first", "unplayed")


def test_a_person_who_left_has_no_part(store: Store) -> None:
    master, alice = register(store, "master@players.test"), register(store, "alice@players.test")
    game = added(store, replace(new_game("ardennes", master.id), observers=(alice.id,)))
    saved(store, replace(game, observers=()))
    with store.work() as work:
        assert work.games.of_person(alice.id) == ()


@only_sqlite
def test_only_what_may_be_lost_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    store = Store.open(url_of(tmp_path))
    for may_be_lost, how in ((False, "FULL"), (True, "NORMAL"), (False, "FULL")):
        with store.work(may_be_lost=may_be_lost) as work:
            work.people.by_address("alice@players.test")
            asked = work.connection.exec_driver_sql("PRAGMA synchronous").scalar_one()
            assert asked == {"NORMAL": 1, "FULL": 2}[how]
    store.close()


@only_sqlite
def test_a_file_stays_connected_however_long_it_rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.open(url_of(tmp_path))
    taken: list[object] = []
    listen(store.engine, "checkout", lambda *of_it: taken.append(of_it))
    for seconds in (0, 5, 10, 10.1):
        monkeypatch.setattr("judge.storage.connections.monotonic", lambda at=seconds: at)
        with store.work() as work:
            work.people.by_address("alice@players.test")
    assert len(taken) == 1
    store.close()


@only_sqlite
def test_an_order_mail_never_reads_a_whole_table(store: Store) -> None:
    alice = register(store, "alice@players.test")
    added(store, new_game("ardennes", alice.id))
    id_ = kept(store)
    with store.work() as work, asked_of(work.connection) as asked:
        work.inbox.next(NOW)
        work.inbox.begin(id_)
        work.inbox.suspect(id_, NOW)
        work.inbox.next(NOW)
        work.inbox.to_be_worked(id_)
        work.inbox.unworked(NOW)
        work.inbox.failed(id_)
        work.people.by_address(alice.address)
        work.people.many([alice.id])
        work.outbox.by_message_id("<1@judge.test>")
        work.games.of_person(alice.id)
        work.games.due(NOW)
        game = work.games.get("ardennes")
        assert game is not None
        work.games.save(with_orders(game, "FRANCE", "A PAR H"))
        work.outbox.queue(letter(), LetterTags("key", alice.id, "ardennes", inbox=id_), NOW)
        work.outbox.report_ids("ardennes", alice.id)
        work.outbox.count_to(alice.address, NOW, proved=True)
        work.inbox.done(id_, kind="person")
        work.inbox.keep(Arrived(mail(), "one", None))
        work.outbox.lease(NOW, 10, HOUR)
        plans = {
            statement: [row[3] for row in work.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")]
            for statement in asked.copy()
            if not statement.startswith(("INSERT", "PRAGMA"))
        }
    assert len(plans) > 15
    read_whole = [statement for statement, plan in plans.items() if any(step.startswith("SCAN") for step in plan)]
    assert read_whole == []


# People


def test_people_are_found_by_address_whatever_its_case(store: Store) -> None:
    alice = register(store, "Alice@Players.test")
    with store.work() as work:
        assert work.people.by_address("aLICE@players.TEST") == alice
        assert work.people.by_address("bob@players.test") is None
        assert work.people.many([alice.id, PersonId(99)]) == {alice.id: alice}
        assert work.people.many([]) == {}


def test_what_a_person_changes_lasts(store: Store) -> None:
    alice = replace(register(store, "alice@players.test"), name="有栖", language=Language("ja"), zone="Asia/Tokyo")
    with store.work() as work:
        work.people.save(alice)
        work.commit()
    with store.work() as work:
        assert work.people.by_address(alice.address) == alice


def test_who_was_erased_is_nobody_at_no_address(store: Store) -> None:
    alice = register(store, "alice@players.test")
    with store.work() as work:
        nobody = work.people.erase(alice)
        assert work.people.by_address(alice.address) is None
        assert work.people.many([alice.id, PersonId(99)]) == {alice.id: nobody}
    assert (nobody.id, nobody.name, nobody.zone) == (alice.id, "…", "")


# Units of work


def test_what_is_not_committed_is_rolled_back(store: Store) -> None:
    with store.work() as work:
        work.people.add("alice@players.test", "Alice", Language.ENGLISH, "UTC")
    with store.work() as work:
        assert work.people.by_address("alice@players.test") is None


def test_an_exception_rolls_everything_back(store: Store) -> None:
    def fail_in_the_middle(id_: int) -> None:
        with store.work() as work:
            work.inbox.done(id_, kind="person")
            work.outbox.queue(letter(), LetterTags("key"), NOW)
            raise ValueError("in the middle")

    id_ = kept(store)
    with pytest.raises(ValueError, match="in the middle"):
        fail_in_the_middle(id_)
    with store.work() as work:
        waiting = work.inbox.next(NOW)
        assert waiting is not None
        assert waiting.id == id_
        assert work.census().outbox == {}


def test_closed_phases_are_on_record_in_the_order_played(store: Store) -> None:
    master = register(store, "master@players.test")
    game = added(store, new_game("ardennes", master.id))
    with store.work() as work:
        for name in ("S1901M", "F1901M", "W1901A"):
            phase = Phase.parse(name)
            closed = PhaseClosed(game, phase, game.position, Resolution(phase, (), game.position), NOW)
            work.records.close(closed, f'{{"phase": "{name}"}}')
        work.commit()
    with store.work() as work:
        closed_phases = work.records.phases("ardennes")
        assert [str(one.phase) for one in closed_phases] == ["S1901M", "F1901M", "W1901A"]
        assert closed_phases[0].record == {"phase": "S1901M"}
        assert work.records.phases("other") == ()


def test_a_rollback_can_be_redone_until_a_phase_is_closed(store: Store) -> None:
    master = register(store, "master@players.test")
    game = added(store, new_game("ardennes", master.id))

    def close(work: Work, name: str) -> None:
        phase = Phase.parse(name)
        work.records.close(PhaseClosed(game, phase, game.position, Resolution(phase, (), game.position), NOW), "{}")

    def latest(work: Work) -> str | None:
        found = work.records.latest("ardennes")
        return str(found.phase) if found is not None else None

    with store.work() as work:
        assert latest(work) is None
        for name in ("S1901M", "F1901M", "S1902M"):
            close(work, name)
        assert latest(work) == "S1902M"
        work.records.roll_back("ardennes", Phase.parse("F1901M"))
        assert latest(work) == "S1901M"
        assert [str(one.phase) for one in work.records.phases("ardennes")] == ["S1901M"]
        work.records.redo("ardennes")
        assert [str(one.phase) for one in work.records.phases("ardennes")] == ["S1901M", "F1901M", "S1902M"]
        work.records.roll_back("ardennes", Phase.parse("S1902M"))
        close(work, "S1902M")
        assert work.records.before_rollback("ardennes") is None
        work.records.redo("ardennes")
        assert [str(one.phase) for one in work.records.phases("ardennes")] == ["S1901M", "F1901M", "S1902M"]


def test_a_phase_on_record_keeps_its_place_whatever_is_rolled_back(store: Store) -> None:
    master = register(store, "master@players.test")
    for name in ("ardennes", "bulge"):
        added(store, new_game(name, master.id))
    with store.work() as work:
        for game, phase in (("ardennes", "S1901M"), ("bulge", "S1901M"), ("ardennes", "F1901M")):
            work.records.put(game, phase, NOW, json.dumps({"game": game}))
        work.records.roll_back("ardennes", Phase.parse("F1901M"))
        work.records.put("ardennes", "F1901M", NOW, json.dumps({"game": "again"}))
        latest = work.records.latest("ardennes")
        assert latest is not None
        assert latest.place == 2
        assert [work.records.at("ardennes", place).record["game"] for place in range(3)] == [
            "ardennes",
            "ardennes",
            "again",
        ]


def test_a_log_keeps_the_words_of_a_time() -> None:
    for written in (
        '{"command": "SetDeadline", "reason": "late", "moment": "Fri 21:00"}',
        '{"command": "ChangeSetting", "reason": "", "setting": "deadline", "value": "2日", "game": null}',
        '{"command": "Absence", "period": "1 Dec", "power": null}',
    ):
        assert write_command(read_command(written)) == written
        assert read_command(write_command(read_command(written), by_vote=True)) == read_command(written)


def test_a_diary_is_its_writer_s_and_a_log_names_no_address(store: Store) -> None:
    alice, bob = register(store, "alice@players.test"), register(store, "bob@players.test")
    game = added(store, new_game("ardennes", alice.id))
    with store.work() as work:
        work.records.note(game, alice.id, "Trust nobody.", NOW)
        work.records.log(GameNews(game, HandOver(bob.address), NOW, person=bob.id))
        work.commit()
    with store.work() as work:
        (entry,) = work.records.entries(game)
        assert entry.command == HandOver("…")
        assert (entry.at, entry.phase, entry.power) == (NOW, game.position.phase, None)
        assert [one.text for one in work.records.diary("ardennes", alice.id)] == ["Trust nobody."]
        assert work.records.diary("ardennes", bob.id) == ()


def test_a_secret_is_made_once(store: Store) -> None:
    with store.work() as work:
        first, other = work.secret("seats"), work.secret("tokens")
        work.commit()
    with store.work() as work:
        assert work.secret("seats") == first
    assert len(first) == 32
    assert first != other


# Inbox


def test_a_mail_is_kept_whole_and_worked_in_the_order_it_came(store: Store) -> None:
    raw = RawMail("注文\x00".encode(), "imap", NOW, "", ("a@judge.test", "b@judge.test"))
    (first,) = store.keep_all([Arrived(raw, "one", "<one@players.test>")])
    second = kept(store, "two")
    with store.work() as work:
        waiting = work.inbox.next(NOW)
        assert waiting is not None
        assert (waiting.id, waiting.raw, waiting.attempts, waiting.confirmed) == (first, raw, 0, False)
        received = work.inbox.get(waiting.id)
        assert received is not None
        assert received.raw == raw
        work.inbox.done(waiting.id, kind="person")
        following = work.inbox.next(NOW)
        assert following is not None
        assert following.id == second
        work.inbox.set_aside(following.id, "too strange")
        assert work.inbox.next(NOW) is None
        assert work.inbox.counts() == {"done": 1, "set-aside": 1}


def test_a_mail_without_envelope_comes_back_without(store: Store) -> None:
    store.keep_all([Arrived(RawMail(b"x", "maildir", NOW, None, ()), "one", None)])
    with store.work() as work:
        waiting = work.inbox.next(NOW)
    assert waiting is not None
    assert (waiting.raw.envelope_from, waiting.raw.envelope_to) == (None, ())


def test_the_same_mail_is_kept_once_and_answered_again(store: Store) -> None:
    id_ = kept(store)
    queued(store, 1, LetterTags("reply", inbox=id_))
    ours = leased(store, NOW)
    with store.work() as work:
        work.outbox.sent(ours)
        work.commit()
    assert leased(store, NOW + 2 * HOUR) == []
    assert store.keep_all([Arrived(mail(), "one", None)]) == [None]
    assert leased(store, NOW + 2 * HOUR) == ours
    with store.work() as work:
        assert work.inbox.counts() == {"waiting": 1}


def test_a_reply_whose_contents_are_gone_is_not_sent_again(store: Store) -> None:
    id_ = kept(store)
    queued(store, 1, LetterTags("reply", inbox=id_))
    ours = leased(store, NOW)
    with store.work() as work:
        work.outbox.sent(ours)
        work.inbox.done(id_, kind="person")
        work.redact(NOW + HOUR, Looked())
        work.commit()
    assert store.keep_all([Arrived(mail(), "one", None)]) == [None]
    assert leased(store, NOW + 2 * HOUR) == []


def test_an_attempt_is_remembered_although_the_work_fails(store: Store) -> None:
    id_ = kept(store)
    with store.work() as work:
        work.inbox.begin(id_)
        work.commit()
    with store.work() as work:
        work.inbox.done(id_, kind="person")  # and then a crash: no commit
    with store.work() as work:
        waiting = work.inbox.next(NOW)
    assert waiting is not None
    assert (waiting.attempts, waiting.begun) == (1, True)


def test_eight_threads_keep_every_mail_once(store: Store) -> None:
    identities = [str(number % 100) for number in range(400)]
    with ThreadPoolExecutor(8) as threads:
        ids = list(threads.map(lambda identity: store.keep(mail(identity), identity, None), identities))
    new = [id_ for id_ in ids if id_ is not None]
    assert len(new) == len(set(new)) == 100
    with store.work() as work:
        assert work.inbox.counts() == {"waiting": 100}


def kept_from(store: Store, *senders: str | None) -> list[int]:
    mails = [Arrived(mail(), f"mail {number}", None, sender) for number, sender in enumerate(senders)]
    return [id_ for id_ in store.keep_all(mails) if id_ is not None]


def worked_in_turn(store: Store, now: datetime) -> list[int]:
    """Work all mails; return their numbers in that order."""
    order = []
    with store.work() as work:
        while (waiting := work.inbox.next(now)) is not None:
            order.append(waiting.id)
            work.inbox.done(waiting.id, kind="person")
    return order


def test_behind_a_suspect_waits_what_the_same_person_wrote_later(store: Store) -> None:
    before, suspect, behind, other = kept_from(store, "alice@x.test", "alice@x.test", "alice@x.test", "bob@x.test")
    with store.work() as work:
        work.inbox.begin(suspect)
        work.inbox.suspect(suspect, NOW + HOUR)
        work.commit()
    assert worked_in_turn(store, NOW) == [before, other]
    assert worked_in_turn(store, NOW + HOUR) == [before, other, suspect, behind]


def test_mail_of_nobody_knows_whom_waits_behind_no_suspect(store: Store) -> None:
    suspect, later = kept_from(store, None, None)
    with store.work() as work:
        work.inbox.suspect(suspect, NOW + HOUR)
        work.commit()
    assert worked_in_turn(store, NOW) == [later]


def taken_in_turn(store: Store, turn: str, now: datetime = NOW) -> list[tuple[int, bool, bool]]:
    """Work the mails of a turn; return their numbers and states in that order.

    The states are whether a worker has lost the mail, and whether it is a suspect.
    """
    order: list[Waiting] = []
    with store.work() as work:
        work.inbox.take(turn, now, order.append)
        work.inbox.to_be_worked(0)  # the query first carries out the pipelined claim
        for waiting in order:
            assert waiting.attempts == (0 if waiting.is_suspect else 1)
            work.inbox.done(waiting.id, kind="person")
            work.inbox.take(turn, now, order.append)
            work.inbox.to_be_worked(0)
    return [(waiting.id, waiting.begun, waiting.is_suspect) for waiting in order]


@only_postgresql
def test_mail_is_taken_up_by_turn_and_before_it_what_its_sender_wrote_before(store: Store) -> None:
    raw, ada, bob = RawMail(b"", "test", NOW, None, ()), "ada@x.test", "bob@x.test"
    mails = [(ada, None), (bob, "ardennes"), (ada, "ardennes"), (None, None), (None, "bulge")]
    store.keep_all([Arrived(raw, str(place), None, sender, game) for place, (sender, game) in enumerate(mails)])
    turns = {"ardennes": [1, 2, 3], f"from {ada}": [1], "from ": [4], "bulge": [5], "calais": []}
    for turn, ids in turns.items():
        assert [id_ for id_, *_ in taken_in_turn(store, turn)] == ids
    with store.work() as work:
        work.inbox.wait_for_game(ada, "calais")
        work.commit()
    assert [id_ for id_, *_ in taken_in_turn(store, "calais")] == [1]
    assert taken_in_turn(store, f"from {ada}") == []


def test_a_turn_is_said_to_wait_only_if_mail_of_that_sender_does(store: Store) -> None:
    kept_from(store, "ada@x.test", "bob@x.test")
    with store.work() as work:
        work.inbox.wait_for_game("cho@x.test", "calais")
        assert not work.tasks
        work.inbox.wait_for_game("ada@x.test", "ardennes")
        work.inbox.wait_for_game("ada@x.test", "bulge")  # it already has its turn
        assert list(work.tasks) == [WorkMail("ardennes")]


def test_unworked_is_what_arrived_by_then_and_still_waits_in_the_order_it_came(store: Store) -> None:
    senders = ("ada@x.test", "bob@x.test", "cho@x.test", None, "eva@x.test")
    times = (NOW - 2 * HOUR, NOW - HOUR, NOW, NOW, NOW + HOUR)
    arrived = [
        Arrived(RawMail(b"", "imap", at, None, (f"{place}@judge.test",)), str(place), None, sender)
        for place, (sender, at) in enumerate(zip(senders, times, strict=True))
    ]
    _, suspect, done, *_ = [id_ for id_ in store.keep_all(arrived) if id_ is not None]
    with store.work() as work:
        work.inbox.suspect(suspect, NOW + HOUR)
        work.inbox.done(done, kind="person")
        assert work.inbox.unworked(NOW) == (
            Unworked("ada@x.test", ("0@judge.test",), NOW - 2 * HOUR, 0),
            Unworked("bob@x.test", ("1@judge.test",), NOW - HOUR, 1),
            Unworked(None, ("3@judge.test",), NOW, 0),
        )


def test_suspects_are_next_once_nothing_else_waits_and_their_pause_is_over(store: Store) -> None:
    suspect, other = kept_from(store, "ada@x.test", "bob@x.test")
    with store.work() as work:
        work.inbox.suspect(suspect, NOW)
        assert [one.id for one in (work.inbox.next(NOW),) if one] == [other]
        work.inbox.done(other, kind="person")
        assert work.inbox.next(NOW - HOUR) is None
        assert [one.id for one in (work.inbox.next(NOW),) if one] == [suspect]


@only_postgresql
def test_a_mail_taken_up_is_begun_unless_it_was_lost_or_is_a_suspect(store: Store) -> None:
    (id_,) = kept_from(store, "ada@x.test")
    turn = "from ada@x.test"
    with store.work() as work:
        work.inbox.take(turn, NOW, lambda _: None)
        work.commit()
    assert taken_in_turn(store, turn) == [(id_, True, False)]
    with store.work() as work:
        work.inbox.forget(id_)
        work.inbox.suspect(id_, NOW + HOUR)
        work.commit()
    assert taken_in_turn(store, turn) == []
    assert taken_in_turn(store, turn, NOW + HOUR) == [(id_, False, True)]


def test_what_was_counted_of_a_mail_comes_back(store: Store) -> None:
    id_ = kept(store)
    with store.work() as work:
        for _ in range(3):
            work.inbox.begin(id_)
        work.inbox.forget(id_)
        work.inbox.failed(id_)
        work.inbox.suspect(id_, NOW)
        waiting = work.inbox.to_be_worked(id_)
        assert waiting is not None
        assert (waiting.attempts, waiting.failures, waiting.losses) == (2, 1, 1)
        assert (waiting.begun, waiting.is_suspect) == (False, True)
        assert work.inbox.to_be_worked(id_ + 1) is None
        assert [one.recipients for one in work.inbox.unworked(NOW)] == [("judge@judge.test",)]
        assert work.inbox.unworked(NOW - HOUR) == ()
        work.inbox.set_aside(id_, "x" * 5000)
        assert work.inbox.to_be_worked(id_) is None
        work.inbox.suspect(id_, NOW)
        received = work.inbox.get(id_)
        assert received is not None
        assert (received.state, len(received.reason or ""), received.losses) == (InboxState.SET_ASIDE, 2000, 1)


# Confirmations


@pytest.mark.parametrize(
    ("token", "address", "now", "freed"),
    [
        ("token", "alice@players.test", NOW, True),
        ("other", "alice@players.test", NOW, False),
        ("token", "mallory@evil.test", NOW, False),
        ("token", "alice@players.test", NOW + HOUR, False),
    ],
    ids=["right", "wrong token", "wrong address", "expired"],
)
def test_a_held_mail_is_freed_by_its_token_alone(
    store: Store, token: str, address: str, now: datetime, *, freed: bool
) -> None:
    id_ = kept(store)
    with store.work() as work:
        work.inbox.hold(id_)
        work.inbox.ask("token", id_, "alice@players.test", NOW + HOUR)
        assert work.inbox.next(NOW) is None
        work.commit()
    with store.work() as work:
        assert work.inbox.held_for(token, address, now) == (id_ if freed else None)
        if freed:
            work.inbox.confirm(id_)
        waiting = work.inbox.next(NOW)
        assert (waiting is not None and waiting.confirmed) is freed


def test_what_can_no_longer_be_answered_is_forgotten(store: Store) -> None:
    over, open_ = kept(store), kept(store, "another")
    with store.work() as work:
        for id_, expires in ((over, NOW), (open_, NOW + HOUR)):
            work.inbox.hold(id_)
            work.inbox.ask(f"token {id_}", id_, "alice@players.test", expires)
        work.inbox.forget_questions(NOW)
        long_ago = NOW - HOUR
        found = [work.inbox.held_for(f"token {id_}", "alice@players.test", long_ago) for id_ in (over, open_)]
        assert found == [None, open_]


def test_a_token_serves_once(store: Store) -> None:
    id_ = kept(store)
    with store.work() as work:
        work.inbox.hold(id_)
        work.inbox.ask("token", id_, "alice@players.test", NOW + HOUR)
        work.inbox.confirm(id_)
        assert work.inbox.held_for("token", "alice@players.test", NOW) is None


def test_what_somebody_said_is_remembered_for_a_time(store: Store) -> None:
    id_ = kept(store)
    with store.work() as work:
        work.inbox.hold(id_)
        work.inbox.ask("token", id_, "alice@players.test", NOW + HOUR)
        work.inbox.confirm(id_, "alice@players.test", NOW + HOUR)
        said = [
            work.inbox.count_yes(who, when, HOUR)
            for who in ("alice@players.test", "bob@players.test")
            for when in (NOW, NOW + HOUR)
        ]
        assert said == [1, 0, 0, 0]


def test_mails_in_a_name_wait_until_a_letter_asks_about_them(store: Store) -> None:
    alice, days = "alice@players.test", timedelta(days=7)
    week = NOW + days
    first, second, final = (kept(store, name) for name in ("first", "second", "final"))
    with store.work() as work:
        for id_ in (first, second):
            work.inbox.hold(id_)
            work.inbox.claim(id_, alice, f"does {id_}", NOW + HOUR, week)
        work.inbox.hold(final, kind="person")
        work.inbox.ask("what cannot be undone", final, alice, week)
        assert [(one.id, one.summary, one.is_asked) for one in work.inbox.claims(alice, NOW)] == [
            (first, f"does {first}", False),
            (second, f"does {second}", False),
        ]
        assert [work.inbox.due_claims(when) for when in (NOW, NOW + HOUR, week)] == [(), (alice,), ()]
        work.inbox.put_off(alice, NOW + 2 * HOUR)
        assert [work.inbox.due_claims(when) for when in (NOW + HOUR, NOW + 2 * HOUR)] == [(), (alice,)]
        one, other = work.inbox.claims(alice, NOW)
        work.inbox.asked_about({"letter.1": one}, alice, days)
        work.inbox.asked_about({"later.1": one, "later.2": other}, alice, days)
        work.inbox.asked_about({"later.1": one, "later.2": other}, alice, days)
        assert work.inbox.due_claims(NOW + 2 * HOUR) == ()
        assert [one.is_asked for one in work.inbox.claims(alice, NOW)] == [True, True]
        assert work.inbox.questions(alice, NOW, "letter.") == {"letter.1": first}
        assert work.inbox.questions(alice, NOW, "later.") == {"later.1": first, "later.2": second}
        work.inbox.disown(first)
        assert [one.id for one in work.inbox.claims(alice, NOW)] == [second]
        assert work.inbox.questions(alice, NOW, "l") == {"later.2": second}


def test_a_disowned_mail_is_never_worked(store: Store) -> None:
    id_ = kept(store)
    with store.work() as work:
        work.inbox.hold(id_)
        work.inbox.ask("token", id_, "alice@players.test", NOW + HOUR)
        work.inbox.disown(id_)
        assert work.inbox.held_for("token", "alice@players.test", NOW) is None
        assert work.inbox.next(NOW) is None


def test_a_mail_that_is_done_is_not_set_free_by_a_second_token(store: Store) -> None:
    id_ = kept(store)
    with store.work() as work:
        work.inbox.hold(id_)
        for token in ("first", "second"):
            work.inbox.ask(token, id_, "alice@players.test", NOW + HOUR)
        work.inbox.confirm(id_)
        work.inbox.done(id_, kind="person")
        assert work.inbox.held_for("second", "alice@players.test", NOW) is None
        assert work.inbox.next(NOW) is None


# Outbox


def test_a_letter_comes_back_whole(store: Store) -> None:
    whole = replace(
        letter(),
        reply_to="ardennes+secret@judge.test",
        html="<p>海</p>",
        attachments=(Attachment("ardennes-S1901M.json", "application/json", b'\x00{"id": 1}\xff'),),
        in_reply_to="<a@players.test>",
        references=("<a@players.test>", "<b@players.test>"),
        list_id="ardennes.judge.test",
        sender_name="審判",
        unsubscribe="mailto:judge@judge.test?body=RESIGN",
        date=NOW.astimezone(timezone(timedelta(hours=9))),
    )
    with store.work() as work:
        work.outbox.queue(whole, LetterTags("key"), NOW)
        (one,) = work.outbox.lease(NOW, 10, HOUR)
    assert (one.letter, one.attempts, one.queued_at) == (whole, 0, NOW)


def test_a_key_is_queued_once(store: Store) -> None:
    with store.work() as work:
        assert not work.outbox.is_queued("S1901M to Alice")
        for number in (1, 2):
            work.outbox.queue(letter(number), LetterTags("S1901M to Alice"), NOW)
            assert work.outbox.is_queued("S1901M to Alice")
        assert work.census().outbox == {"queued": 1}


def test_a_leased_letter_is_due_again_when_the_lease_ends(store: Store) -> None:
    queued(store)
    (id_,) = leased(store, NOW)
    assert leased(store, NOW + HOUR - timedelta(seconds=1)) == []
    assert leased(store, NOW + HOUR) == [id_]


def test_a_deferred_letter_waits_and_counts_the_attempt(store: Store) -> None:
    queued(store)
    with store.work() as work:
        (one,) = work.outbox.lease(NOW, 10, HOUR)
        work.outbox.deferred(one.id, NOW + 3 * HOUR, "451 later")
        assert work.outbox.lease(NOW + 2 * HOUR, 10, HOUR) == ()
        (again,) = work.outbox.lease(NOW + 3 * HOUR, 10, HOUR)
    assert again.attempts == 1


def test_sent_and_failed_letters_are_not_due_again(store: Store) -> None:
    for number in (1, 2):
        queued(store, number)
    first, second = leased(store, NOW)
    with store.work() as work:
        work.outbox.sent([first])
        work.outbox.failed(second, "550 no such user")
        work.outbox.sent([])
        assert work.outbox.lease(NOW + 9 * HOUR, 10, HOUR) == ()
        assert work.census().outbox == {"sent": 1, "failed": 1}
        found = [work.outbox.get(first), work.outbox.get(second)]
    assert [one and one.reason for one in found] == [None, "550 no such user"]


def test_the_oldest_letters_are_leased_first_up_to_the_limit(store: Store) -> None:
    for number in (3, 2, 1):
        queued(store, number, now=NOW + number * timedelta(seconds=1))
    with store.work() as work:
        found = work.outbox.lease(NOW + HOUR, 2, HOUR)
    assert [one.letter.message_id for one in found] == ["<1@judge.test>", "<2@judge.test>"]


def test_a_letter_we_wrote_is_known_by_its_message_id(store: Store) -> None:
    alice = register(store, "alice@players.test")
    queued(store, 1, LetterTags("key", alice.id, "ardennes", "S1901M", FRANCE))
    with store.work() as work:
        found = work.outbox.by_message_id("<1@judge.test>")
        assert work.outbox.by_message_id("<2@judge.test>") is None
    assert found is not None
    assert (found.person, found.game, found.phase, found.power) == (alice.id, "ardennes", "S1901M", FRANCE)
    assert (found.kind, found.recipient, found.text) == (LetterKind.REPLY, "alice@players.test", "本文\n")


def test_a_report_refers_to_the_first_and_the_last_one(store: Store) -> None:
    person = PersonId(1)
    with store.work() as work:
        for number in (1, 2, 3):
            tags = LetterTags(f"key {number}", person, "ardennes", f"S190{number}M")
            work.outbox.queue(letter(number, LetterKind.REPORT), tags, NOW)
        work.outbox.queue(letter(4), LetterTags("a reply", person, "ardennes"), NOW)
        assert work.outbox.report_ids("ardennes", person) == ("<1@judge.test>", "<3@judge.test>")
        assert work.outbox.report_ids("ardennes", person, "S1902M") == ("<1@judge.test>", "<2@judge.test>")
        assert work.outbox.report_ids("ardennes", person, "S1901M") == ("<1@judge.test>",)
        assert work.outbox.report_ids("ardennes", person, "S1909M") == ("<1@judge.test>", "<3@judge.test>")
        assert work.outbox.report_ids("other", person) == ()
        assert work.outbox.opening_reports("ardennes") == {person: "<1@judge.test>"}
        assert work.outbox.opening_reports("other") == {}


def test_letters_to_an_address_are_counted_since_a_moment(store: Store) -> None:
    for number, hours in ((1, -2), (2, 0), (3, 1)):
        queued(store, number, now=NOW + hours * HOUR)
    with store.work() as work:
        assert work.outbox.count_to("alice@players.test", NOW, proved=True) == 2
        assert work.outbox.count_to("bob@players.test", NOW, proved=True) == 0


def test_receipts_and_reports_to_a_known_person_are_no_answers_to_strangers(store: Store) -> None:
    alice = register(store, "alice@players.test")
    queued(store, 1, LetterTags("receipt", alice.id))
    queued(store, 2, LetterTags("question"))
    queued(store, 3, LetterTags(f"{UNPROVED}receipt", alice.id))
    with store.work() as work:
        assert work.outbox.count_to("alice@players.test", NOW, proved=False) == 2


def test_no_centers_at_all_is_not_no_owners(store: Store) -> None:
    master = register(store, "master@players.test")
    game = new_game("ardennes", master.id)
    for name, centers in (("none", None), ("empty", MappingProxyType({}))):
        stored = added(store, replace(game, name=name, position=replace(game.position, centers=centers)))
        assert stored.position.centers == centers


def test_a_mail_is_done_once(store: Store) -> None:
    id_ = kept(store)

    def do() -> None:
        with store.work() as work:
            work.inbox.done(id_, kind="person")
            work.commit()

    do()
    with pytest.raises(ConflictError):
        do()
    with store.work() as work, pytest.raises(ConflictError):
        work.inbox.set_aside(id_, "too late")


def test_letters_leased_by_somebody_who_is_gone_are_due_at_once(store: Store) -> None:
    queued(store, 1)
    queued(store, 2)
    first, second = leased(store, NOW)
    with store.work() as work:
        work.outbox.deferred(second, NOW + HOUR, "450 busy")
        work.outbox.end_leases(NOW)
        work.commit()
    assert leased(store, NOW) == [first]


def test_letters_to_some_domains_are_left_for_later(store: Store) -> None:
    for number, address in enumerate(("ada@busy.test", "ben@BUSY.test", "cho@notbusy.test", "dan@x_y.test"), start=1):
        with store.work() as work:
            work.outbox.queue(replace(letter(number), recipient=address), LetterTags(str(number)), NOW)
            work.commit()
    with store.work() as work:
        batch = work.outbox.lease(NOW, 10, HOUR, ("busy.test", "x%y.test"))
        assert [one.letter.recipient for one in batch] == ["cho@notbusy.test", "dan@x_y.test"]


def ready(store: Store, now: datetime, *without: str) -> list[int] | None:
    with store.work() as work:
        found = work.outbox.ready(now, 10, without)
    return None if found is None else [one.id for one in found]


def test_letters_that_are_ready_are_looked_at_as_long_as_nothing_has_to_be_written_first(store: Store) -> None:
    queued(store, 1)
    queued(store, 2, now=NOW + HOUR)
    assert [ready(store, now) for now in (NOW, NOW, NOW + HOUR)] == [[1], [1], [1, 2]]
    assert ready(store, NOW, "players.test") == []
    with store.work() as work:
        work.outbox.queue(letter(3), LetterTags("of three"), NOW, NOW + 2 * HOUR)
        work.commit()
    assert [ready(store, NOW + HOUR), ready(store, NOW + 2 * HOUR)] == [[1, 2], None]
    bounced_on(store, letter().recipient, 3)
    assert ready(store, NOW) is None


def test_letters_that_were_not_tried_go_before_those_that_were(store: Store) -> None:
    queued(store, 1)
    queued(store, 2)
    first, second = leased(store, NOW)
    with store.work() as work:
        work.outbox.deferred(first, NOW + HOUR, "timed out")
        work.outbox.postponed(second, NOW + HOUR, "timed out")
        work.commit()
    assert leased(store, NOW + HOUR) == [second, first]


def test_letters_are_counted_by_what_they_are_for(store: Store) -> None:
    for number, key in enumerate(("unasked by 1 a", "unasked by 12 b", "asked", "un%sked by 1 c"), start=1):
        queued(store, number, LetterTags(key))
    with store.work() as work:
        to = letter().recipient
        assert [work.outbox.count_keyed(key, NOW) for key in ("unasked ", "unasked by 1 ", "un%")] == [2, 1, 1]
        assert [work.outbox.count_keyed("unasked ", NOW, one) for one in (to, "nobody@players.test")] == [2, 0]
        assert work.outbox.count_keyed("unasked ", NOW + HOUR) == 0


def bounced_on(store: Store, address: str, days: int) -> list[bool]:
    with store.work() as work:
        suspends = [work.outbox.count_bounce(address, (NOW + timedelta(days=day)).date()) for day in range(days)]
        work.commit()
    return suspends


def test_an_address_is_suspended_on_the_third_day_until_it_is_good_again(store: Store) -> None:
    address = letter().recipient
    assert bounced_on(store, address, 4) == [False, False, True, False]
    queued(store, 1)
    with store.work() as work:
        question = letter(2, LetterKind.CONFIRM)
        work.outbox.queue(question, LetterTags("question"), NOW)
        (only,) = work.outbox.lease(NOW, 10, HOUR)
        assert only.letter == question
        assert work.census().outbox == {"held": 1, "queued": 1}
        assert work.outbox.forget_bounces(address, NOW + HOUR)
        assert not work.outbox.forget_bounces(address, NOW + HOUR)
        assert len(work.outbox.lease(NOW + HOUR, 10, HOUR)) == 2


def test_a_letter_comes_back_once(store: Store) -> None:
    queued(store, 1)
    (id_,) = leased(store, NOW)
    with store.work() as work:
        work.outbox.sent([id_])
        back = work.outbox.bounced(id_, "550 " + "x" * 900)
        assert back is not None
        assert (back.state, len(back.reason or "")) == (OutboxState.BOUNCED, 500)
        assert work.outbox.bounced(id_, "550 again") is None
        assert work.outbox.bounced(id_ + 1, "550 never written") is None
        work.outbox.sent([id_])
        assert work.census().outbox == {"bounced": 1}


# Forgetting


def test_what_a_person_wrote_and_was_told_is_forgotten(store: Store) -> None:
    alice = register(store, "alice@players.test")
    mine, waits = kept_from(store, alice.address, alice.address)
    queued(store, 1, LetterTags("mine", alice.id))
    (letter_id,) = leased(store, NOW)
    queued(store, 2, LetterTags("to be sent", alice.id))
    bounced_on(store, alice.address, 3)
    with store.work() as work:
        work.inbox.done(mine, kind="person", person=alice.id)
        work.outbox.failed(letter_id, "550 for alice@players.test")
        work.inbox.redact(alice.id)
        work.outbox.redact(alice.id, alice.address)
        received, letter_ = work.inbox.get(mine), work.outbox.get(letter_id)
        waiting = work.inbox.next(NOW)
        assert received is not None
        assert received.raw == RawMail(b"", "loopback", NOW, None, ())
        assert letter_ is not None
        empty = (f"erased-{alice.id}@invalid", "", "", None, None)
        gone = letter_.letter
        assert (gone.recipient, gone.subject, gone.text, gone.reply_to, letter_.reason) == empty
        assert waiting is not None
        assert (waiting.id, waiting.raw) == (waits, mail())
        assert [one.letter.message_id for one in work.outbox.lease(NOW, 10, HOUR)] == ["<2@judge.test>"]


def test_old_mail_is_emptied_although_some_that_came_before_it_is_young(store: Store) -> None:
    done, waits = kept_from(store, "alice@x.test", "bob@x.test")
    for number, hours in ((1, 2), (2, 0), (3, 0), (4, 0)):
        queued(store, number, now=NOW + hours * HOUR)
    with store.work() as work:
        work.inbox.done(done, kind="person")
        work.outbox.sent([1, 2, 4])
        looked = work.redact(NOW + HOUR, Looked())
        assert looked == Looked(waits, 4)
        assert work.redact(NOW + HOUR, looked) == looked
        received = [work.inbox.get(id_) for id_ in (done, waits)]
        assert [one and one.raw.content for one in received] == [b"", mail().content]
        letters = [work.outbox.get(id_) for id_ in (1, 2, 3, 4)]
        assert [one and one.letter.text for one in letters] == ["本文\n", "", "本文\n", ""]


def test_a_task_is_one_process_s_until_it_lets_go(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'judge.sqlite3'}"
    one, other = ProcessLocks(url), ProcessLocks(url)
    one.claim("work")
    other.claim("deliver")
    with pytest.raises(InstallationError, match="another judge is running"):
        other.claim("work")
    one.close()
    ProcessLocks(url).close()
    other.claim("work")
    other.close()
    ProcessLocks("sqlite://").claim("work")


def test_what_was_rolled_back_is_not_remembered(store: Store) -> None:
    before = added(store, new_game("ardennes", register(store, "master@players.test").id))
    with store.work() as work:
        work.games.save(replace(before, clock=replace(before.clock, deadline=NOW + 9 * HOUR)))
    with store.work() as work:
        assert work.games.get(before.name) == before
        after = work.games.save(replace(before, clock=replace(before.clock, deadline=NOW + 5 * HOUR)))
        work.commit()
    with store.look() as work:
        assert work.games.get(before.name) == after


def test_a_game_that_nobody_changed_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office(tmp_path)
    office.play_opening()
    real, read = games._read, list[str]()

    def counted(row: RowMapping, *parts: list[RowMapping]) -> Game:
        read.append(row["name"])
        return real(row, *parts)

    monkeypatch.setattr(games, "_read", counted)
    office.now += timedelta(days=3, minutes=1)
    assert office.parts.closing.close_due() == 1
    assert read == []
    another = Store.open(office.parts.store.shown_url)
    with another.look() as work:
        assert work.games.get("ardennes") is not None
    another.close()
    assert read == ["ardennes"]
    office.stop()
