"""Our own exceptions: a bug, a broken installation, or a resource that failed.

Mistakes of players are no exceptions but values (`judge.language.faults`, `judge.games.events`).

    JudgeError
    ├── InstallationError      a file we ship, or the database, is missing or broken
    │   ├── UnmigratedError    the database does not exist, or is not at the newest schema
    │   ├── BoardError         a board is missing or broken; its games wait for it
    │   └── ResourceError      unavailable now, may come back: a full disk, a busy port, a locked database
    ├── ConfigError            the settings are wrong; carries every fault at once
    ├── NotationError          strict notation that cannot be read (database, JSON Lines, tests)
    ├── PositionError          a position no game can reach: two units in a province, a fleet in Paris
    ├── ConflictError          another transaction saved the game since we loaded it; retry
    ├── SourceError            a mailbox cannot be read right now
    │   ├── StoringError       it can be read, but its mail cannot be stored
    │   └── OccupiedError      another program listens there; carries the place and its greeting
    ├── TokenError             no access token for a mail server (OAuth2); carries the cause
    └── DeliveryError          a mail could not be handed over; carries what the server objects to
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from enum import StrEnum
from reprlib import Repr

_LONGEST_QUOTATION = 60
_BRIEF = Repr()
_BRIEF.maxlevel = 3
_BRIEF.maxstring = _LONGEST_QUOTATION


def quoted(value: object) -> str:
    """Return the value an error is about, shortened if it is long.

    >>> quoted("A PARIS"), quoted([1, [2, [3, [4]]]]), len(quoted("x" * 1_000_000))
    ("'A PARIS'", '[1, [2, [...]]]', 61)
    """
    text = repr(value[:_LONGEST_QUOTATION]) if isinstance(value, str) else _BRIEF.repr(value)
    whole = len(text) <= _LONGEST_QUOTATION
    return text if whole else f"{text[:_LONGEST_QUOTATION]}…"


class JudgeError(Exception):
    """The base class of all our exceptions."""


class InstallationError(JudgeError):
    """A file the judge ships is missing or broken."""


class UnmigratedError(InstallationError):
    """The database does not exist, or is not at the newest schema."""


class BoardError(InstallationError):
    """The files of a board are missing or broken; work that needs them waits."""

    def __init__(self, board: str, said: str) -> None:
        self.board = board
        super().__init__(f"the board {board!r} cannot be read: {said}")


class ResourceError(InstallationError):
    """A resource is unavailable now, and may come back by itself."""


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
    """Whether a system error may pass without a change of the settings."""
    return error.errno in _OF_RESOURCES


def of_system(said: str, error: OSError) -> InstallationError:
    """Return a system error as ResourceError if it may pass, else as InstallationError."""
    return ResourceError(said) if may_pass(error) else InstallationError(said)


_DISK_IS_FULL = ("database or disk is full", "No space left on device", "Disk quota exceeded")
"""The words of SQLite, PostgreSQL and the system."""
_OF_A_DATABASE = ("sqlite3.OperationalError", "psycopg.OperationalError", "psycopg.InterfaceError")


def failed_resource(error: BaseException) -> str | None:
    """Name the resource an error is about, in a few words, or return None.

    >>> failed_resource(OSError(errno.ENOSPC, "No space left on device", "/var/mail"))
    'the disk is full'
    """
    for one in causes(error):
        is_databases = any(f"{kind.__module__}.{kind.__name__}" in _OF_A_DATABASE for kind in type(one).__mro__)
        if is_databases or (isinstance(one, OSError) and may_pass(one)) or isinstance(one, ResourceError):
            said = in_a_line(one)
            return "the disk is full" if any(words in said for words in _DISK_IS_FULL) else said
    return None


def in_a_line(error: BaseException) -> str:
    """Return the words of an error in one line.

    For an error of SQLAlchemy, they are the words of the database.
    """
    return " ".join(str(getattr(error, "orig", None) or error).split()) or type(error).__name__


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and its causes."""
    one: BaseException | None = error
    while one is not None:
        yield one
        one = one.__cause__


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
    """Another transaction saved the game since it was loaded."""


class SourceError(JudgeError):
    """A mailbox cannot be read right now."""


class StoringError(SourceError):
    """The mailbox can be read, but its mail cannot be stored here."""


class OccupiedError(SourceError):
    """Another program listens at our host and port."""

    def __init__(self, place: str, greeting: str) -> None:
        """Keep the place, and the program's greeting; "" if it has none."""
        super().__init__(f"another program listens at {place}: {greeting or 'it greets nobody'}")
        self.place = place
        self.greeting = greeting


class TokenFault(StrEnum):
    """Why there is no access token."""

    GRANT = "revoked"
    """The grant was revoked, or has expired."""
    NO_GRANT = "no_grant"
    """No grant is stored."""
    NOT_STORED = "not_stored"
    """The grant cannot be written."""
    CLIENT = "client"
    """The provider does not accept the operator's application or its settings."""
    COMMAND = "command"
    """The operator's command failed."""
    REFUSED = "refused"
    """There is a token, but the mail server refuses it."""
    AWAY = "away"
    """The provider gives no proper answer; this may pass."""


_REMEDIES = {
    TokenFault.GRANT: "the grant was revoked or has expired, get a new one by `judge setup --renew`",
    TokenFault.NO_GRANT: "no grant is stored, get one by `judge setup --renew`",
    TokenFault.NOT_STORED: "the grant cannot be stored",
    TokenFault.CLIENT: "the provider refuses our application, check [oauth] in the settings",
    TokenFault.COMMAND: "token_command printed no access token",
    TokenFault.REFUSED: "the server refuses our access token, get a grant for that mailbox by `judge setup --renew`",
    TokenFault.AWAY: "the provider gives no access token now",
}


class TokenError(JudgeError):
    """No access token can be had for a mail server now."""

    def __init__(self, fault: TokenFault, said: str, code: str = "") -> None:
        """Keep the fault, its description, and the provider's error code, if any."""
        super().__init__(f"{_REMEDIES[fault]} ({said})")
        self.fault = fault
        self.said = said
        self.code = code


class Against(StrEnum):
    """What a server objects to when it refuses a mail."""

    NOBODY = "nobody"
    """Nothing: it may accept the mail later."""
    US = "us"
    """The judge: it accepts no mail from here, which the operator can fix."""
    RECIPIENT = "recipient"
    """The recipient does not exist: permanent."""
    LETTER = "letter"
    """This letter: permanent."""

    @property
    def is_final(self) -> bool:
        """Whether retrying is useless."""
        return self in (Against.RECIPIENT, Against.LETTER)


class DeliveryError(JudgeError):
    """A mail could not be handed over."""

    def __init__(
        self, reason: str, against: Against = Against.NOBODY, *, is_silence: bool = False, is_away: bool = False
    ) -> None:
        """Keep what the server objects to.

        `is_silence`: the server did not answer at all. `is_away`: not even a connection or login was possible.
        """
        super().__init__(reason)
        self.against = against
        self.is_silence = is_silence
        self.is_away = is_away
