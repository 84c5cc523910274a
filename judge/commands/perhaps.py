"""Requests that may not be meant."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from judge.commands.card import STARTED, Card, Permitted

if TYPE_CHECKING:
    from judge.commands import Command, OfPress

__all__ = ["Perhaps", "PressOrOrders", "Reading"]


@dataclass(frozen=True, slots=True)
class Perhaps:
    """What the words of a person seem to ask for: it is done once he says so."""

    card = Card(is_final=True)

    command: Command


class Reading(StrEnum):
    """What a letter with lines that may be for the judge is meant as."""

    PRESS = "press"
    """The whole letter is for its readers."""
    ORDERS = "orders"
    """These lines are for the judge."""


@dataclass(frozen=True, slots=True)
class PressOrOrders:
    """A letter to others, some lines of which may be for the judge: its sender is asked which."""

    card = Card(Permitted.SPEAKER, STARTED, is_final=True)

    letter: OfPress
    """The whole of it as press."""
    words: OfPress | None
    """What is sent if those lines are for the judge; None: nothing is."""
    commands: tuple[Command, ...]
    """What those lines say to the judge."""
    lines: tuple[str, ...]
    """Those lines, as written."""
