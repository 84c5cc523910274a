"""Secrets stay secret: every mail of a played game is searched for them.

A mail must not contain what its reader must not see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email.message import Message

import pytest

from judge.games import Person, PersonId
from judge.games.events import FoundTooLate
from judge.games.game import Seat
from judge.games.setup import set_out
from judge.games.terms import Settings
from judge.reports.readers import Reader, Role
from judge.reports.render import event_letter
from judge.rules import Phase, load_map
from judge.rules.position import Power
from tests.office import NAMES, NOON, TITLES, World, address

OF_POWER = dict(zip(NAMES, TITLES, strict=True))
STRANGERS = ("gil", "hal")


def moves(name: str) -> dict[str, str]:
    """Return an order for each unit of a player that no other player could give."""
    power = Power(OF_POWER[name].upper())
    units = [str(unit) for unit in load_map().start().units_of(power)]
    return {unit: f"{unit} H" for unit in units}


class Eavesdropper(World):
    """Keeps every letter that was ever sent, with its phase."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[tuple[str, str, str]] = []

    def settle(self) -> None:
        before = len(self.box.letters)
        super().settle()
        phase = str(found.position.phase) if (found := self.find_game()) else ""
        for recipient, letter in self.box.letters[before:]:
            self.kept.append((recipient.split("@")[0], phase, whole(letter)))

    def mails_to(self, name: str) -> Iterator[str]:
        yield from (words for recipient, _, words in self.kept if recipient == name)


def whole(letter: Message) -> str:
    parts = [_decoded(part) for part in letter.walk() if not part.is_multipart()]
    headers = [f"{name}: {value}" for name, value in letter.items() if name not in ("To", "Delivered-To")]
    return "\n".join([*headers, *parts])


def _decoded(part: Message) -> str:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode("utf-8", "replace")


@pytest.fixture(params=["", "anonymous: yes\n"], ids=["named", "gunboat"], scope="module")
def played(request: pytest.FixtureRequest) -> Eavesdropper:
    """Return a game for searching, which must not be played on."""
    return play(request.param)


def play(settings: str) -> Eavesdropper:
    """Play two phases in which every player orders, votes, and writes press and a diary."""
    world = Eavesdropper()
    world.proved("gil", f"CREATE ardennes\ndeadline: 2 days\n{settings}")
    for name in NAMES:
        world.proved(name, f"JOIN ardennes AS {OF_POWER[name]}\nSET NAME {name.title()}son")
    world.collect_reports()
    world.proved("hal", "OBSERVE ardennes")
    for number, name in enumerate(NAMES):
        friend = OF_POWER[NAMES[(number + 1) % len(NAMES)]]
        world.reply(
            name,
            "\n".join(
                [
                    *moves(name).values(),
                    f"PRESS TO {friend}",
                    f"the whisper of {name}",
                    "END PRESS",
                    f"NOTE: the diary of {name}",
                    "DRAW" if number % 2 else "CONCEDE TO Italy",
                    "PHASE F1901M",
                    *(order.replace(" H", " - " + "MAO") for order in list(moves(name).values())[:1]),
                ]
            ),
        )
    return world


@pytest.mark.parametrize("reader", [*NAMES, *STRANGERS])
def test_nobody_learns_what_is_secret(played: Eavesdropper, reader: str) -> None:
    anonymous = played.game().settings.anonymous
    mails = "\n".join(played.mails_to(reader))
    assert mails
    for number, name in enumerate(NAMES):
        if name == reader:
            continue
        friend = NAMES[(number + 1) % len(NAMES)]
        assert address(name) not in mails
        assert f"the diary of {name}" not in mails
        assert friend == reader or f"the whisper of {name}" not in mails
        assert not [order for order in moves(name).values() if order in mails]
        assert not anonymous or reader == "gil" or f"{name.title()}son" not in mails
    for stranger in STRANGERS:  # the master hears that there is a vote for a draw, but not whose
        assert not re.search(r"(?<!Somebody )\bvotes?\b|DRAW|CONCEDE", "\n".join(played.mails_to(stranger)))


@pytest.mark.parametrize("reader", NAMES)
def test_everybody_learns_what_is_his(played: Eavesdropper, reader: str) -> None:
    """The same search finds the words where they are allowed."""
    mails = "\n".join(played.mails_to(reader))
    is_named = not played.game().settings.anonymous  # otherwise names are removed from other people's texts
    assert f"the whisper of {NAMES[NAMES.index(reader) - 1] if is_named else ''}" in mails
    assert f"the diary of {reader}" in mails
    assert all(order in mails for order in moves(reader).values())
    assert not is_named or f"{reader.title()}son" in mails
    assert ("DRAW" if NAMES.index(reader) % 2 else "CONCEDE TO Italy") in mails


@pytest.mark.parametrize("settings", ["", "anonymous: yes\n"], ids=["named", "gunboat"])
def test_orders_are_told_when_the_phase_is_closed_and_plans_are_not(settings: str) -> None:
    played = play(settings)
    played.pass_deadline()
    reports = [words for words in played.mails_to("hal") if "Now open: Fall 1901" in words]
    assert len(reports) == 1
    for name in NAMES:
        assert all(order in reports[0] for order in moves(name).values())
        assert "- MAO" not in reports[0]
        assert f"the whisper of {name}" not in reports[0]


def test_the_master_reads_press_only_where_the_players_know_it() -> None:
    world = Eavesdropper()
    world.proved("gil", "CREATE ardennes\nmaster reads: yes")
    for name in NAMES:
        world.proved(name, f"JOIN ardennes AS {OF_POWER[name]}")
    world.collect_reports()
    world.reply("cho", "RULES")
    assert any("the master reads it" in words for words in world.mails_to("cho"))
    world.reply("cho", "PRESS TO Germany: a whisper")
    assert any("a whisper" in words for words in world.mails_to("gil"))
    assert not any("a whisper" in words for words in world.mails_to("ada"))


def test_a_master_who_plays_sees_no_more_than_others_do() -> None:
    world = Eavesdropper()
    world.proved("gil", "CREATE ardennes\nmaster reads: yes\nanonymous: yes\nplayers: 2")
    world.proved("gil", "JOIN ardennes AS England")
    world.proved("ben", "JOIN ardennes AS Turkey\nSET NAME Benson")
    world.collect_reports()
    world.reply("ben", "A Vie - Gal\nPRESS TO France: the whisper of ben\nEND PRESS")
    world.reply("gil", "PROCESS S1914M")
    world.collect_reports()
    before = len(world.kept)
    world.mail("ben", "PHASE S1914M\nA Bud - Rum", answers=world.reports["ben"])
    world.reply("gil", "WHO\nSTATUS\nVOTES")
    mails = "\n".join(words for name, _, words in world.kept[before:] if name == "gil")
    assert "Benson" not in mails
    assert "A BUD - RUM" not in mails
    assert "Orders still missing" not in mails


def test_a_master_who_plays_does_not_read_what_came_too_late() -> None:
    game = replace(
        set_out("ardennes", Settings(), PersonId(1)), seats=tuple(Seat(p, PersonId(1)) for p in load_map().powers)
    )
    event = FoundTooLate(game, Phase.parse("S1901M"), PersonId(2), ("A Bud - Rum",), NOON)
    gil = Person(PersonId(1), "gil@players.test", "Gil")
    master, player = Reader(gil, Role.MASTER), Reader(gil, Role.MASTER, (Power("FRANCE"),))
    assert "A Bud - Rum" in event_letter(event, master, {}, NOON).text
    letter = event_letter(event, player, {}, NOON)
    assert "A Bud" not in letter.text
    assert "Nothing of it counts" in letter.text.replace("  \n", " ")
