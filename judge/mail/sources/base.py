"""The interface of all sources."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol, TypeAlias

from judge.mail.letters import RawMail


class Keep(Protocol):
    """Stores mails in order and commits; if it raises, none was stored, and the source keeps them all."""

    def __call__(self, *mails: RawMail) -> None:
        """Store the mails."""


Now: TypeAlias = Callable[[], datetime]


class Source(Protocol):
    """A source of mail."""

    name: str

    def start(self) -> None:
        """Begin to listen or to poll; returns at once."""

    def stop(self) -> None:
        """Stop, leaving unfinished mail where it is."""

    def drain(self) -> None:
        """Read everything that has arrived by now; raises SourceError if that fails."""

    def complaint(self) -> str:
        """Return what is wrong with the source now, in a few words; "" if it works."""

    def check(self) -> str:
        """Return a description of the source; raises if it cannot be read."""
