"""Commands that may not be meant."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from judge.commands.card import STARTED, Card, Permitted
from judge.rules.values import value

if TYPE_CHECKING:
    from judge.commands import Command, OfPress

__all__ = ["Perhaps", "PressOrOrders", "Reading"]


@value
class Perhaps:
    """A command that the sender's words seem to mean, carried out once confirmed."""

    card = Card(is_final=True)

    command: Command
    left_out: tuple[str, ...] = ()
    """Words of the sender that the command ignores: a name or a time."""


class Reading(StrEnum):
    """The two readings of a letter with lines that may be for the judge."""

    PRESS = "press"
    """The whole letter is press."""
    ORDERS = "orders"
    """Those lines are for the judge."""


@value
class PressOrOrders:
    """Press with lines that may be for the judge; the sender is asked which."""

    card = Card(Permitted.SPEAKER, STARTED, is_final=True)

    letter: OfPress
    """The whole letter as press."""
    words: OfPress | None
    """The press to send if those lines are for the judge; None for no press."""
    commands: tuple[Command, ...]
    """The commands on those lines."""
    lines: tuple[str, ...]
    """Those lines, as written."""
