"""Masters: what somebody does who runs a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias

from judge.calendar import Moment
from judge.commands.as_written import AsWritten, SettingValue
from judge.commands.card import ACTIVE, FORMING, OPEN, PAUSED, RUNNING, STARTED, Card, Permitted, Reason
from judge.rules.position import Phase, Power, Province, Unit

__all__ = [
    "Allow",
    "ChangeSetting",
    "CheckSettings",
    "Correction",
    "Deny",
    "Eject",
    "EndGame",
    "Export",
    "Extend",
    "HandOver",
    "Invite",
    "MakeDummy",
    "OrderFor",
    "Override",
    "Own",
    "Pause",
    "Preview",
    "Process",
    "Promote",
    "Put",
    "Redo",
    "Replace",
    "Resume",
    "Robot",
    "Rollback",
    "SetDeadline",
    "Start",
    "Take",
    "Unstart",
]


@dataclass(frozen=True, slots=True)
class Override:
    """What a master does over the heads of the players goes on record with its reason."""

    reason: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class ChangeSetting(Override):
    """SET deadline 2 days."""

    card = Card(Permitted.MASTER, OPEN, decides="setting", reason=Reason.ONCE_RUNNING)

    setting: str
    """By its name in `judge.settings`."""
    value: SettingValue


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """CHECK SETTINGS: what they mean; settings lines that follow are tried and not kept."""

    card = Card(Permitted.MASTER, OPEN, is_question=True)

    settings: Mapping[str, SettingValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Invite:
    """INVITE alice@example.org [AS France]."""

    card = Card(Permitted.MASTER, FORMING)

    address: str
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class Allow:
    """ALLOW [alice@example.org]: whoever asked for a seat has it."""

    card = Card(Permitted.MASTER, OPEN)

    address: str = ""
    """"" for the only one who waits."""


@dataclass(frozen=True, slots=True)
class Deny:
    """DENY [alice@example.org]: whoever asked for a seat does not get it."""

    card = Card(Permitted.MASTER, OPEN)

    address: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """START: begin now; whoever is missing is a power without a player."""

    card = Card(Permitted.MASTER, FORMING)


@dataclass(frozen=True, slots=True)
class Unstart(Override):
    """UNSTART: back to the game before its first phase; the players stay."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)


@dataclass(frozen=True, slots=True)
class Pause(Override):
    """PAUSE: the clock stands still (更新停止)."""

    card = Card(Permitted.MASTER, ACTIVE, decides="clock", reason=Reason.NEEDED)


@dataclass(frozen=True, slots=True)
class Resume(Override):
    """RESUME: it goes on with the time that was left."""

    card = Card(Permitted.MASTER, PAUSED, decides="clock", reason=Reason.WELCOME)


@dataclass(frozen=True, slots=True)
class SetDeadline(Override):
    """DEADLINE Fri 21:00."""

    card = Card(Permitted.MASTER, ACTIVE, decides="deadline", reason=Reason.NEEDED)

    moment: AsWritten[Moment]


@dataclass(frozen=True, slots=True)
class Extend(Override):
    """EXTEND 2 days."""

    card = Card(Permitted.MASTER, ACTIVE, reason=Reason.NEEDED)

    length: AsWritten[timedelta]


@dataclass(frozen=True, slots=True)
class Process(Override):
    """PROCESS S1901M: the master closes that phase now; naming it makes asking twice harmless."""

    card = Card(Permitted.MASTER, ACTIVE, comes_last=True, reason=Reason.WELCOME)

    phase: Phase


@dataclass(frozen=True, slots=True)
class Preview:
    """PREVIEW: how the phase would come out with what is on file."""

    card = Card(Permitted.REFEREE, RUNNING)


@dataclass(frozen=True, slots=True)
class Rollback(Override):
    """ROLLBACK S1902M: open that phase again."""

    card = Card(Permitted.MASTER, STARTED, reason=Reason.NEEDED)

    phase: Phase


@dataclass(frozen=True, slots=True)
class Redo(Override):
    """REDO: take the last rollback back, while nothing was closed since."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)


@dataclass(frozen=True, slots=True)
class OrderFor(Override):
    """ORDER FOR France: the orders that follow are put on file for that power; its player gets a copy."""

    card = Card(Permitted.REFEREE, RUNNING, steers=True, reason=Reason.NEEDED)

    power: Power


@dataclass(frozen=True, slots=True)
class Correction(Override):
    """Puts one thing right on the board; those of a mail are done together, and one reason may serve them all."""


@dataclass(frozen=True, slots=True)
class Put(Correction):
    """PUT F Nth England: a unit that has to stand there."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)

    unit: Unit
    power: Power


@dataclass(frozen=True, slots=True)
class Take(Correction):
    """TAKE A Par: a unit that must not stand there."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)

    unit: Unit


@dataclass(frozen=True, slots=True)
class Own(Correction):
    """OWN Bel Germany: whose a center is."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)

    center: Province
    power: Power | None = None
    """None: nobody's."""


@dataclass(frozen=True, slots=True)
class Eject(Override):
    """EJECT France: its player is out; before the start EJECT alice@example.org."""

    card = Card(Permitted.MASTER, OPEN, reason=Reason.ONCE_RUNNING)

    power: Power | None = None
    address: str = ""
    """Of somebody who holds no seat yet: before the start nobody does."""


@dataclass(frozen=True, slots=True)
class Replace(Override):
    """REPLACE France alice@example.org."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)

    power: Power
    address: str


@dataclass(frozen=True, slots=True)
class MakeDummy(Override):
    """DUMMY France: nobody plays it, nobody waits for it."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)

    power: Power


@dataclass(frozen=True, slots=True)
class Robot(Override):
    """ROBOT France, Italy: a computer player has these seats from now on."""

    card = Card(Permitted.MASTER, OPEN, reason=Reason.WELCOME)

    powers: tuple[Power, ...] = ()
    """None: all that are free."""


@dataclass(frozen=True, slots=True)
class Promote:
    """PROMOTE alice@example.org: a second master."""

    card = Card(Permitted.OWNER, OPEN)

    address: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """HAND OVER alice@example.org: the game is hers; cannot be undone."""

    card = Card(Permitted.OWNER, OPEN, is_final=True)

    address: str


@dataclass(frozen=True, slots=True)
class Export:
    """EXPORT: the game as a file for another judge."""

    card = Card(Permitted.MASTER)


@dataclass(frozen=True, slots=True)
class EndGame(Override):
    """END ardennes: the game is over without a result; cannot be undone."""

    card = Card(Permitted.OWNER, OPEN, is_final=True, reason=Reason.NEEDED)

    game: str


OfAGame: TypeAlias = (
    ChangeSetting
    | CheckSettings
    | Invite
    | Allow
    | Deny
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
    | Put
    | Take
    | Own
    | Eject
    | Replace
    | MakeDummy
    | Robot
    | Promote
    | HandOver
    | Export
    | EndGame
)
