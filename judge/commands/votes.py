"""Votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.commands.card import RUNNING, Card, Part, Permitted
from judge.rules.position import Power

__all__ = ["Concede", "Elect", "ShowVotes", "VoteDraw"]


@dataclass(frozen=True, slots=True)
class VoteDraw:
    """DRAW, ARMISTICE; DRAW France, England for a draw of these alone; NO DRAW takes it back."""

    card = Card(Permitted.PLAYER, RUNNING, decides="draw", stands_beside=True)

    agrees: bool
    among: tuple[Power, ...] = ()
    """Who is to share it; nobody named: all who survive."""


@dataclass(frozen=True, slots=True)
class Concede:
    """CONCEDE TO France: let that power win; NO CONCEDE takes it back."""

    card = Card(Permitted.PLAYER, RUNNING, is_final=True, decides="concession")

    to: Power | None = None


@dataclass(frozen=True, slots=True)
class Elect:
    """ELECT France: let that player be the master, where the master is gone; NO ELECTION takes it back."""

    card = Card(Permitted.PLAYER, RUNNING, decides="master")

    to: Power | None = None


@dataclass(frozen=True, slots=True)
class ShowVotes:
    """VOTES."""

    card = Card(Permitted.MEMBER, RUNNING, shows=Part.VOTES)


OfAGame: TypeAlias = VoteDraw | Concede | Elect | ShowVotes
