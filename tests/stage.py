"""A game by mail that is checked after every mail.

The test knows what every honest player meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.message import Message
from random import Random

from judge.games import Game, GameState, Person, PersonId
from judge.games.filed import OnFile
from judge.games.game import Seat
from judge.mail.letters import RawMail
from judge.rules import Power, write_order
from judge.rules.orders import Hold, Move, Order
from judge.rules.outcomes import Illegal
from judge.rules.position import PhaseKind
from tests.database import store_in_memory
from tests.office import NAMES, World, address, begun, text

ALLY, MASTER = "ben", "gil"
ELSEWHERE = "evil.test"
"""The domain of strangers, who may become known under these addresses."""
HONEST = tuple(name for name in NAMES if name != ALLY)
LACKED = (
    "lacked the proof that your mails usually carry",
    "いつものメールにある本人の証明がありませんでした",
    "fehlte der Nachweis, den deine Mails sonst tragen",
)
COVERED = "from:to:cc:subject:date:message-id"
SIGNATURE = "DKIM-Signature: v=1; a=rsa-sha256; d=players.test; s=k; h={}; bh=abc=; b=AbCdEfGhIjKl"
PASSED = (
    "Authentication-Results: mx.test; dkim=pass header.d=players.test header.s=k header.b=AbCdEfGh; "
    "spf=softfail smtp.mailfrom=relay.test; dmarc=pass header.from=players.test"
)
SIGNED = (PASSED, SIGNATURE.format(COVERED))
_USUAL = 5
"""The number of mails with proof after which proof counts as usual."""
_SOON = timedelta(minutes=61)
"""Mail that arrives sooner may have been written for the phase before."""
_CLOSED_TO_MASTERS = "Orders still missing from"
"""The words before the names of powers that lack orders, in a master's letters."""

Standing = tuple[Game, Mapping[PersonId, Person]]


@dataclass(frozen=True)
class Mail:
    """A mail of one of the people, or of a villain in their name."""

    sender: str
    """The address in From."""
    body: str
    to: str = "judge@localhost"
    head: tuple[str, ...] = ()
    """Headers above the others, such as those stamped by our mail server."""
    answers: str = ""
    """The Message-ID of the answered letter."""
    ago: timedelta = timedelta()
    """How long before its arrival it was written, by its Date."""

    def content(self, number: int, stamp: str) -> bytes:
        head = [*self.head, f"From: {self.sender}", f"To: {self.to}", "Subject: game", f"Date: {stamp}"]
        head += [f"Message-ID: <{number}@players.test>", *([f"In-Reply-To: {self.answers}"] if self.answers else [])]
        head.append('Content-Type: text/plain; charset="utf-8"')
        return "\r\n".join((*head, "", *self.body.split("\n"), "")).encode()


def opened() -> World:
    """Return a game that has just started, whose players usually write with proof.

    Two of them write other languages.
    """
    world = begun(World(store_in_memory()))
    stage = Stage(world, Random(0))
    for name in NAMES:
        for _ in range(_USUAL):
            stage.arrive(Mail(address(name), "GAMES", head=SIGNED))
    stage.arrive(Mail(address("fay"), "言語 日本語", head=SIGNED))
    stage.arrive(Mail(address("dan"), "SPRACHE de", head=SIGNED))
    world.now += timedelta(hours=1)
    return world


@dataclass
class Stage:
    """The game, the orders that honest players meant, and who saw what in their letters."""

    world: World
    chance: Random
    meant: dict[Power, list[str]] = field(default_factory=dict)
    """The orders of honest players that must be on file."""
    letters: dict[str, list[Message]] = field(default_factory=dict)
    """Address → its letters, the oldest first."""
    mails: dict[int, bytes] = field(default_factory=dict)
    """Number → mail, as it arrived."""
    told: set[str] = field(default_factory=set)
    """Orders that are no secret.

    A report has revealed them, a villain has made them up, or they stand in an intercepted mail of their player.
    """
    saw: dict[str, str] = field(default_factory=dict)
    """Person → the last phase in which they saw orders of others."""
    held: dict[str, str] = field(default_factory=dict)
    """Person → the last phase in which they held a seat."""
    same: dict[str, str] = field(default_factory=dict)
    """Address → its person, if the address does not show it."""
    last: str = ""
    """The last mail."""

    @property
    def where(self) -> str:
        """The phase and the last mail, for messages of failures."""
        return f"{self.world.phase()}\n{self.last}"

    # Mail

    def arrive(self, mail: Mail, *, again: int | None = None) -> list[tuple[str, Message]]:
        """Let a mail arrive, and return the letters it causes.

        With `again`, that earlier mail arrives once more, below the headers of this one.
        """
        self.world.number += 1
        stamp = (self.world.now - mail.ago).strftime("%a, %d %b %Y %H:%M:%S +0000")
        content = mail.content(self.world.number, stamp)
        if again is not None:
            content = "".join(f"{line}\r\n" for line in mail.head).encode() + self.mails[again]
        self.mails[self.world.number] = content
        self.last = content.decode()
        self.world.parts.intake.keep(RawMail(content, "test", self.world.now, mail.sender, (mail.to,)))
        return self._settle(is_again=again is not None)

    def taken(self, *, is_again: bool = False) -> list[tuple[str, Message]]:
        """Take the new letters, and check that none is doubled or reveals secrets."""
        taken, self.world.box.letters = self.world.box.letters, []
        for to, letter in taken:
            known = {str(one["Message-ID"]) for one in self.letters.get(to, ())}
            assert is_again or str(letter["Message-ID"]) not in known, f"doubled: {text(letter)}\n{self.where}"
            self.letters.setdefault(to, []).append(letter)
        self._check_cards(taken)
        return taken

    # State of the game and its people

    def standing(self) -> Standing:
        """Return all that a mail can change, for comparison.

        Left out are the mails themselves, strangers, and the record of which proofs mails carry.
        """
        with self.world.parts.store.work() as work:
            people = work.people.many(map(PersonId, range(1, 60)))
        known = {
            number: replace(one, preferences=replace(one.preferences, proofs=()))
            for number, one in people.items()
            if not one.address.endswith(ELSEWHERE)
        }
        return self.world.game(), known

    def person_at(self, mailbox: str) -> str:
        """Return the person behind an address."""
        return self.same.get(mailbox, mailbox.partition("@")[0])

    def holders(self, game: Game) -> dict[Power, str]:
        """Map each power to its player."""
        ids = [seat.holder for seat in game.seats if seat.holder is not None]
        with self.world.parts.store.work() as work:
            people = work.people.many(ids)
        return {
            seat.power: self.person_at(people[seat.holder].address) for seat in game.seats if seat.holder is not None
        }

    def honest(self) -> dict[str, Power]:
        """Map honest players to their powers."""
        return {name: power for power, name in self.holders(self.world.game()).items() if name in HONEST}

    # Cards

    def _check_cards(self, taken: Iterable[tuple[str, Message]]) -> None:
        """Check that no person plays who saw others' orders in the open phase."""
        game = self.world.find_game()
        if game is None or not game.is_running:
            return
        phase, holders = str(game.position.phase), self.holders(game)
        for to, letter in taken:
            person = self.person_at(to)
            mine = {power for power, name in holders.items() if name == person}
            if self.shows(letter, game, mine):
                self.saw[person] = phase
                assert self.held.get(person) != phase, f"{person} has seen orders of others\n{text(letter)}{self.where}"
        self.held |= dict.fromkeys(holders.values(), phase)
        playing = [name for name in holders.values() if self.saw.get(name) == phase]
        assert not playing, f"{playing} saw orders of {phase} and play\n{self.where}"

    def shows(self, letter: Message, game: Game, mine: Collection[Power]) -> bool:
        """Whether a letter shows orders of others in the open phase, or who lacks them."""
        secret = {
            write_order(one.order) for seat in game.seats if seat.power not in mine for one in seat.filed.orders
        } - self.told
        words = all_text(letter)
        names = _CLOSED_TO_MASTERS in words and bool(secret)
        return names or any(re.search(rf"(?<!S )(?<!C ){re.escape(one)}(?![\w/])", words) for one in secret)

    # Honest players

    def order(self, name: str, power: Power) -> None:
        """Send an honest player's orders; check that they are on file and answered once."""
        self.wait()
        orders = self.legal(power)
        if not orders:
            return
        to = str(self.world.reports[name]["Reply-To"]) if self.chance.random() < 0.3 else "judge@localhost"
        answers = str(self.world.reports[name]["Message-ID"]) if to != "judge@localhost" else ""
        self.send_orders(name, power, orders, to=to, answers=answers)

    def send_orders(self, name: str, power: Power, orders: list[str], *, to: str, answers: str = "") -> None:
        letters = self.arrive(Mail(address(name), "\n".join(("CLEAR", *orders)), to, SIGNED, answers))
        mine = [letter for to, letter in letters if to == address(name)]
        assert [str(letter["In-Reply-To"]) for letter in mine] == [f"<{self.world.number}@players.test>"], self.where
        self.meant[power] = sorted(orders)
        self.check_orders()

    def legal(self, power: Power) -> list[str]:
        """Return random orders of a power, in writing, that need no other unit."""
        game = self.world.game()
        if power not in game.deciding or game.position.phase.kind is not PhaseKind.MOVEMENT:
            return []
        orders = []
        for unit in game.position.units_of(power):
            goals = [Move(unit, goal) for goal in game.map.neighbors(unit)]
            legal: list[Order] = [one for one in goals if not isinstance(game.referee.meaning(power, one), Illegal)]
            orders.append(write_order(self.chance.choice([Hold(unit), *legal])))
        return orders

    def check_orders(self) -> None:
        """Check that honest players have on file what they meant."""
        game = self.world.game()
        for power, orders in self.meant.items():
            filed = sorted(write_order(one.order) for one in game.seat(power).filed.orders)
            assert filed == orders, f"{power}: {filed}, not {orders}\n{self.where}"

    def answer(self, name: str, letter: Message, word: str) -> list[tuple[str, Message]]:
        """Send a player's answer to a letter; return the letters it causes."""
        return self.arrive(
            Mail(address(name), word, str(letter["Reply-To"]), SIGNED, answers=str(letter["Message-ID"]))
        )

    def forget_who_left(self) -> None:
        """Drop the orders of players who left: they need not be on file any more."""
        playing = set(self.honest().values())
        self.meant = {power: orders for power, orders in self.meant.items() if power in playing}

    # Phases

    def wait(self, until: datetime | None = None) -> None:
        """Pass time, and check the phase that closes.

        It closes with the orders that were meant, and each player gets one report.
        """
        self.world.now = until or self.world.now + timedelta(minutes=2)
        self._settle()
        self._settle()  # a phase without decisions closes at the next look
        opened_at = self.world.game().clock.opened_at
        if opened_at is not None and self.world.now - opened_at < _SOON:
            self.wait(self.world.now + timedelta(hours=2))

    def _settle(self, *, is_again: bool = False) -> list[tuple[str, Message]]:
        game = self.world.game()
        filed = {write_order(one.order) for seat in game.seats for one in seat.filed.orders}
        self.world.settle()
        letters = self.taken(is_again=is_again)
        if self.world.game().position.phase != game.position.phase:
            self.told |= filed
            self.meant = {}
            self._check_reports(str(game.position.phase), letters)
        return letters

    def close(self) -> None:
        """Pass the deadline."""
        phase, deadline = self.world.phase(), self.world.game().clock.deadline
        assert deadline is not None, self.where
        self.wait(deadline + timedelta(minutes=1))
        assert self.world.game().state is GameState.FINISHED or self.world.phase() != phase

    def _check_reports(self, phase: str, letters: Iterable[tuple[str, Message]]) -> None:
        reports = [(to, letter) for to, letter in letters if f"-{phase}.json" in str(letter)]
        got = Counter(to for to, _ in reports)
        lacking = set(self.holders(self.world.game()).values()) - {self.person_at(to) for to in got}
        assert not lacking, f"no report of {phase} for {lacking}\n{self.where}"
        assert set(got.values()) == {1}, f"reports of {phase}: {got}\n{self.where}"
        self.world.reports |= {self.person_at(to): letter for to, letter in reports}


def all_text(letter: Message) -> str:
    """Return all text that can be read in a letter."""
    found = []
    for part in letter.walk():
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes) and part.get_content_type() in ("text/plain", "text/html", "application/json"):
            found.append(payload.decode())
    return "\n".join(found)


def without_file(seat: Seat) -> Seat:
    """Return a seat without its orders; READY and WAIT stay."""
    filed = seat.filed
    return replace(seat, filed=OnFile(ready=filed.ready, waits=filed.waits, waits_since=filed.waits_since))
