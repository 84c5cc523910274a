"""Votes and proposals."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from judge.commands.as_written import AsWritten
from judge.commands.card import RUNNING, Card, Part, Permitted, Reason
from judge.commands.masters import Override
from judge.rules.position import Power
from judge.rules.values import value

__all__ = ["CastVote", "Concede", "Elect", "Proposable", "Propose", "ShowVotes", "VoteDraw"]


@value
class VoteDraw:
    """DRAW, ARMISTICE: vote for a draw; NO DRAW takes it back.

    DRAW France, England votes for a draw among these only.
    """

    card = Card(Permitted.PLAYER, RUNNING, is_final_at_first=True, decides="draw", stands_beside=True)

    agrees: bool
    among: tuple[Power, ...] = ()
    """The powers that share it; empty for all survivors."""


@value
class Concede:
    """CONCEDE TO France: vote for the victory of that power; NO CONCEDE takes it back."""

    card = Card(Permitted.PLAYER, RUNNING, is_final=True, decides="concession")

    to: Power | None = None


@value
class Elect:
    """ELECT France: vote for its player as the new master; NO ELECTION takes it back."""

    card = Card(Permitted.PLAYER, RUNNING, decides="master")

    to: Power | None = None


class Proposable(StrEnum):
    """What players can propose and vote on."""

    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    END = "end"
    """End the game without a result."""
    REPLACE = "replace"
    """Replace the missing player of a power."""


@value
class Propose(Override):
    """PROPOSE PAUSE, RESUME, EXTEND 2 days, END, REPLACE Italy: propose a vote.

    All players vote on it.
    """

    card = Card(Permitted.PLAYER, RUNNING, reason=Reason.WELCOME)

    what: Proposable
    length: AsWritten[timedelta] | None = None
    power: Power | None = None


@value
class CastVote:
    """VOTE YES 3, VOTE NO 3: vote on a proposal.

    The number may be left out if one proposal is open.
    """

    card = Card(Permitted.PLAYER, RUNNING)

    yes: bool
    number: int = 0


@value
class ShowVotes:
    """VOTES [ardennes]: show the votes."""

    card = Card(Permitted.MEMBER, RUNNING, is_question=True, shows=Part.VOTES)

    game: str | None = None


OfAGame: TypeAlias = VoteDraw | Concede | Elect | Propose | CastVote | ShowVotes
