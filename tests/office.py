"""A judge without loops and servers, and the people who write to it.

The test sets the judge's clock.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage, Message
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from judge.config import Config, DatabaseSettings, DeliverySettings, GamesSettings, JudgeSettings, ListenerSettings
from judge.errors import DeliveryError
from judge.games import Game, GameState
from judge.mail.letters import LetterKind, Outgoing, RawMail
from judge.mail.sending import Meanwhile, nothing
from judge.rules.notation import write_order
from judge.rules.position import Power
from judge.service.engine.assemble import Parts, assemble, put_together
from judge.storage import Store, migrate
from judge.storage import tables as t
from tests.database import IS_POSTGRESQL, content_of, store_in_memory, url_in_memory, url_of
from tests.openings import once

JUDGE = "judge@localhost"
OPERATOR = "op@localhost"
PASS = "mx.test; dmarc=pass header.from=players.test"
"""The stamp of our mail server on a mail whose sender it vouches for."""
TITLES = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


_NAME, _EMAIL = (re.compile(rf"(?m)^{line}:(.*?)\r?$") for line in ("FN", "EMAIL;TYPE=INTERNET"))


def joining(power: str) -> tuple[str, ...]:
    """Return the mail of a player who joins without a question back.

    An observer knows the game, and is not asked even if the game begins with this player.
    """
    return "OBSERVE ardennes", f"JOIN ardennes AS {power}"


class Judge:
    """A judge without loops: the test makes it work and looks at its game."""

    parts: Parts
    now: datetime
    gathers: bool = False
    """Whether receipts wait for each other.

    If not, each is released as if minutes had passed.
    """

    def settle(self) -> None:
        self.parts.intake.work_all()
        self.parts.closing.close_due()
        if not self.gathers:
            with self.parts.store.work() as work:
                work.outbox.release(self.now, kind=LetterKind.REPLY)
                work.commit()
        self.parts.delivery.deliver_due()

    def find_game(self) -> Game | None:
        with self.parts.store.work() as work:
            return work.games.get("ardennes")

    def game(self) -> Game:
        game = self.find_game()
        assert game is not None
        return game

    def orders(self, power: str) -> list[str]:
        return [write_order(filed.order) for filed in self.game().seat(Power(power)).filed.orders]

    def phase(self) -> str:
        return str(self.game().position.phase)

    def configured(self) -> str:
        """Return all that is configured, without the place where the judge stands."""
        return repr(self.parts.config)


@dataclass
class Office(Judge):
    """A judge on a file that can be restarted; the test sets its clock."""

    folder: Path
    now: datetime = datetime(2026, 11, 24, 12, tzinfo=UTC)
    watch: dict[str, Any] = field(default_factory=dict)
    number: int = 0
    address: str = JUDGE

    def __post_init__(self) -> None:
        self.url = url_of(self.folder)
        migrate(self.url)
        self.start()

    def start(self) -> None:
        config = Config(
            judge={"address": self.address, "authserv_id": "mx.test", "operator": OPERATOR},  # type: ignore[arg-type]
            database={"url": self.url},  # type: ignore[arg-type]
            delivery={"folder": self.folder / "outgoing", "pictures": False},  # type: ignore[arg-type]
            sources=(),
            games={"settling_seconds": 0},  # type: ignore[arg-type]
            watch=self.watch,  # type: ignore[arg-type]
        )
        self.parts = assemble(config, clock=lambda: self.now)

    def stop(self) -> None:
        self.parts.store.close()

    def configured(self) -> str:
        return super().configured().replace(str(self.folder), "")

    def keep(self, sender: str, *lines: str, to: str = JUDGE, proved: bool = True) -> int:
        self.number += 1
        self.now += timedelta(seconds=1)
        mail = EmailMessage()
        if proved:
            mail["Authentication-Results"] = PASS
        mail["From"], mail["To"], mail["Subject"] = f"{sender}@players.test", to, "secret subject"
        mail["Message-ID"] = f"<office-{self.number}@players.test>"
        mail.set_content("\n".join(lines) + "\n")
        self.parts.intake.keep(RawMail(mail.as_bytes(), "test", self.now, str(mail["From"]), (to,)))
        return self.number

    def open_game(self, deadline: str = "3 days") -> None:
        """Open a game with all its players; the letters may not pass through this judge."""
        once(self, f"opened {deadline}", lambda: self.play_opening(deadline))

    def play_opening(self, deadline: str = "3 days") -> None:
        """Open a game with all its players, mail by mail."""
        self.keep("gil", "CREATE ardennes", f"deadline: {deadline}", "ready with missing orders: yes")
        for power in POWERS:
            self.keep(power.lower(), *joining(power))
        self.settle()

    def letters(self, recipient: str) -> list[Outgoing]:
        """Return all letters that were ever written to a recipient."""
        with self.parts.store.work() as work:
            written = [work.outbox.get(row["id"]) for row in reversed(work.outbox.latest(1000))]
        return [one.letter for one in written if one is not None and one.letter.recipient == recipient]


NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
NAMES = ("ada", "ben", "cho", "dan", "eva", "fay", "gus")


@dataclass
class Letterbox:
    """Takes what the judge sends; can be told to refuse."""

    letters: list[tuple[str, Message]] = field(default_factory=list)
    refuse: DeliveryError | None = None
    kept: list[tuple[str, Message]] = field(default_factory=list)
    """All letters that were ever sent, with those taken out."""

    def send(self, content: bytes, *, envelope_from: str, recipient: str, meanwhile: Meanwhile = nothing) -> None:
        meanwhile()
        assert envelope_from
        if self.refuse is not None:
            raise self.refuse
        self.letters.append((recipient, message_from_bytes(content)))
        self.kept.append(self.letters[-1])

    def check(self) -> str:
        return "a list"

    def close(self) -> None:
        pass

    def take(self, name: str) -> list[Message]:
        """Take out and return the letters to a person."""
        mine = [letter for to, letter in self.letters if to == address(name)]
        self.letters = [(to, letter) for to, letter in self.letters if to != address(name)]
        return mine


class World(Judge):
    """A judge and the people who write to it."""

    def __init__(
        self, store: Store | None = None, *, draws: bool = False, site: str = "", boards: Path | None = None
    ) -> None:
        """Start on this store or a new database; send maps only if it `draws`."""
        self.now = NOON
        self.box = Letterbox()
        if store is None and not IS_POSTGRESQL:
            store = store_in_memory()
        config = Config(
            judge=JudgeSettings(
                operator="op@localhost", authserv_id="mx.test", aliases=("Orders@club.test",), site=site
            ),
            database=DatabaseSettings(url=url_in_memory()),
            delivery=DeliverySettings(pictures=draws),
            sources=(ListenerSettings(kind="listener", port=0),),
            games=GamesSettings(settling_seconds=30, boards=boards),
        )
        self.parts = (
            put_together(config, store, lambda: self.now, self.box)
            if store is not None
            else assemble(config, clock=lambda: self.now, sender=self.box)
        )
        self.reports: dict[str, Message] = {}
        self.number = 0

    def apart(self, *, draws: bool = False, site: str = "") -> World:
        """Return another judge that goes on from here, on a copy of the store.

        The store has to be one in memory.
        """
        world = World(store_in_memory(content_of(self.parts.store)), draws=draws, site=site)
        world.now, world.number, world.reports = self.now, self.number, dict(self.reports)
        return world

    def last_letter(self) -> int:
        """Return the number of the last letter written; 0 if there is none."""
        return max(self._letters(0), default=0)

    def letters(self, after: int = 0) -> list[Outgoing]:
        """Return all letters written after the one of this number, in order, sent or not."""
        numbers = self._letters(after)
        with self.parts.store.work() as work:
            found = [work.outbox.get(number) for number in numbers]
        return [one.letter for one in found if one is not None]

    def _letters(self, after: int) -> list[int]:
        wanted = select(t.outbox.c.id).where(t.outbox.c.id > after).order_by(t.outbox.c.id)
        with self.parts.store.work() as work:
            return list(work.connection.execute(wanted).scalars())

    def mail(
        self,
        name: str,
        body: str,
        *,
        to: str = JUDGE,
        answers: Message | None = None,
        subject: str = "Re: game",
        **headers: str,
    ) -> bytes:
        """Let a mail arrive and work it; deliver the letters it causes. Return the mail."""
        self.number += 1
        message = EmailMessage()
        message["From"] = f"{name.title()} <{address(name)}>"
        message["To"] = to
        message["Subject"] = subject
        message["Message-ID"] = f"<{self.number}@players.test>"
        if answers is not None:
            message["In-Reply-To"] = str(answers["Message-ID"])
        for header, value in headers.items():
            message[header.replace("_", "-")] = value
        message.set_content(body)
        self.arrive(message.as_bytes(), to, address(name))
        return message.as_bytes()

    def arrive(self, content: bytes, to: str, envelope_from: str = "x@players.test") -> None:
        self.parts.intake.keep(RawMail(content, "test", self.now, envelope_from, tuple(to.split(", "))))
        self.settle()

    def pass_deadline(self) -> None:
        """Pass the deadline of the open phase and the settling time."""
        deadline = self.game().clock.deadline
        assert deadline is not None
        self.now = deadline + timedelta(minutes=1)
        self.settle()

    def proved(self, name: str, body: str) -> Message:
        """Send a mail and confirm it; return the answer."""
        self.mail(name, body)
        (asked,) = self.box.take(name)
        assert "+confirm." in str(asked["Reply-To"])
        self.mail(name, "YES", to=str(asked["Reply-To"]))
        self.collect_reports(name)
        return self.box.take(name)[0]

    def signed(self, name: str, body: str) -> Message:
        """Send a mail with proof, confirm it if asked, and return the answer.

        Our mail server vouches for its sender.
        """
        self.mail(name, body, Authentication_Results=PASS)
        letters = self.box.take(name)
        receipt = letters[0]
        for letter in letters:
            if "+confirm." not in str(letter["Reply-To"]):
                continue
            self.mail(name, "YES", to=str(letter["Reply-To"]))
            self.collect_reports(name)
            receipt = self.box.take(name)[0]
        return receipt

    def reply(self, name: str, body: str) -> Message:
        """Answer the latest report; return the receipt."""
        report = self.reports[name]
        self.mail(name, body, to=str(report["Reply-To"]), answers=report)
        receipts = [letter for letter in self.box.take(name) if letter["Auto-Submitted"] == "auto-replied"]
        return receipts[0]

    def collect_reports(self, *names: str) -> None:
        for name in names or ("gil", *NAMES):
            for letter in self.box.take(name):
                if letter["Auto-Submitted"] == "auto-replied":
                    self.box.letters.append((address(name), letter))
                elif "joined" not in str(letter["Subject"]):
                    self.reports[name] = letter


def bring(world: World, content: bytes | None, line: str = "IMPORT ardennes") -> str:
    """Send a mail of the master with that file; return the answer."""
    message = EmailMessage()
    message["From"] = f"Gil <{address('gil')}>"
    message["To"] = JUDGE
    message["Subject"] = "a game"
    message["Message-ID"] = f"<moving-{len(content or b'')}-{hash(line)}@players.test>"
    message.set_content(line)
    if content is not None:
        message.add_attachment(content, maintype="application", subtype="json", filename="ardennes-export.json")
    world.arrive(message.as_bytes(), JUDGE, address("gil"))
    (asked,) = world.box.take("gil")
    world.mail("gil", "YES", to=str(asked["Reply-To"]))
    return text(world.box.take("gil")[-1])


def address(name: str) -> str:
    return f"{name}@players.test"


def address_book(letter: Message) -> dict[str, str]:
    """Map the names on the address cards of a letter to addresses; empty without cards."""
    for part in letter.walk():
        if part.get_content_type() == "text/vcard":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            cards = payload.decode().replace("\r\n ", "")
            return dict(zip(_NAME.findall(cards), _EMAIL.findall(cards), strict=True))
    return {}


def text(letter: Message) -> str:
    for part in letter.walk():
        if part.get_content_type() == "text/plain":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return payload.decode()
    raise AssertionError("no text")


@pytest.fixture
def world() -> World:
    """Return a judge with an empty database."""
    return World()


@pytest.fixture
def playing(world: World) -> World:
    """Return a game that has just started."""
    return begun(world)


def begun(world: World, deadline: str = "2 days") -> World:
    """Create a game and fill all its seats."""

    def play() -> None:
        world.signed("gil", f"CREATE ardennes\ndeadline: {deadline}")
        for name, power in zip(NAMES, TITLES, strict=True):
            receipt = world.signed(name, f"JOIN ardennes AS {power}\nSET ZONE Europe/Paris")
            assert power in text(receipt)
        world.settle()
        world.collect_reports()
        assert world.game().state is GameState.ACTIVE

    once(world, f"begun {deadline}", play, world.box)
    return world
