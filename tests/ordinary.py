"""An ordinary phase: seven players, seven order mails from each, and press.

`python -m tests.ordinary` weighs it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from email.message import Message

from tests.office import NAMES, PASS, TITLES, World, address

ORDERS = {
    "ada": ("A VIE - GAL", "A BUD - SER", "F TRI - ALB"),
    "ben": ("F LON - NTH", "F EDI - NWG", "A LVP - YOR"),
    "cho": ("A PAR - BUR", "A MAR - SPA", "F BRE - MAO"),
    "dan": ("A BER - KIE", "A MUN - RUH", "F KIE - DEN"),
    "eva": ("A ROM - APU", "A VEN H", "F NAP - ION"),
    "fay": ("A MOS - UKR", "A WAR - GAL", "F SEV - BLA\nF STP/SC - BOT"),
    "gus": ("A CON - BUL", "A SMY - CON", "F ANK - BLA"),
}
_BETWEEN = timedelta(seconds=15)


@dataclass(frozen=True)
class Got:
    """How many letters of each kind one player got."""

    receipts: int
    press: int
    others: int

    @classmethod
    def of(cls, letters: list[Message]) -> Got:
        kinds = Counter(_kind(letter) for letter in letters)
        return cls(kinds["receipts"], kinds["press"], kinds["others"])


def _kind(letter: Message) -> str:
    if letter["Auto-Submitted"] == "auto-replied":
        return "receipts"
    return "press" if "Press:" in str(letter["Subject"]) else "others"


def phase(receipts: str = "full", *, draws: bool = False) -> World:
    """Play a phase of three days with a report at its end.

    A player sends most orders early, is reminded of the rest, and then sends six mails from a phone within two minutes.
    The letters that went out meanwhile are in the box of the world.
    """
    world = _begun(receipts, draws=draws)
    for name in NAMES:
        first, second, _ = ORDERS[name]
        _write(world, name, f"{first}\n{second}\n\n{_press(name, 1, 2)}")
        _wait(world, timedelta(minutes=30))
    deadline = world.game().clock.deadline
    assert deadline is not None
    while deadline - world.now > timedelta(hours=13):
        _wait(world, timedelta(hours=1))
    for name in NAMES:
        first, second, last = ORDERS[name]
        unit = " ".join(first.split()[:2])
        for words in (last, f"{unit} H", first, "READY", "NOT READY", f"{second}\n\n{_press(name, 3, 4, 5)}"):
            _write(world, name, words)
            _wait(world, _BETWEEN)
        _wait(world, timedelta(minutes=5))
    world.pass_deadline()
    assert world.phase() == "F1901M"
    return world


def letters_to(world: World, name: str) -> list[Message]:
    """Return the letters that went to a player."""
    return [letter for to, letter in world.box.kept if to == address(name)]


def _begun(receipts: str, *, draws: bool) -> World:
    world = World(draws=draws)
    world.gathers = True
    world.signed("gil", "CREATE ardennes\ndeadline: 3 days")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.signed(name, f"JOIN ardennes AS {power}\nSET ZONE Europe/Paris\nSET RECEIPTS {receipts}")
    _wait(world, timedelta(minutes=5))
    assert world.game().is_running
    world.box.kept.clear()
    return world


def _write(world: World, name: str, words: str) -> None:
    world.mail(name, words, Authentication_Results=PASS)


def _press(name: str, *steps: int) -> str:
    """Return a press letter to the players this many seats further on."""
    seats = (NAMES.index(name) + step for step in steps)
    return f"PRESS TO {' '.join(TITLES[seat % len(TITLES)] for seat in seats)}\nShall we talk?\nEND PRESS"


def _wait(world: World, time: timedelta) -> None:
    world.now += time
    world.settle()


if __name__ == "__main__":
    for receipts in ("full", "short", "none"):
        letters = letters_to(phase(receipts, draws=True), "cho")
        size = sum(len(letter.as_bytes()) for letter in letters)
        print(f"receipts {receipts}: {len(letters)} letters, {size / 1000:.0f} kB, {Got.of(letters)}")  # noqa: T201
