"""A command of a mail being worked, and rows of the handler table.

The table maps a command class to its handler.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from judge.commands import Command
from judge.games.answers import Answer
from judge.service.talk.agenda import RequestedCommand
from judge.service.talk.handling import MailHandling

C = TypeVar("C", bound=Command)
C_co = TypeVar("C_co", bound=Command, covariant=True)


@dataclass(frozen=True, slots=True)
class MailRequest(Generic[C_co]):
    """One command of a mail; its handler uses the mail's unit of work."""

    handling: MailHandling
    item: RequestedCommand
    """The command with its number and scope."""
    command: C_co


Handler: TypeAlias = Callable[[MailRequest[Any]], Answer]


def on(kind: type[C], handler: Callable[[MailRequest[C]], Answer]) -> tuple[type, Handler]:
    """Return a row of the table: this handler does commands of this class."""
    return kind, handler
