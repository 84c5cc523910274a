"""Votes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from judge.commands.as_written import AsWritten
from judge.commands.card import RUNNING, Card, Part, Permitted, Reason
from judge.commands.masters import Override
from judge.rules.position import Power

__all__ = ["CastVote", "Concede", "Elect", "Proposable", "Propose", "ShowVotes", "VoteDraw"]


@dataclass(frozen=True, slots=True)
class VoteDraw:
    """DRAW, ARMISTICE; DRAW France, England for a draw of these alone; NO DRAW takes it back."""

    card = Card(Permitted.PLAYER, RUNNING, is_final_at_first=True, decides="draw", stands_beside=True)

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


class Proposable(StrEnum):
    """What players can decide by vote."""

    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    END = "end"
    """Without a result."""
    REPLACE = "replace"
    """The player of a power who is missing."""


@dataclass(frozen=True, slots=True)
class Propose(Override):
    """PROPOSE PAUSE, RESUME, EXTEND 2 days, END, REPLACE Italy: all vote on it."""

    card = Card(Permitted.PLAYER, RUNNING, reason=Reason.WELCOME)

    what: Proposable
    length: AsWritten[timedelta] | None = None
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class CastVote:
    """VOTE YES 3, VOTE NO 3; without a number where one proposal is open."""

    card = Card(Permitted.PLAYER, RUNNING)

    yes: bool
    number: int = 0


@dataclass(frozen=True, slots=True)
class ShowVotes:
    """VOTES [ardennes]."""

    card = Card(Permitted.MEMBER, RUNNING, is_question=True, shows=Part.VOTES)

    game: str | None = None


OfAGame: TypeAlias = VoteDraw | Concede | Elect | Propose | CastVote | ShowVotes
