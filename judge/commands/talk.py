"""Talk: words for somebody, and what is done with notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from judge.commands.card import OPEN, RUNNING, STARTED, Card, Part, Permitted, Reason
from judge.commands.masters import Override
from judge.rules.position import Power

__all__ = [
    "Announce",
    "Broadcast",
    "Mute",
    "Note",
    "Object",
    "OfPress",
    "Press",
    "PressToMaster",
    "ShareNotes",
    "ShutPress",
    "Signed",
    "Talk",
]


@dataclass(frozen=True, slots=True)
class Talk:
    """Words for somebody; they stand behind a colon, or below up to END."""

    text: str = field(kw_only=True, default="")
    ran_on: bool = field(kw_only=True, default=False)
    """Nothing said where the text ends, so it reaches to the end of the mail."""
    about: str = field(kw_only=True, default="")
    """What it is about: `Subject: …` in its first line."""
    is_picture: bool = field(kw_only=True, default=False)
    """It needs no words: pictures stand for them."""


@dataclass(frozen=True, slots=True)
class Signed(Talk):
    """Words that may go out without the name of who wrote them, or under another's."""

    is_anonymous: bool = field(kw_only=True, default=False)
    as_power: Power | None = field(kw_only=True, default=None)
    """Who is to have written them, who has not."""


@dataclass(frozen=True, slots=True)
class Press(Signed):
    """PRESS TO France, Germany … END PRESS; PRESS TO ALL BUT France, ANONYMOUS PRESS TO, PRESS TO France AS Italy."""

    card = Card(Permitted.SPEAKER, STARTED)

    to: tuple[Power, ...] = ()
    """Nobody: those who talk in the press that the mail answers."""
    but: tuple[Power, ...] = ()
    """It is for all the others but these."""


@dataclass(frozen=True, slots=True)
class Broadcast(Signed):
    """BROADCAST … END: to everybody, observers too (公式発言)."""

    card = Card(Permitted.PLAYER, STARTED)


@dataclass(frozen=True, slots=True)
class PressToMaster(Talk):
    """PRESS TO MASTER … END PRESS (管理人)."""

    card = Card(Permitted.MEMBER)


@dataclass(frozen=True, slots=True)
class Note(Talk):
    """NOTE … END NOTE: a line in the sender's own diary; a master keeps one, too."""

    card = Card(Permitted.SPEAKER, OPEN, shows=Part.DIARY)


@dataclass(frozen=True, slots=True)
class ShareNotes:
    """SHARE NOTES: the diary is published when the game is over; KEEP NOTES takes it back."""

    card = Card(Permitted.PLAYER, RUNNING, decides="notes")

    share: bool


@dataclass(frozen=True, slots=True)
class Object:
    """OBJECTION reason (異議): the master is asked to look at the last results again."""

    card = Card(Permitted.PLAYER, STARTED)

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Mute:
    """MUTE France: its words reach the sender no more; UNMUTE France takes it back."""

    card = Card(Permitted.PLAYER, STARTED)

    power: Power | None = None
    """None: words without a name, whoever wrote them."""
    mutes: bool = True


@dataclass(frozen=True, slots=True)
class ShutPress(Override):
    """CLOSE PRESS: players write nothing to each other until the phase closes; OPEN PRESS takes it back."""

    card = Card(Permitted.MASTER, RUNNING, decides="press", reason=Reason.WELCOME)

    shut: bool = True


@dataclass(frozen=True, slots=True)
class Announce(Talk):
    """ANNOUNCE … END: from the master to everybody."""

    card = Card(Permitted.MASTER)


OfAGame: TypeAlias = Press | Broadcast | PressToMaster | Note | ShareNotes | Object | Mute | ShutPress | Announce
OfPress: TypeAlias = Press | Broadcast | PressToMaster | Announce
"""Words that others get."""
