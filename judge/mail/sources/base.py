"""The interface of all sources."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol, TypeAlias

from judge.errors import StoringError, failed_resource, in_a_line
from judge.mail.letters import RawMail


class Keep(Protocol):
    """Store mails in order and commit; if it raises, none was stored.

    The source then keeps them all.
    """

    def __call__(self, *mails: RawMail) -> None:
        """Store the mails."""


Now: TypeAlias = Callable[[], datetime]


def store(keep: Keep, *mails: RawMail) -> None:
    """Store mails; raises StoringError, which is no fault of the mailbox."""
    try:
        keep(*mails)
    except Exception as error:
        said = failed_resource(error) or in_a_line(error)
        raise StoringError(f"mail cannot be stored: {said}") from error


def event_of(error: BaseException) -> str:
    """Return the event of the log for an error of a mailbox."""
    what = "mail cannot be stored" if isinstance(error, StoringError) else "source cannot be read"
    return f"{what}, trying again"


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
        """Return what is wrong with the source now, shortly; "" if it works."""

    def check(self) -> str:
        """Return a description of the source; raises if it cannot be read."""
