"""Whole games by mail on any board: robots choose orders, and players mail them.

Each player uses words of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from string import ascii_lowercase

from judge.games import GameState
from judge.names import names_on
from judge.robots import RobotView, orders
from judge.rules import Power, load_map, write_order
from judge.rules.orders import Order
from tests.scripts import Player, Step
from tests.writers import Writer, in_codes, in_english, in_german, in_japanese

MASTER = "gil"
WRITERS = (in_codes, in_english, in_japanese, in_german)
"""The writing styles of the players, in turn."""
_LANGUAGES = ("en", "en", "ja", "de")


@dataclass
class WholeGame:
    """A game on a board, played by mail."""

    board: str
    seed: int = 0
    settings: Sequence[str] = ()
    table: Player = field(default_factory=Player)
    written: int = 0
    """The number of orders that were mailed."""
    unread: int = 0
    """The number of orders that were not understood, and were mailed again in codes."""

    def __post_init__(self) -> None:
        self.map = load_map(self.board)
        played = [power for power in self.map.powers if power not in self.map.unplayed]
        self.players = {power: letter * 2 for letter, power in zip(ascii_lowercase, played, strict=False)}
        self.writers: Mapping[Power, Writer] = {
            power: WRITERS[number % len(WRITERS)](Random(number), board=self.board)
            for number, power in enumerate(self.map.powers)
        }

    def start(self) -> None:
        """Create a game, and let all players join."""
        lines = (f"board: {self.board}", "update: manual", "assignment: registration-order", "reminders: none")
        self.mail(MASTER, "!", "CREATE ardennes", *lines, *self.settings)
        for number, (power, name) in enumerate(self.players.items()):
            title = names_on(self.board)["powers"][power]["en"][0]
            language = _LANGUAGES[number % len(WRITERS)]
            self.mail(name, "!", f"JOIN ardennes AS {title}", f"SET LANGUAGE {language}")
        assert self.table.found().state is GameState.ACTIVE

    def play(self, most: int) -> None:
        """Play phases until the game is over, at most `most`."""
        for _ in range(most):
            if not self.table.found().is_running:
                return
            self._phase()
        raise AssertionError(f"{self.board} is not over in {self.table.found().position.phase}")

    def _phase(self) -> None:
        game = self.table.found()
        for power, name in self.players.items():
            meant = self.meant(power)
            if meant:
                self._order(power, name, meant)
        phase = str(game.position.phase)
        self.mail(MASTER, ">", f"PROCESS {phase}")
        after = self.table.found()
        assert not after.is_running or str(after.position.phase) != phase

    def meant(self, power: Power) -> Sequence[Order]:
        """Return what a robot would order."""
        game = self.table.found()
        return orders(RobotView(self.map, game.position, (power,), game.settings.rules), self.seed).get(power, ())

    def _order(self, power: Power, name: str, meant: Sequence[Order]) -> None:
        self.mail(name, ">", *map(self.writers[power].write, meant))
        self.written += len(meant)
        told = sorted(map(write_order, meant))
        filed = self._filed(power)
        wrong = [order for order in filed if order not in told]
        assert not wrong, (self.board, wrong, self.table.letters)
        if filed != told:
            self.unread += len(told) - len(filed)
            self.mail(name, ">", *told)
            assert self._filed(power) == told

    def _filed(self, power: Power) -> list[str]:
        return sorted(write_order(one.order) for one in self.table.found().seat(power).filed.orders)

    def mail(self, name: str, sign: str, first: str, *lines: str) -> None:
        """Send a mail a minute later; see `tests/scripts.py` for the signs."""
        self.table.world.now += timedelta(minutes=1)
        self.table.play(Step(0, f"{name}{sign} {first}", [*lines]))
