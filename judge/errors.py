"""Our own exceptions: a bug, a broken installation, or a resource that failed. Never a player's mistake.

    JudgeError
    ├── InstallationError      a file we ship, or the database, is missing or broken
    │   ├── UnmigratedError    the database is not there, or not at the newest schema
    │   └── ResourceError      it is not there now, and may come back: a full disk, a busy port, a locked database
    ├── ConfigError            the settings are wrong; carries every fault at once
    ├── NotationError          strict notation that cannot be read (database, JSON Lines, tests)
    ├── PositionError          a position no game can reach: two units in a province, a fleet in Paris
    ├── ConflictError          somebody else saved the game since we loaded it; try again
    ├── SourceError            a mailbox cannot be read right now
    │   └── OccupiedError      another program listens there; carries where, and how it greets
    └── DeliveryError          a mail could not be handed over; says whom the server has something against

Mistakes of players are values (`judge.language.faults`, `judge.games.events`).
"""

from __future__ import annotations

import errno
from enum import StrEnum
from reprlib import Repr

_LONGEST_QUOTATION = 60
_BRIEF = Repr()
_BRIEF.maxlevel = 3
_BRIEF.maxstring = _LONGEST_QUOTATION


def quoted(value: object) -> str:
    """The word an error is about, cut short if it is no word.

    >>> quoted("A PARIS"), quoted([1, [2, [3, [4]]]]), len(quoted("x" * 1_000_000))
    ("'A PARIS'", '[1, [2, [...]]]', 61)
    """
    text = repr(value[:_LONGEST_QUOTATION]) if isinstance(value, str) else _BRIEF.repr(value)
    whole = len(text) <= _LONGEST_QUOTATION
    return text if whole else f"{text[:_LONGEST_QUOTATION]}…"


class JudgeError(Exception):
    """The root of the family."""


class InstallationError(JudgeError):
    """A file the judge ships is missing or broken."""


class UnmigratedError(InstallationError):
    """The database is not there, or not at the newest schema."""


class ResourceError(InstallationError):
    """Something we need cannot be had now; it may pass by itself."""


_OF_RESOURCES = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EIO,
    errno.EROFS,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.EAGAIN,
    errno.EADDRINUSE,
    errno.EADDRNOTAVAIL,
    errno.ECONNREFUSED,
    errno.ETIMEDOUT,
)


def may_pass(error: OSError) -> bool:
    """Whether what the system says may be otherwise without anybody changing the settings."""
    return error.errno in _OF_RESOURCES


def of_system(said: str, error: OSError) -> InstallationError:
    """The same as one of ours: that of a resource, or that of an installation."""
    return ResourceError(said) if may_pass(error) else InstallationError(said)


class ConfigError(JudgeError):
    """The settings are wrong."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        """Keep `faults`, one sentence each."""
        super().__init__("; ".join(faults))
        self.faults = faults


class NotationError(JudgeError):
    """Strict notation that cannot be read."""


class PositionError(JudgeError):
    """A position that no game can reach."""


class ConflictError(JudgeError):
    """The game was saved by somebody else since it was loaded."""


class SourceError(JudgeError):
    """A mailbox cannot be read right now."""


class OccupiedError(SourceError):
    """Another program listens where we would."""

    def __init__(self, place: str, greeting: str) -> None:
        """Keep where that is, and how it greets; "" if it says nothing."""
        super().__init__(f"another program listens at {place}: {greeting or 'it greets nobody'}")
        self.place = place
        self.greeting = greeting


class Against(StrEnum):
    """Whom a server that does not take a mail has something against."""

    NOBODY = "nobody"
    """It may take the mail later."""
    US = "us"
    """It takes no mail from here; the operator can mend that."""
    RECIPIENT = "recipient"
    """Nobody is there: for good."""
    LETTER = "letter"
    """It does not take this one: for good."""

    @property
    def is_final(self) -> bool:
        """Whether trying again is of no use."""
        return self in (Against.RECIPIENT, Against.LETTER)


class DeliveryError(JudgeError):
    """A mail could not be handed over."""

    def __init__(
        self, reason: str, against: Against = Against.NOBODY, *, is_silence: bool = False, is_away: bool = False
    ) -> None:
        """Keep whom the receiving side has something against.

        Whether it said nothing at all (`is_silence`), or did not even let us in (`is_away`).
        """
        super().__init__(reason)
        self.against = against
        self.is_silence = is_silence
        self.is_away = is_away
