"""Seven players and a master play the scripted game against a real `judge serve`."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from email.message import Message
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from judge.commands import SetReady
from judge.demo.habits import HABITS, Habit, write
from judge.demo.post_office import ImapServer, PostOffice, by_maildir, by_smtp, free_port, is_listening, utc_now
from judge.demo.script import SHIPPED, Script, read_script
from judge.errors import InstallationError
from judge.games import Game, GameState
from judge.language.writing import line_in
from judge.rules.position import Power
from judge.service.engine.clock import set_ahead
from judge.storage import Store, migrate

_YES = {"en": "Yes", "ja": "はい"}
"""How players confirm, by language."""

GAME = "ardennes"
JUDGE = "judge@localhost"
_LONGEST_WAIT_SECONDS = 120.0
_CLOSED_BY_THE_CLOCK = ("F1902M", "F1903M")
"""Phases that only the deadline closes: a player with units is not ready."""


@dataclass
class Correspondent:
    """A player or the master, with a mailbox and a way to send mail."""

    name: str
    address: str
    power: Power | None
    habit: Habit
    way: str
    send: Callable[[str, str, bytes], None]
    """Takes sender, recipient and mail."""
    seen: set[str] = field(default_factory=set)
    report: Message | None = None
    """The last report received."""


def _powers(script: Script) -> Sequence[Power]:
    return sorted(next(iter(script.phases.values())).orders)


class DemoFailedError(Exception):
    """The demonstration did not follow the script."""


class Demonstration:
    """Starts all servers, and plays the script in order."""

    def __init__(self, folder: Path, script: Script) -> None:
        self.folder = folder
        self.script = script
        self.office = PostOffice(folder / "mailboxes")
        self.imap = ImapServer()
        self.listener_port = free_port()
        self.offset = folder / "clock-offset"
        self.maildir = folder / "dropped"
        self.url = f"sqlite:///{folder / 'judge.sqlite3'}"
        self.server: subprocess.Popen[bytes] | None = None
        self.people = self._correspondents()
        self.store: Store | None = None
        self.ahead = 0.0

    def _correspondents(self) -> list[Correspondent]:
        def smtp(sender: str, recipient: str, content: bytes) -> None:
            by_smtp(self.listener_port, sender, recipient, content)

        def imap(_sender: str, recipient: str, content: bytes) -> None:
            self.imap.deliver(f"Delivered-To: {recipient}\r\n".encode() + content, utc_now())

        def dropped(_sender: str, recipient: str, content: bytes) -> None:
            by_maildir(self.maildir, recipient, content)

        ways = {"SMTP": smtp, "IMAP": imap, "Maildir": dropped}
        chosen = ("SMTP", "IMAP", "SMTP", "Maildir", "SMTP", "IMAP", "SMTP")
        names = ("ada", "ben", "taro", "dan", "eva", "hana", "gus")
        people = [
            Correspondent(name, f"{name}@players.test", power, habit, way, ways[way])
            for name, power, habit, way in zip(names, _powers(self.script), HABITS, chosen, strict=True)
        ]
        return [Correspondent("gil", "gil@players.test", None, HABITS[0], "SMTP", smtp), *people]

    # Servers

    def __enter__(self) -> Self:
        set_ahead(self.offset, 0)
        self.office.start()
        self.imap.start()
        config = self.folder / "config.toml"
        config.write_text(self._config(), "utf-8")
        migrate(self.url)
        self.store = Store.open(self.url)
        self.server = self._serve()
        return self

    def __exit__(self, *_: object) -> None:
        if self.server is not None:
            self.server.terminate()
            self.server.wait()
        if self.store is not None:
            self.store.close()
        self.imap.stop()
        self.office.stop()

    def _serve(self) -> subprocess.Popen[bytes]:
        arguments = [sys.executable, "-m", "judge", "serve", "--config", str(self.folder / "config.toml")]
        with (self.folder / "judge.log").open("ab") as log:
            return subprocess.Popen(arguments, stdout=log, stderr=log)  # noqa: S603

    def _config(self) -> str:
        return f"""
[judge]
address = "{JUDGE}"

[database]
url = "{self.url}"

[[sources]]
kind = "listener"
port = {self.listener_port}

[[sources]]
kind = "imap"
host = "127.0.0.1"
port = {self.imap.port}
security = "none"
username = "{self.imap.username}"
password = "{self.imap.password}"
old_mail = "take"
poll_seconds = 1

[[sources]]
kind = "maildir"
folder = "{self.maildir}"
poll_seconds = 0.2

[delivery]
kind = "smtp"
host = "127.0.0.1"
port = {self.office.port}

[games]
settling_seconds = 0

[clock]
offset_file = "{self.offset}"
"""

    # The game

    def play(self) -> None:
        """Play from CREATE to the last report; raises DemoFailedError."""
        master, *players = self.people
        self._wait(self._is_up, "the judge to start")
        self._say(f"{master.name} opens the game")
        self._write(master, [f"CREATE {GAME}", "deadline: 3 days", "ready with missing orders: yes"], JUDGE)
        self._confirm([master], "the game to be open", lambda: self._game() is not None)
        for player in players:
            power = str(player.power).title()
            self._say(f"{player.name} joins as {power} ({player.habit.name}, by {player.way})")
            self._write(player, [f"JOIN {GAME} AS {power}"], JUDGE)
        self._confirm(players, "the game to start", lambda: self._is_open("S1901M"))
        for name in self.script.phases:
            self._play_phase(name)
        game = self._game()
        if game is None or game.winner != self.script.winner:
            raise DemoFailedError(f"the winner is {game.winner if game else None}, not {self.script.winner}")
        opened = str(game.position.phase) if game.state is GameState.ACTIVE else None
        self._wait(lambda: all(self._new_report(p, opened) for p in self.people), "the last reports")

    def _seconds_left(self) -> float:
        """Return the seconds until the deadline, by the judge's clock, which runs ahead."""
        game = self._game()
        assert game is not None
        assert game.clock.deadline is not None
        return (game.clock.deadline - utc_now()).total_seconds() - self.ahead

    def _play_phase(self, name: str) -> None:
        players = self.people[1:]
        scripted = self.script.phases[name]
        self._wait(lambda: all(self._new_report(player, name) for player in self.people), f"the reports of {name}")
        by_clock = name in _CLOSED_BY_THE_CLOCK
        for player in players:
            assert player.power is not None
            orders = scripted.orders.get(player.power, [])
            lines = [player.habit.spell(order) for order in orders]
            if not by_clock or player is not players[-1]:
                lines.append(line_in(player.habit.language, SetReady(ready=True)))
            self._answer(player, lines)
        if by_clock:
            self._say(f"{name}: {players[-1].name} is not ready; the clock runs to the deadline")
            # If this player has nothing to decide, the phase may close before we look.
            self._wait(lambda: self._orders_are_in(name) or not self._is_open(name), f"the orders of {name}")
            if self._is_open(name):
                self.ahead += self._seconds_left() + 60
                set_ahead(self.offset, self.ahead)
        self._wait(lambda: not self._is_open(name), f"{name} to close")
        game = self._game()
        assert game is not None
        if dict(game.position.units) != scripted.after:
            raise DemoFailedError(f"after {name} the units stand elsewhere than the script says")
        leader = max(_powers(self.script), key=lambda power: len(game.position.centers_of(power)))
        self._say(f"{name} played; {leader.title()} owns {len(game.position.centers_of(leader))} centers")

    def _orders_are_in(self, name: str) -> bool:
        game = self._game()
        scripted = self.script.phases[name].orders
        return game is not None and all(
            len(game.seat(power).filed.orders) >= len(orders) for power, orders in scripted.items()
        )

    def _answer(self, player: Correspondent, lines: list[str]) -> None:
        report = player.report
        assert report is not None
        content = write(player.habit, _name(player), str(report["Reply-To"]), lines, report)
        player.send(player.address, str(report["Reply-To"]), content)

    def _write(self, person: Correspondent, lines: list[str], recipient: str) -> None:
        person.send(person.address, recipient, write(person.habit, _name(person), recipient, lines, None))

    def _confirm(self, people: list[Correspondent], what: str, done: Callable[[], bool]) -> None:
        """Answer the judge's request to confirm, once for each person; wait until `done`."""
        waiting = list(people)

        def confirm_who_was_asked() -> bool:
            for person in list(waiting):
                for mail in self.office.unseen(person.address, person.seen):
                    if "+confirm." in str(mail["Reply-To"]):
                        brief = replace(person.habit, fill=HABITS[0].fill)
                        yes = _YES[brief.language]
                        content = write(brief, _name(person), str(mail["Reply-To"]), [yes], mail)
                        person.send(person.address, str(mail["Reply-To"]), content)
                        waiting.remove(person)
            return not waiting and done()

        self._wait(confirm_who_was_asked, what)

    def _new_report(self, person: Correspondent, phase: str | None) -> bool:
        """Whether the report that opens a phase has arrived.

        If `phase` is None, it is the report that ends the game.
        """
        for mail in self.office.unseen(person.address, person.seen):
            if mail["Auto-Submitted"] == "auto-generated" and mail["List-Id"] and mail.is_multipart():
                attached = [part.get_filename() for part in mail.walk() if part.get_filename()]
                if attached:
                    person.report = mail
        return person.report is not None and _opens(person.report) == phase

    # Reading the judge's database

    def _game(self) -> Game | None:
        assert self.store is not None
        with self.store.work() as work:
            return work.games.get(GAME)

    def _is_open(self, phase: str) -> bool:
        game = self._game()
        return game is not None and game.state is GameState.ACTIVE and str(game.position.phase) == phase

    def _is_up(self) -> bool:
        return is_listening(self.listener_port)

    def _wait(self, done: Callable[[], bool], what: str) -> None:
        until = time.monotonic() + _LONGEST_WAIT_SECONDS
        while not done():
            if time.monotonic() > until:
                raise DemoFailedError(f"waited in vain for {what}")
            time.sleep(0.05)

    def show_end(self) -> None:
        """Print the final table."""
        game = self._game()
        assert game is not None
        for seat in game.seats:
            units, centers = game.position.units_of(seat.power), game.position.centers_of(seat.power)
            wins = "  wins" if seat.power == game.winner else ""
            self._say(f"  {seat.power.title():8} {len(centers):2} centers {len(units):2} units{wins}")

    def _say(self, text: str) -> None:
        print(text, flush=True)


def _name(person: Correspondent) -> str:
    return f"{person.name.title()} <{person.address}>"


def _opens(report: Message) -> str | None:
    """Return the phase a report opens; None if it ends the game."""
    for part in report.walk():
        if part.get_content_type() == "application/json":
            payload = part.get_payload(decode=True)
            opened: str | None = json.loads(payload if isinstance(payload, bytes) else b"{}")["next"]
            return opened
    raise DemoFailedError("a report came without its part for machines")


def play_demo(keep: Path | None = None, script: Path | None = None) -> int:
    """Play the game; return 0 if it followed the script, else 1.

    Raises InstallationError without pymap.
    """
    if find_spec("pymap") is None:
        raise InstallationError(
            "the demonstration needs an IMAP server: pip install 'diplomacy-mail-judge[demo]' brings it"
        )
    folder = keep or Path(tempfile.mkdtemp(prefix="judge-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    demonstration = Demonstration(folder, read_script(script or SHIPPED))
    try:
        with demonstration:
            demonstration.play()
            demonstration.show_end()
    except DemoFailedError as error:
        print(f"The demonstration failed: {error}. The judge's log: {folder / 'judge.log'}", file=sys.stderr)
        return 1
    print(f"The seven mailboxes lie in {folder / 'mailboxes'}; {time.monotonic() - began:.0f} seconds.")
    return 0
