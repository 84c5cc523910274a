"""Commands of masters, who run games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias, assert_never

from judge.calendar import Moment
from judge.commands.as_written import AsWritten, SettingValue
from judge.commands.card import ACTIVE, FORMING, OPEN, PAUSED, RUNNING, STARTED, Card, Permitted, Reason
from judge.rules.position import Phase, Power, Province, Unit
from judge.rules.values import value

__all__ = [
    "Allow",
    "ChangeSetting",
    "CheckSettings",
    "ClearVotes",
    "Correction",
    "DecideObjection",
    "Deny",
    "Eject",
    "EndGame",
    "Everywhere",
    "Export",
    "Extend",
    "HandOver",
    "InAllGames",
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


@value
class Override:
    """A command of a master that goes on record with its reason."""

    reason: str = field(default="", kw_only=True)


@value
class ChangeSetting(Override):
    """SET deadline 2 days."""

    card = Card(Permitted.MASTER, OPEN, decides="setting", reason=Reason.ONCE_RUNNING)

    setting: str
    """The name of the setting in `judge.settings`."""
    value: SettingValue
    game: str | None = None


@value
class CheckSettings:
    """CHECK SETTINGS: show what they mean; settings lines that follow are tried but not kept."""

    card = Card(Permitted.MASTER, OPEN, is_question=True)

    settings: Mapping[str, SettingValue] = field(default_factory=dict)


@value
class Invite:
    """INVITE alice@example.org [AS France]."""

    card = Card(Permitted.MASTER, FORMING)

    address: str
    power: Power | None = None


@value
class Allow:
    """ALLOW [alice@example.org]: give a seat to a person who asked for one."""

    card = Card(Permitted.MASTER, OPEN)

    address: str = ""
    """"" for the only open request."""


@value
class Deny:
    """DENY [alice@example.org]: refuse a seat to a person who asked for one."""

    card = Card(Permitted.MASTER, OPEN)

    address: str = ""


@value
class Start:
    """START: start now; powers without a player become dummies."""

    card = Card(Permitted.MASTER, FORMING)


@value
class Unstart(Override):
    """UNSTART: back to before the first phase; the players stay."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)


@value
class Pause(Override):
    """PAUSE: stop the clock (更新停止)."""

    card = Card(Permitted.MASTER, ACTIVE, decides="clock", reason=Reason.NEEDED)


@value
class Resume(Override):
    """RESUME: resume the clock with the time that was left."""

    card = Card(Permitted.MASTER, PAUSED, decides="clock", reason=Reason.WELCOME)


@value
class ClearVotes(Override):
    """CLEAR VOTES: cancel all proposals, and votes to end the game or choose a master."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)


@value
class SetDeadline(Override):
    """DEADLINE Fri 21:00."""

    card = Card(Permitted.MASTER, ACTIVE, decides="deadline", reason=Reason.NEEDED)

    moment: AsWritten[Moment]


@value
class Extend(Override):
    """EXTEND 2 days."""

    card = Card(Permitted.MASTER, ACTIVE, reason=Reason.NEEDED)

    length: AsWritten[timedelta]


class Everywhere(StrEnum):
    """What a master can do in all their running games at once."""

    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"


@value
class InAllGames(Override):
    """PAUSE ALL, RESUME ALL, EXTEND ALL 2 days: the same in all games.

    It is done in every running game that the sender is a master of.
    """

    card = Card(reason=Reason.WELCOME)

    what: Everywhere
    length: AsWritten[timedelta] | None = None

    @property
    def in_one(self) -> Pause | Resume | Extend:
        """The command that does it in one game."""
        match self.what:
            case Everywhere.PAUSE:
                return Pause(reason=self.reason)
            case Everywhere.RESUME:
                return Resume(reason=self.reason)
            case Everywhere.EXTEND:
                return Extend(self.length or AsWritten(""), reason=self.reason)
            case _:
                assert_never(self.what)


@value
class Process(Override):
    """PROCESS [S1901M]: close that phase now; asking twice never closes the next one."""

    card = Card(Permitted.MASTER, ACTIVE, comes_last=True, reason=Reason.WELCOME)

    phase: Phase | None = None
    """The phase to close; None for the phase of the letter that the mail answers.

    If the mail answers none, it is the open phase, once the master has confirmed.
    """


@value
class Preview:
    """PREVIEW: show how the phase would be adjudicated with the orders on file."""

    card = Card(Permitted.REFEREE, RUNNING)


@value
class Rollback(Override):
    """ROLLBACK S1902M: reopen that phase."""

    card = Card(Permitted.MASTER, STARTED, reason=Reason.NEEDED)

    phase: Phase


@value
class Redo(Override):
    """REDO: undo the last rollback, as long as no phase has been closed since."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)


@value
class DecideObjection(Override):
    """UPHOLD 1 BECAUSE …, DISMISS 1 BECAUSE …: decide an objection.

    The number may be left out if one objection is open.
    """

    card = Card(Permitted.MASTER, STARTED, reason=Reason.NEEDED)

    upholds: bool
    number: int = 0
    phase: Phase | None = None
    """The closed phase whose results were objected to, once that is known."""


@value
class OrderFor(Override):
    """ORDER FOR France: file the orders that follow for that power.

    Its player gets a copy.
    """

    card = Card(Permitted.REFEREE, RUNNING, steers=True, reason=Reason.NEEDED)

    power: Power


@value
class Correction(Override):
    """A correction of the board.

    The corrections of one mail are made together and may share a reason.
    """


@value
class Put(Correction):
    """PUT F Nth England: place a unit."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)

    unit: Unit
    power: Power


@value
class Take(Correction):
    """TAKE A Par: remove a unit."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)

    unit: Unit


@value
class Own(Correction):
    """OWN Bel Germany: set the owner of a center."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)

    center: Province
    power: Power | None = None
    """None: no owner."""


@value
class Eject(Override):
    """EJECT France: remove its player; before the start EJECT alice@example.org."""

    card = Card(Permitted.MASTER, OPEN, reason=Reason.ONCE_RUNNING)

    power: Power | None = None
    address: str = ""
    """The address of a person without a seat; before the start no one has one."""


@value
class Replace(Override):
    """REPLACE France alice@example.org."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)

    power: Power
    address: str


@value
class MakeDummy(Override):
    """DUMMY France: no one plays it, and the game does not wait for it."""

    card = Card(Permitted.MASTER, RUNNING, reason=Reason.NEEDED)

    power: Power


@value
class Robot(Override):
    """ROBOT France, Italy: give these seats to computer players."""

    card = Card(Permitted.MASTER, OPEN, reason=Reason.WELCOME)

    powers: tuple[Power, ...] = ()
    """Empty for all free powers."""


@value
class Promote:
    """PROMOTE alice@example.org: appoint a co-master."""

    card = Card(Permitted.OWNER, OPEN)

    address: str
    called: str = ""
    """The name of the person, if several share the address."""


@value
class HandOver:
    """HAND OVER alice@example.org: make that person the master; cannot be undone."""

    card = Card(Permitted.OWNER, OPEN, is_final=True)

    address: str
    called: str = ""
    """The name of the person, if several share the address."""


@value
class Export:
    """EXPORT: get the game as a file for another judge."""

    card = Card(Permitted.MASTER)


@value
class EndGame(Override):
    """END ardennes: end the game without a result; cannot be undone."""

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
    | ClearVotes
    | SetDeadline
    | Extend
    | Process
    | Preview
    | Rollback
    | Redo
    | DecideObjection
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

General: TypeAlias = InAllGames
