"""A request that may not be meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.commands.card import Card

if TYPE_CHECKING:
    from judge.commands import Command

__all__ = ["Perhaps"]


@dataclass(frozen=True, slots=True)
class Perhaps:
    """What the words of a person seem to ask for: it is done once he says so."""

    card = Card(is_final=True)

    command: Command
