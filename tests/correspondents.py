"""Seven people who play by mail in many programs and quote what they answer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import Message
from random import Random

from judge.games import Game, GameState
from judge.mail.headers import decoded
from judge.reports.readers import Rendered
from judge.rules import Power, adjudicate, load_map, write_order
from judge.rules.orders import Hold, Move, Order, Waive
from judge.rules.outcomes import Illegal, Resolution
from judge.rules.position import PhaseKind
from tests.clients import PROGRAMS, Answered, Composer, disclaimer, own_words
from tests.nasty import random_orders
from tests.office import NAMES, TITLES, World, address, text
from tests.writers import WRITERS

MAP = load_map()
_REPEATING = 0.5
"""The chance that a failed move is ordered again."""
_SECOND_MAIL = 0.35


@dataclass
class Correspondence:
    """A game played at random; every phase is compared with what the players meant."""

    seed: int
    world: World = field(default_factory=World)
    receipts: dict[str, Message] = field(default_factory=dict)
    failed: dict[Power, list[Move]] = field(default_factory=dict)
    mails: int = 0
    repeated: int = 0
    last: str = ""
    """The last mail, as plain text."""

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.programs = dict(zip(NAMES, self.chance.sample(PROGRAMS, len(NAMES)), strict=True))
        self.languages = {name: self.chance.choice(["en", "ja"]) for name in NAMES}
        self.writers = {name: self.chance.choice(WRITERS[self.languages[name]])(self.chance) for name in NAMES}
        self.world.proved("gil", "CREATE ardennes\ndeadline: 2 days\nupdate: scheduled")
        for name, power in zip(NAMES, TITLES, strict=True):
            self.world.proved(name, f"JOIN ardennes AS {power}")
            if self.languages[name] == "ja":
                self.world.proved(name, "言語 日本語")
        self.world.collect_reports()

    def play(self, phases: int) -> None:
        """Play some phases, or until the game ends.

        Raises AssertionError if the judge has other orders than the players meant.
        """
        for _ in range(phases):
            game = self.world.game()
            if game.state is GameState.FINISHED:
                return
            self._play_phase(game)

    def _play_phase(self, game: Game) -> None:
        self.world.now += timedelta(hours=2)
        wanted = random_orders(MAP, game.position, game.settings.rules, self.chance)
        meant: dict[Power, list[Order]] = {}
        for name, power in zip(NAMES, MAP.powers, strict=True):
            orders = self._legal(game, power, wanted.get(power, []))
            if orders and power in game.deciding:
                self._write(name, orders, answers=self.world.reports[name])
                meant[power] = self._changed(name, orders, game)
                self._compare(game, name, power, meant[power])
        expected = adjudicate(
            MAP, game.position, {power: tuple(orders) for power, orders in meant.items()}, game.settings.rules,
            game.circumstances,
        )  # fmt: skip
        self._close(game, expected)

    def _legal(self, game: Game, power: Power, orders: list[Order]) -> list[Order]:
        """Choose what to order: failed moves again, and the rest at random."""
        again = [order for order in self.failed.get(power, []) if self.chance.random() < _REPEATING]
        units = set(game.position.units_of(power))
        again = [order for order in again if order.unit in units and game.position.phase.kind is PhaseKind.MOVEMENT]
        self.repeated += len(again)
        taken = {order.unit.province for order in again}
        others = [order for order in orders if isinstance(order, Waive) or order.unit.province not in taken]
        meanings = [game.referee.meaning(power, order) for order in (*again, *others)]
        legal = [order for order in dict.fromkeys(meanings) if not isinstance(order, Illegal | Waive)]
        decision = game.decisions.get(power)
        once: list[Order] = list({order.unit.province: order for order in legal}.values())
        return once[: abs(decision.count)] if decision else once

    def _changed(self, name: str, orders: list[Order], game: Game) -> list[Order]:
        """Sometimes send a second mail in answer to the receipt; return the final orders.

        It gives all orders once more, or changes one.
        """
        if self.chance.random() > _SECOND_MAIL:
            return orders
        receipt = self.receipts[name]
        if game.position.phase.kind is PhaseKind.MOVEMENT and self.chance.random() < 0.5:
            place = self.chance.randrange(len(orders))
            held = orders[place]
            assert not isinstance(held, Waive)
            orders = [*orders[:place], Hold(held.unit), *orders[place + 1 :]]
            self._write(name, orders, answers=receipt)
        else:
            self._write(name, orders, answers=receipt, before=["CLEAR"])
        return orders

    def _write(self, name: str, orders: list[Order], *, answers: Message, before: list[str] | None = None) -> None:
        program, language = self.programs[name], self.languages[name]
        where = self.chance.choice([habit for habit in program.habits if habit != "filled"] or ["above"])
        report = Rendered(
            decoded(answers["Subject"]).removeprefix("Re: "), text(answers).replace("\r\n", "\n"), _html(answers)
        )
        lines = [self._line(name, report, order) for order in orders]
        units = [next((line for line in report.text.split("\n") if _asks_for(line, order)), "") for order in orders]
        if before:
            where = where if where != "between" else "above"
            lines, units = [*before, *lines], ["" for _ in before] + units
        own = replace(own_words(self.chance, language, lines), signature=name.title())
        answered = Answered(report, str(answers["Message-ID"]), units)
        composer = Composer(program, language, own, answered, address(name), where, disclaimer(self.chance, language))
        content = composer.mail()
        if where == "alone":
            content = f"In-Reply-To: {answered.message_id}\r\n".encode() + content
        content = content.replace(b"<answer@players.test>", f"<{self.seed}-{self.mails}@players.test>".encode())
        self.mails += 1
        self.world.arrive(content, str(answers["Reply-To"]), address(name))
        self.last = composer.text()
        for letter in self.world.box.take(name):
            if letter["Auto-Submitted"] == "auto-replied":
                self.receipts[name] = letter

    def _line(self, name: str, report: Rendered, order: Order) -> str:
        """Write the order in the player's words, often in those of the answered mail."""
        code = write_order(order)
        if self.chance.random() < 0.3 and any(line.strip().startswith(code) for line in report.text.split("\n")):
            return code
        return self.writers[name].write(order)

    def _compare(self, game: Game, name: str, power: Power, meant: list[Order]) -> None:
        filed = sorted(write_order(one.order) for one in self.world.game().seat(power).filed.orders)
        context = f"seed {self.seed}, {game.position.phase}, {name} with {self.programs[name].name}"
        assert filed == sorted(map(write_order, meant)), f"{context}\n{self.last}\n{text(self.receipts[name])}"

    def _close(self, game: Game, expected: Resolution) -> None:
        self.failed = {}
        for verdict in expected.verdicts:
            if isinstance(verdict.order, Move) and not verdict.succeeded:
                self.failed.setdefault(verdict.power, []).append(verdict.order)
        self.world.pass_deadline()
        self.world.collect_reports()
        after = self.world.game()
        assert after.position == expected.position or after.state is GameState.FINISHED, f"seed {self.seed}"
        assert after.position.phase != game.position.phase or after.state is GameState.FINISHED


def _asks_for(line: str, order: Order) -> bool:
    return not isinstance(order, Waive) and line.rstrip(" -R") == str(order.unit)


def _html(letter: Message) -> str:
    for part in letter.walk():
        if part.get_content_type() == "text/html":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return payload.decode()
    raise AssertionError("no HTML")
