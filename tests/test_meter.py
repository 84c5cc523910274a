"""The most letters one mail can cause, for each command (`meter.toml`)."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from judge.commands import Command
from judge.language import Context, read
from judge.mail.letters import Outgoing, RawMail
from judge.rules import load_map
from judge.rules.position import Power
from tests.database import store_in_memory
from tests.office import JUDGE, NAMES, TITLES, World, address
from tests.soak import Soak

TABLE = tomllib.loads(Path(__file__).with_name("meter.toml").read_text("utf-8"))
COMMANDS: Mapping[str, Mapping[str, str]] = TABLE["commands"]
KINDS = {kind.__name__: kind for kind in get_args(Command)}
ROLES = {"player": "cho", "master": "gil", "observer": "obs", "stranger": "mal", "forged": "cho"}
"""Role → the writer; a stranger and a forger have no proof."""
MANY = 50


@dataclass(frozen=True)
class Count:
    """Counts of letters to the mail's sender and to other people."""

    own: int = 0
    others: int = 0

    @classmethod
    def read(cls, text: str) -> Count:
        own, others = map(int, text.split("+"))
        return cls(own, others)

    def __add__(self, other: Count) -> Count:
        return Count(self.own + other.own, self.others + other.others)

    def is_within(self, bound: Count) -> bool:
        return self.own <= bound.own and self.others <= bound.others


class Meter:
    """A game, and a person who writes to its judge again and again."""

    def __init__(self, state: str, role: str) -> None:
        self.world = game_that_is(state).apart()
        self.who, self.is_proved = ROLES[role], role not in ("stranger", "forged")

    def counts(self, mail: str) -> Iterator[Count]:
        """Count the letters each mail causes, one mail a minute.

        If the writer is proved, every question is answered with YES.
        """
        for number in itertools.count(1):
            self.world.now = self.world.now.replace(minute=number % 60)
            phase = self.world.game().position.phase
            words = mail.format(n=number, day=number % 20 + 1, phase=phase)
            caused = self.caused_by(self.who, words, JUDGE)
            for letter in list(caused) if self.is_proved else ():
                if "+confirm." in (letter.reply_to or ""):
                    name = letter.recipient.partition("@")[0]
                    caused += self.caused_by(name, "YES", letter.reply_to or "")
            own = sum(letter.recipient == address(self.who) for letter in caused)
            yield Count(own, len(caused) - own)

    def caused_by(self, name: str, words: str, to: str) -> list[Outgoing]:
        """Send a mail, and return the letters it causes.

        They are queued and not delivered, as composing takes longer than everything else.
        """
        last = self.world.last_letter()
        say(self.world, name, words, to=to, is_proved=self.is_proved)
        return self.world.letters(last)


def say(world: World, name: str, words: str, *, to: str = JUDGE, is_proved: bool = True) -> None:
    """Send a mail, with or without proof by our mail server."""
    world.number += 1
    mail = EmailMessage()
    if is_proved:
        mail["Authentication-Results"] = "mx.test; dmarc=pass header.from=players.test"
    mail["From"], mail["To"], mail["Subject"] = address(name), to, "ardennes"
    mail["Message-ID"] = f"<{world.number}@players.test>"
    mail.set_content(words)
    world.parts.intake.keep(RawMail(mail.as_bytes(), "test", world.now, address(name), (to,)))
    world.parts.intake.work_all()
    world.parts.closing.close_due()


@cache
def game_that_is(state: str) -> World:
    """Return a game before its start, after its first phase, paused or over."""
    world = World(store_in_memory())
    say(world, "gil", "CREATE ardennes\ndeadline: 60 days\nready with missing orders: yes")
    for name, title in list(zip(NAMES, TITLES, strict=True))[: 3 if state == "forming" else 7]:
        say(world, name, f"JOIN ardennes AS {title}")
    if state != "forming":  # the last player is first told about the game
        say(world, NAMES[-1], "YES", to=world.letters()[-1].reply_to or "")
    say(world, "obs", "OBSERVE ardennes")
    if state != "forming":
        say(world, "gil", "PROCESS S1901M")
        assert world.phase() == "F1901M"
    if state == "paused":
        say(world, "gil", "PAUSE BECAUSE of the snow")
    if state == "finished":
        say(world, "gil", "END ardennes BECAUSE of the snow")
        questions = [one.reply_to for one in world.letters()]
        say(world, "gil", "YES", to=next(one for one in reversed(questions) if one and "+confirm." in one))
    assert world.game().state == state
    world.now = world.now.replace(hour=(world.now.hour + 3) % 24)
    return world


def exceeded(name: str, role: str, mails: int) -> list[str]:
    """Return the limits that one mail, or `mails` together, exceeded."""
    row = COMMANDS[name]
    each, together = map(Count.read, row.get(role, TABLE["usual"][role]).split(", "))
    counts = list(itertools.islice(Meter(row.get("game", "active"), role).counts(row["mail"]), mails))
    found = [f"{role}: mail {n} caused {one}" for n, one in enumerate(counts, 1) if not one.is_within(each)]
    total = sum(counts, Count())
    if not total.is_within(together):
        found.append(f"{role}: {mails} mails caused {total}")
    return found


def test_every_command_has_a_row() -> None:
    assert set(COMMANDS) == set(KINDS), "in tests/meter.toml"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_row_asks_for_its_command(name: str) -> None:
    board = load_map()
    context = Context(board, board.start(), (Power("FRANCE"),))
    words = COMMANDS[name]["mail"].format(n=1, day=2, phase="F1901M")
    assert KINDS[name] in {type(request) for line in read(words, context) for request in line.requests}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_mail_causes_more_letters_than_the_table_says(name: str) -> None:
    assert [one for role in ROLES for one in exceeded(name, role, 2)] == []


@pytest.mark.soak
def test_fifty_mails_cause_no_more_letters_than_the_table_says(soak: Soak) -> None:
    trials = list(itertools.product(COMMANDS, ROLES))
    for seed in soak.seeds(len(trials)):
        assert exceeded(*trials[seed % len(trials)], MANY) == [], soak


def test_who_does_not_prove_who_he_is_writes_to_nobody_else() -> None:
    rows: list[Mapping[str, Any]] = [TABLE["usual"], *COMMANDS.values()]
    cells = [row[role] for row in rows for role in ("stranger", "forged") if role in row]
    assert cells
    assert all(re.fullmatch(r"\d+\+0, \d+\+0", cell) for cell in cells)
