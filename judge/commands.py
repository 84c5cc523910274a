"""What a person can ask of the judge, as values: the contract between language and games.

A line of a mail becomes orders (`judge.rules.orders`) or one of these. A command that names no
game means the game its mail is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from judge.rules.orders import Order
from judge.rules.position import Phase, Power, Province, Unit


class Language(StrEnum):
    """A tongue the judge reads and writes."""

    ENGLISH = "en"
    JAPANESE = "ja"


class HelpTopic(StrEnum):
    """What HELP can be asked about, beside the single commands."""

    START = "start"
    ORDERS = "orders"
    COMMANDS = "commands"
    SETTINGS = "settings"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Create:
    """CREATE ardennes: open a new game with the sender as its master."""

    game: str
    settings: Mapping[str, str] = field(default_factory=dict)
    """Names and values as written on the settings lines that follow, not yet checked."""


@dataclass(frozen=True, slots=True)
class Join:
    """JOIN ardennes [AS France | PREFER F E *]."""

    game: str
    power: Power | None = None
    wishes: tuple[Power, ...] = ()
    """The powers he would like, the dearest first; the others as they come."""


@dataclass(frozen=True, slots=True)
class Observe:
    """OBSERVE ardennes: receive the public reports."""

    game: str


@dataclass(frozen=True, slots=True)
class TakeOver:
    """TAKE OVER ardennes France: play on for somebody who left."""

    game: str
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """RESIGN [game]: leave; cannot be undone."""

    game: str | None = None


# Who and where: they steer what follows in the mail


@dataclass(frozen=True, slots=True)
class UseGame:
    """GAME ardennes: what follows in this mail is about that game."""

    game: str


@dataclass(frozen=True, slots=True)
class ForPhase:
    """PHASE S1901M: the orders in this mail are meant for that phase."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class ForPower:
    """France: (a heading) the orders that follow are that power's."""

    power: Power


# Orders and readiness


@dataclass(frozen=True, slots=True)
class Misnamed:
    """A unit that was said to be another power's than it is; the order counts all the same (R-ORD-9)."""

    unit: Unit
    named: Power
    owner: Power


@dataclass(frozen=True, slots=True)
class Guessed:
    """A word that was taken for a slip of the pen, and the province it was taken for."""

    word: str
    place: Province


@dataclass(frozen=True, slots=True)
class Give:
    """An order for a unit, or for the power (a build, a waived build)."""

    order: Order
    misnamed: tuple[Misnamed, ...] = ()
    guessed: tuple[Guessed, ...] = ()


@dataclass(frozen=True, slots=True)
class Clear:
    """CLEAR [unit]: take the orders on file back."""

    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """UNDO: put the orders on file back as they were before the sender's last mail."""


@dataclass(frozen=True, slots=True)
class SetReady:
    """READY or NOT READY: the phase may close without me, or may not."""

    ready: bool


@dataclass(frozen=True, slots=True)
class Wait:
    """WAIT: this phase may not close before its deadline, whoever is ready."""


@dataclass(frozen=True, slots=True)
class Absence:
    """ABSENCE from 1 Dec to 10 Dec; NO ABSENCE takes it back."""

    period: str
    """As written, not yet read; "" for none."""


@dataclass(frozen=True, slots=True)
class Decline:
    """DECLINE Por: leave centers to whoever owns them when ownership is settled (R-OWN-3)."""

    provinces: tuple[Province, ...]
    """None: take everything again."""


# Votes


@dataclass(frozen=True, slots=True)
class VoteDraw:
    """DRAW, ARMISTICE; NO DRAW takes it back."""

    agrees: bool


@dataclass(frozen=True, slots=True)
class Concede:
    """CONCEDE TO France: let that power win; NO CONCEDE takes it back."""

    to: Power | None


@dataclass(frozen=True, slots=True)
class Elect:
    """ELECT France: let that player be the master, where the master is gone; NO ELECTION takes it back."""

    to: Power | None


# Talk


@dataclass(frozen=True, slots=True)
class Talk:
    """Words for somebody; they stand behind a colon, or below up to END."""

    text: str = field(kw_only=True, default="")
    ran_on: bool = field(kw_only=True, default=False)
    """Nothing said where the text ends, so it reaches to the end of the mail."""


@dataclass(frozen=True, slots=True)
class Press(Talk):
    """PRESS TO France, Germany … END PRESS."""

    to: tuple[Power, ...]
    """Nobody: whoever wrote the press that the mail answers."""
    is_unsure: bool = field(kw_only=True, default=False)
    """It reads as orders as well."""


@dataclass(frozen=True, slots=True)
class Broadcast(Talk):
    """BROADCAST … END: to everybody, observers too (公式発言)."""


@dataclass(frozen=True, slots=True)
class PressToMaster(Talk):
    """PRESS TO MASTER … END PRESS (管理人)."""


@dataclass(frozen=True, slots=True)
class Note(Talk):
    """NOTE … END NOTE: a line in the sender's own diary."""


@dataclass(frozen=True, slots=True)
class ShareNotes:
    """SHARE NOTES: the diary is published when the game is over; KEEP NOTES takes it back."""

    share: bool


@dataclass(frozen=True, slots=True)
class Object:
    """OBJECTION reason (異議): the master is asked to look at the last results again."""

    reason: str


# Questions


@dataclass(frozen=True, slots=True)
class Status:
    """STATUS [game]: the state of the game, what is on file, what lacks."""

    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowRules:
    """RULES [game]: its settings, in words."""

    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowOrders:
    """ORDERS: all that is on file, for this phase and later ones, as it was written."""


@dataclass(frozen=True, slots=True)
class History:
    """HISTORY [from [to]]: what happened in closed phases."""

    first: Phase | None = None
    last: Phase | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """SUMMARY: centers year by year, and who played what."""


@dataclass(frozen=True, slots=True)
class ShowMap:
    """MAP: the board."""


@dataclass(frozen=True, slots=True)
class Who:
    """WHO: who plays."""


@dataclass(frozen=True, slots=True)
class ShowLog:
    """LOG: what the master did, and why."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """WHATIF … END WHATIF: how the phase would come out, for the asker alone."""

    orders: tuple[tuple[Power | None, Order], ...] = ()
    """None: the asker's orders on file against holds."""


@dataclass(frozen=True, slots=True)
class ListGames:
    """LIST: the games one can join or watch."""


@dataclass(frozen=True, slots=True)
class Help:
    """HELP [topic]."""

    topic: str = HelpTopic.START
    """A HelpTopic, or the name of a command as in `docs/commands.md`."""


# Oneself


@dataclass(frozen=True, slots=True)
class Register:
    """REGISTER [Alice]: make the sender's address known; language and zone may follow a line each."""

    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """SET LANGUAGE ja."""

    language: Language


@dataclass(frozen=True, slots=True)
class SetZone:
    """SET ZONE Asia/Tokyo, an IANA name not yet checked."""

    zone: str


@dataclass(frozen=True, slots=True)
class SetName:
    """SET NAME Alice: how the others see the sender."""

    name: str


@dataclass(frozen=True, slots=True)
class SetReceipts:
    """SET RECEIPTS short|full."""

    full: bool


@dataclass(frozen=True, slots=True)
class SetAddress:
    """SET ADDRESS new@example.org; the new address has to confirm."""

    address: str


@dataclass(frozen=True, slots=True)
class EraseMe:
    """ERASE ME: forget name, address and mails; cannot be undone."""


# Masters


@dataclass(frozen=True, slots=True)
class Override:
    """What a master does over the heads of the players goes on record with its reason."""

    reason: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class ChangeSetting(Override):
    """SET deadline 2 days."""

    setting: str
    """By its name in `judge.settings`."""
    value: str
    """As written."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """CHECK SETTINGS: what they mean; settings lines that follow are tried and not kept."""

    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Invite:
    """INVITE alice@example.org [AS France]."""

    address: str
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """START: begin now; whoever is missing is a power without a player."""


@dataclass(frozen=True, slots=True)
class Unstart(Override):
    """UNSTART: back to the game before its first phase; the players stay."""


@dataclass(frozen=True, slots=True)
class Pause(Override):
    """PAUSE: the clock stands still (更新停止)."""


@dataclass(frozen=True, slots=True)
class Resume(Override):
    """RESUME: it goes on with the time that was left."""


@dataclass(frozen=True, slots=True)
class SetDeadline(Override):
    """DEADLINE Fri 21:00, as written."""

    moment: str


@dataclass(frozen=True, slots=True)
class Extend(Override):
    """EXTEND 2 days, as written."""

    length: str


@dataclass(frozen=True, slots=True)
class Process(Override):
    """PROCESS S1901M: the master closes that phase now; naming it makes asking twice harmless."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class Preview:
    """PREVIEW: how the phase would come out with what is on file."""


@dataclass(frozen=True, slots=True)
class Rollback(Override):
    """ROLLBACK S1902M: open that phase again."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class Redo(Override):
    """REDO: take the last rollback back, while nothing was closed since."""


@dataclass(frozen=True, slots=True)
class OrderFor(Override):
    """ORDER FOR France: the orders that follow are put on file for that power; its player gets a copy."""

    power: Power


@dataclass(frozen=True, slots=True)
class Eject(Override):
    """EJECT France: its player is out."""

    power: Power


@dataclass(frozen=True, slots=True)
class Replace(Override):
    """REPLACE France alice@example.org."""

    power: Power
    address: str


@dataclass(frozen=True, slots=True)
class MakeDummy(Override):
    """DUMMY France: nobody plays it, nobody waits for it."""

    power: Power


@dataclass(frozen=True, slots=True)
class Announce(Talk):
    """ANNOUNCE … END: from the master to everybody."""


@dataclass(frozen=True, slots=True)
class ShowVotes:
    """VOTES."""


@dataclass(frozen=True, slots=True)
class Promote:
    """PROMOTE alice@example.org: a second master."""

    address: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """HAND OVER alice@example.org: the game is hers."""

    address: str


@dataclass(frozen=True, slots=True)
class Export:
    """EXPORT: the game as a file for another judge."""


@dataclass(frozen=True, slots=True)
class Import:
    """IMPORT ardennes: a game from the attached file."""

    game: str


@dataclass(frozen=True, slots=True)
class EndGame(Override):
    """END ardennes: the game is over without a result; cannot be undone."""

    game: str


Command: TypeAlias = (
    Create
    | Join
    | Observe
    | TakeOver
    | Resign
    | UseGame
    | ForPhase
    | ForPower
    | Give
    | Clear
    | Undo
    | SetReady
    | Wait
    | Absence
    | Decline
    | VoteDraw
    | Concede
    | Elect
    | Press
    | Broadcast
    | PressToMaster
    | Note
    | ShareNotes
    | Object
    | Status
    | ShowRules
    | ShowOrders
    | History
    | Summary
    | ShowMap
    | Who
    | ShowLog
    | WhatIf
    | ListGames
    | Help
    | Register
    | SetLanguage
    | SetZone
    | SetName
    | SetReceipts
    | SetAddress
    | EraseMe
    | ChangeSetting
    | CheckSettings
    | Invite
    | Start
    | Unstart
    | Pause
    | Resume
    | SetDeadline
    | Extend
    | Process
    | Preview
    | Rollback
    | Redo
    | OrderFor
    | Eject
    | Replace
    | MakeDummy
    | Announce
    | ShowVotes
    | Promote
    | HandOver
    | Export
    | Import
    | EndGame
)
