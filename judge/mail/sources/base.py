"""What all sources have in common."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol, TypeAlias

from judge.mail.letters import RawMail


class Keep(Protocol):
    """Stores mails, in their order, and commits; if it raises, none was taken, and all stay where they are."""

    def __call__(self, *mails: RawMail) -> None:
        """Keep them."""


Now: TypeAlias = Callable[[], datetime]


class Source(Protocol):
    """A place mail comes from."""

    name: str

    def start(self) -> None:
        """Begin to listen or to look; returns at once."""

    def stop(self) -> None:
        """Stop, leaving unfinished mail where it is."""

    def drain(self) -> None:
        """Read everything that has arrived by now; raises SourceError if that cannot be done."""

    def complaint(self) -> str:
        """What is wrong with it just now, in a few words; "" if mail comes in."""

    def check(self) -> str:
        """Where it is; raises what keeps us from reading there."""
