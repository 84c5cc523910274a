"""Orders by a tap: the links, their use in mail programs, and attacks with them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from judge.budget import Budget
from judge.commands import Language
from judge.games import Game, Person
from judge.reports.buttons import Button, UnitTaps, buttons_for, taps_for
from judge.reports.readers import Reader, Role
from judge.reports.wording import wording_for
from judge.rules.notation import read_unit, write_order
from judge.rules.position import Dislodgement, Phase, Position, Power
from judge.rules.possible import possible_orders
from judge.service.post.letters import with_links
from judge.service.talk.vocabulary import VOCABULARY
from tests.composers import COMPOSERS, by_roundcube, has_neomutt, recipient_of
from tests.database import store_in_memory
from tests.office import World, address, begun, text

FRANCE, GERMANY = Power("FRANCE"), Power("GERMANY")
UNITS = [read_unit(unit) for unit in ("F BRE", "A MAR", "A PAR")]


@pytest.fixture(scope="module")
def opened() -> World:
    """Return a game that has just started, to be copied."""
    return begun(World(store_in_memory()))


@pytest.fixture
def playing(opened: World) -> World:
    """Return a copy of a game that has just started."""
    world = opened.apart()
    world.box.letters = list(opened.box.letters)
    return world


def person(world: World, name: str) -> Person:
    with world.parts.store.work() as work:
        found: Person | None = work.people.by_address(address(name))
    assert found is not None
    return found


def standing(world: World, position: Position) -> Game:
    """Put the game on another position."""
    with world.parts.store.work() as work:
        game: Game = work.games.save(replace(world.game(), position=position))
        work.commit()
    return game


def links(
    world: World, language: Language = Language.ENGLISH, name: str = "cho", power: Power = FRANCE
) -> list[Button]:
    """Return the buttons of a letter to a player."""
    game, reader = world.game(), Reader(replace(person(world, name), language=language), Role.PLAYER, (power,))
    return list(buttons_for(game, with_links(world.parts.intake.writer, game, reader), wording_for(reader.person)))


def send(world: World, content: bytes, to: str, envelope_from: str = "cho@players.test") -> None:
    world.arrive(content, to, envelope_from)


def as_it_is(written: str) -> str:
    return written


# What the links say


def test_a_report_and_a_reminder_have_links(playing: World) -> None:
    mine = {link.href for link in links(playing)}
    singly = {href for unit in taps(playing) for href in hrefs_of(unit)}
    for letter, known in ((playing.reports["cho"], mine | singly), (reminder(playing), mine)):
        found = [one for one in hrefs(letter) if "--to-" not in one]
        assert {recipient_of(one) for one in found} == {recipient_of(link.href) for link in links(playing)}
        assert set(found) == known
    assert hrefs(playing.reports["gil"]) == []


def hrefs(letter: Message) -> list[str]:
    for part in letter.walk():
        if part.get_content_type() == "text/html":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return [html.unescape(one) for one in re.findall(r'href="(mailto:[^"]+)"', payload.decode())]
    return []


def reminder(world: World) -> Message:
    due = world.game().next_reminder
    assert due is not None
    world.now = due
    world.settle()
    return next(letter for letter in world.box.take("cho") if hrefs(letter))


def test_a_link_is_no_longer_than_every_program_opens(playing: World) -> None:
    units = [read_unit(f"A {code}") for code in sorted(playing.game().map.supply_centers)[:20]]
    everywhere = Position(Phase.parse("F1901M"), dict.fromkeys(units, FRANCE), {})
    standing(playing, everywhere)
    assert len(units) == 20
    for language in Language:
        assert all(len(link.href) < 2083 for link in links(playing, language))


# What the taps of a report say: one order each


def taps(
    world: World, language: Language = Language.ENGLISH, name: str = "cho", power: Power = FRANCE
) -> tuple[UnitTaps, ...]:
    """Return the taps of a report to a player."""
    game, reader = world.game(), Reader(replace(person(world, name), language=language), Role.PLAYER, (power,))
    return taps_for(game, with_links(world.parts.intake.writer, game, reader), wording_for(reader.person))


def hrefs_of(unit: UnitTaps) -> list[str]:
    return [button.href for row in (*unit.first, *unit.more) for button in row.buttons]


def crowd(world: World) -> Game:
    """Place seventeen French units among seventeen German ones."""
    board = world.game().map
    seas = ("ENG", "NTH", "MAO", "WES", "TYS", "ION", "AEG", "BAL")
    lands = sorted(board.centers_by_code)[: 34 - len(seas)]
    units = [read_unit(f"{kind} {place}") for kind, places in (("F", seas), ("A", lands)) for place in places]
    position = {unit: FRANCE if number % 2 else GERMANY for number, unit in enumerate(units)}
    return standing(world, Position(Phase.parse("F1907M"), position, {}))


@pytest.mark.parametrize("language", Language)
def test_every_tap_is_read_as_its_order(playing: World, language: Language) -> None:
    """Orders of earlier taps are already on file."""
    for unit, all_of_it in zip(UNITS, taps(playing, language), strict=True):
        orders = possible_orders(playing.game().referee, FRANCE, unit)
        assert all_of_it.is_whole
        for order, href in zip(orders, hrefs_of(all_of_it), strict=True):
            send(playing, by_roundcube(href, as_it_is, Path()), recipient_of(href))
            filed = playing.orders("FRANCE")
            assert write_order(order) in filed
            assert len(filed) == UNITS.index(unit) + 1


def test_taps_of_a_crowd_fit_into_a_letter(playing: World) -> None:
    crowd(playing)
    for language in Language:
        found = taps(playing, language)
        assert len(found) == 17
        assert not all(one.is_whole for one in found)
        assert any(one.is_whole for one in found)
        assert sum(len(href) for one in found for href in hrefs_of(one)) < 24_000
        assert max(len(href) for one in found for href in hrefs_of(one)) < 1900


@pytest.mark.parametrize("language", [one for one in Language if one.is_in_words])
def test_sentences_that_take_much_room_become_codes(playing: World, language: Language) -> None:
    def body() -> str:
        return unquote(hrefs_of(taps(playing, language)[0])[0].partition("&body=")[2])

    assert not body().startswith(("A ", "F "))
    crowd(playing)
    assert body().startswith(("A ", "F "))


@pytest.mark.parametrize("language", Language)
def test_a_quoted_row_of_taps_is_no_order(playing: World, language: Language) -> None:
    crowd(playing)
    for unit in taps(playing, language):
        for row in (*unit.first, *unit.more):
            labels = [one.label for one in row.buttons]
            shown = [f"{row.label} {' · '.join(labels[:some])}".strip() for some in (1, 2, len(labels))]
            assert [one for one in shown if VOCABULARY.gives_order(one, Budget())] == []


def test_what_has_no_room_comes_in_the_answer_to_a_tap(playing: World) -> None:
    crowd(playing)
    left = next(one for one in taps(playing) if not one.is_whole)
    (href, *_) = hrefs_of(left)
    send(playing, by_roundcube(href, as_it_is, Path()), recipient_of(href))
    (receipt,) = playing.box.take("cho")
    subjects = [unquote(one) for one in hrefs(receipt)]
    assert len(subjects) > len(hrefs_of(left))
    assert all(f"{left.unit} " in one for one in subjects)
    assert any(f"{left.unit} S " in one for one in subjects)


def test_a_board_for_one_person_has_no_taps(playing: World) -> None:
    """Its phase closes with the first mail that contains orders."""
    game = replace(playing.game(), name=f"{Game.SANDBOX}1")
    reader = Reader(person(playing, "cho"), Role.PLAYER, game.map.powers, "judge@judge.test")
    assert taps_for(game, reader, wording_for(reader.person)) == ()
    assert buttons_for(game, reader, wording_for(reader.person))


# Links in mail programs


def removals() -> Position:
    return Position(Phase.parse("W1901A"), dict.fromkeys(UNITS, FRANCE), {read_unit("A PAR").province: FRANCE})


def builds(world: World) -> Position:
    """Return a position with room for two builds."""
    centers = {**world.game().map.start().centers}  # type: ignore[dict-item]
    return Position(Phase.parse("W1901A"), {read_unit("A MUN"): GERMANY, read_unit("A SPA"): FRANCE}, centers)


def retreats() -> Position:
    lost = {
        read_unit("A PAR"): Dislodgement(
            FRANCE,
            read_unit("A BUR").province,
            by_convoy=False,
            retreats=(read_unit("A GAS").province, read_unit("A PIC").province),
        )
    }
    return Position(Phase.parse("S1901R"), {read_unit("A MAR"): FRANCE}, {}, dislodged=lost)


@dataclass(frozen=True, slots=True)
class Case:
    """A board, and the orders that its links give, each by itself."""

    board: Callable[[World], Position]
    orders: tuple[str, ...]


CASES = {
    "retreats": Case(lambda _: retreats(), ("A PAR R GAS", "A PAR R PIC", "A PAR D")),
    "removals": Case(lambda _: removals(), ("F BRE D", "A MAR D", "A PAR D")),
    "builds": Case(builds, ("A BRE B", "F BRE B", "A MAR B", "F MAR B", "A PAR B", "WAIVE")),
}

PROGRAMS = [
    pytest.param(name, marks=pytest.mark.skipif(name == "neomutt" and not has_neomutt(), reason="no neomutt"))
    for name in COMPOSERS
]


@pytest.mark.parametrize("case", CASES)
def test_other_phases_have_the_same_orders_to_tap(playing: World, case: str) -> None:
    standing(playing, CASES[case].board(playing))
    subjects = [unquote(href) for unit in taps(playing) for href in hrefs_of(unit)]
    orders = [re.sub(r".*\] (.*)&body.*", r"\1", one, flags=re.DOTALL) for one in subjects]
    assert sorted(orders) == sorted(CASES[case].orders)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("case", CASES)
def test_a_single_order_is_read_as_meant(
    playing: World, tmp_path: Path, case: str, program: str, language: Language
) -> None:
    standing(playing, CASES[case].board(playing))
    offered = links(playing, language)[: len(CASES[case].orders)]
    read = []
    for number, link in enumerate(offered if program != "neomutt" else offered[:1]):
        folder = tmp_path / str(number)
        folder.mkdir()
        send(playing, COMPOSERS[program](link.href, as_it_is, folder), recipient_of(link.href))
        read.append(playing.orders("FRANCE")[-1])
    assert tuple(read) == CASES[case].orders[: len(read)]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_unit_list_is_filled_in(playing: World, tmp_path: Path, program: str, language: Language) -> None:
    link = next(
        one for one in links(playing, language) if one.label in ("Write orders", "Befehle schreiben", "命令を書く")
    )
    goals = iter(("MAO", "SPA", "BUR") if language is Language.ENGLISH else ("中央大西洋", "スペイン", "ブルゴーニュ"))

    def filled(body: str) -> str:
        assert body.startswith("PHASE S1901M")
        return re.sub(r" -(?=\r?$)", lambda _: f" - {next(goals)}", body, flags=re.MULTILINE)

    send(playing, COMPOSERS[program](link.href, filled, tmp_path), recipient_of(link.href))
    assert playing.orders("FRANCE") == ["F BRE - MAO", "A MAR - SPA", "A PAR - BUR"]
    (receipt,) = playing.box.take("cho")
    assert "A PAR - BUR" in text(receipt)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("program", PROGRAMS)
def test_ready_is_read_as_meant(playing: World, tmp_path: Path, program: str, language: Language) -> None:
    link = links(playing, language)[-1]
    send(playing, COMPOSERS[program](link.href, as_it_is, tmp_path), recipient_of(link.href))
    seat = playing.game().seat(FRANCE)
    assert seat.filed.ready_by
    assert not seat.filed.orders


def test_a_grace_notice_has_buttons_for_what_is_missing_only(playing: World) -> None:
    playing.collect_reports("cho")
    playing.reply("cho", "A Par - Bur\nA Mar H")
    with playing.parts.store.work() as work:
        game = playing.game()
        work.games.save(replace(game, clock=replace(game.clock, in_grace=True)))
        work.commit()
    (orders,) = [button for button in links(playing) if "orders" in button.label]
    assert "F BRE" in unquote(orders.href)
    assert "A PAR" not in unquote(orders.href)


def test_buttons_for_two_builds_stand_beside_each_other(playing: World, tmp_path: Path) -> None:
    standing(playing, builds(playing))
    offered = {link.label: link.href for link in links(playing)}
    filed = []
    for label in ("F BRE B", "A PAR B", "A BRE B", "F MAR B"):
        send(playing, by_roundcube(offered[label], as_it_is, tmp_path), recipient_of(offered[label]))
        filed.append(playing.orders("FRANCE"))
    assert filed == [["F BRE B"], ["F BRE B", "A PAR B"], ["A PAR B", "A BRE B"], ["A BRE B", "F MAR B"]]


# Attacks with a link


@dataclass(frozen=True, slots=True)
class Attack:
    """A mail to the address of France's link, and its effect."""

    sender: str
    body: str
    filed: tuple[str, ...] = ()
    closed: bool = False
    """Whether the phase was closed before the mail came."""
    headers: Mapping[str, Any] = field(default_factory=dict)
    changed: bool = False
    """Whether a letter of the token was changed."""
    told: str = ""
    """What cho reads, at the registered address."""


ORDERS = "PHASE S1901M\n\nA PAR - BUR\n"
ATTACKS = {
    "its owner buttons it": Attack("cho", ORDERS, ("A PAR - BUR",), told="A PAR - BUR is on file"),
    "a stranger, in a forwarded report": Attack("mal", ORDERS, told="A PAR - BUR"),
    "another player, in a forwarded report": Attack("dan", ORDERS),
    "the master, in a forwarded report": Attack("gil", ORDERS),
    "a forged From gives orders, and its owner reads of it": Attack("cho", ORDERS, ("A PAR - BUR",), told="on file"),
    "a forged From resigns": Attack("cho", ORDERS + "RESIGN ardennes\n", told="RESIGN ardennes"),
    "a forged From talks": Attack("cho", ORDERS + "PRESS TO Germany: I give up\n", told="PRESS"),
    "a forged From takes all back": Attack("cho", "PHASE S1901M\nCLEAR\n", told="CLEAR"),
    "a forged From draws": Attack("cho", "PHASE S1901M\nDRAW\n", told="DRAW"),
    "a forged From moves the address": Attack("cho", "SET ADDRESS mal@evil.test\n", told="SET ADDRESS"),
    "a forged From goes away": Attack("cho", "ABSENCE until 20 Dec\n", told="ABSENCE"),
    "a forged From plans ahead": Attack("cho", "PHASE F1901M\nA PAR - BUR\n", told="PHASE F1901M"),
    "a forged From means another game": Attack("cho", "GAME other\nA PAR - BUR\n", told="GAME"),
    "tapped after closing": Attack("cho", ORDERS, closed=True, told="Too late"),
    "after closing, without its first line": Attack("cho", "A PAR - BUR\n", closed=True, told="Too late"),
    "after closing, for the next phase": Attack("cho", "PHASE F1901M\nA PAR - BUR\n", closed=True, told="F1901M"),
    "ready after closing": Attack("cho", "PHASE S1901M\nREADY\n", closed=True, told="Too late"),
    "a stranger after closing": Attack("mal", ORDERS, closed=True, told="A PAR - BUR"),
    "a guessed token": Attack("cho", ORDERS, changed=True, told="A PAR - BUR"),
    "a robot": Attack("cho", ORDERS, headers={"Auto_Submitted": "auto-replied"}),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_what_a_link_is_good_for(playing: World, name: str) -> None:
    attack = ATTACKS[name]
    to = recipient_of(links(playing)[0].href)
    if attack.changed:
        token = to.partition(".")[2]
        to = to.replace(token, ("a" if token[0] != "a" else "b") + token[1:])
    if attack.closed:
        playing.pass_deadline()
        playing.collect_reports()
    before = playing.game()
    playing.mail(attack.sender, attack.body, to=to, **attack.headers)
    after = playing.game()
    filed = [write_order(one.order) for one in after.seat(FRANCE).filed.orders]
    assert tuple(filed) == attack.filed
    old, new = (replace(one.seat(FRANCE).filed, orders=(), changed_by=0, replaced=()) for one in (before, after))
    assert replace(after.seat(FRANCE), filed=old) == replace(before.seat(FRANCE), filed=new)
    assert [seat for seat in after.seats if seat.power != FRANCE] == [
        seat for seat in before.seats if seat.power != FRANCE
    ]
    told = " ".join(" ".join(text(letter).split()) for letter in playing.box.take("cho"))
    assert attack.told in told
    assert bool(told) == bool(attack.told)
    if attack.sender not in ("cho", "dan", "gil"):
        assert playing.box.take(attack.sender) == []


def test_a_new_player_has_other_links(playing: World) -> None:
    old = recipient_of(links(playing)[0].href)
    seat = playing.game().seat(FRANCE)
    with playing.parts.store.work() as work:
        work.games.save(playing.game().with_seat(replace(seat, serial=seat.serial + 1)))
        work.commit()
    playing.mail("cho", ORDERS, to=old)
    assert playing.orders("FRANCE") == []
    assert recipient_of(links(playing)[0].href) != old


def test_a_link_for_a_phase_that_was_rolled_back_is_worth_nothing(playing: World) -> None:
    playing.pass_deadline()
    playing.collect_reports()
    later = recipient_of(links(playing)[0].href)
    playing.proved("gil", "GAME ardennes\nROLLBACK TO S1901M BECAUSE of a fault")
    playing.mail("cho", "PHASE F1901M\nA PAR - BUR\n", to=later)
    seat = playing.game().seat(FRANCE)
    assert playing.game().position.phase == Phase.parse("S1901M")
    assert (seat.filed.orders, seat.filed.planned) == ((), ())


def test_a_link_from_before_a_rollback_is_worth_nothing(playing: World) -> None:
    old = recipient_of(links(playing)[0].href)
    playing.pass_deadline()
    playing.collect_reports()
    playing.proved("gil", "GAME ardennes\nROLLBACK TO S1901M BECAUSE of a fault")
    playing.mail("cho", ORDERS, to=old)
    assert playing.orders("FRANCE") == []
    new = recipient_of(links(playing)[0].href)
    assert new != old
    playing.mail("cho", ORDERS, to=new)
    assert playing.orders("FRANCE") == ["A PAR - BUR"]


def test_each_phase_has_its_own_links(playing: World) -> None:
    before = {recipient_of(link.href) for link in links(playing)}
    playing.pass_deadline()
    assert before.isdisjoint(recipient_of(link.href) for link in links(playing))
