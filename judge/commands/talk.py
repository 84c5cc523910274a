"""Press, announcements and notes."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from judge.commands.card import FINISHED, OPEN, RUNNING, STARTED, Card, Part, Permitted, Reason
from judge.commands.masters import Override
from judge.rules.position import Phase, Power
from judge.rules.values import value

__all__ = [
    "Announce",
    "Block",
    "Broadcast",
    "Coach",
    "HouseRules",
    "Mute",
    "Note",
    "Object",
    "OfPress",
    "Press",
    "PressToCoach",
    "PressToMaster",
    "Report",
    "ShareNotes",
    "SharePress",
    "ShowAddresses",
    "ShutPress",
    "Signed",
    "Statement",
    "Talk",
]


@value
class Talk:
    """A command with a text, after a colon or on the lines below.

    The text ends at END.
    """

    text: str = field(kw_only=True, default="")
    ran_on: bool = field(kw_only=True, default=False)
    """No end was marked, so the text reaches to the end of the mail."""
    about: str = field(kw_only=True, default="")
    """The topic: `Subject: …` in its first line."""
    is_picture: bool = field(kw_only=True, default=False)
    """The text may be empty because pictures stand in for it."""


@value
class Signed(Talk):
    """Press that may be sent anonymously, or under the name of another power."""

    is_anonymous: bool = field(kw_only=True, default=False)
    as_power: Power | None = field(kw_only=True, default=None)
    """The power shown as the sender instead of the real one."""


@value
class Press(Signed):
    """PRESS TO France, Germany … END PRESS: send press to these powers.

    Also PRESS TO ALL BUT France, ANONYMOUS PRESS TO, PRESS TO France AS Italy.
    """

    card = Card(Permitted.SPEAKER, STARTED)

    to: tuple[Power, ...] = ()
    """Empty for everyone in the conversation that the mail replies to."""
    but: tuple[Power, ...] = ()
    """Powers to leave out when it goes to all others."""


@value
class Broadcast(Signed):
    """BROADCAST … END: press to everyone in the game, including observers (公式発言)."""

    card = Card(Permitted.PLAYER, STARTED)


@value
class PressToMaster(Talk):
    """PRESS TO MASTER … END PRESS (管理人)."""

    card = Card(Permitted.MEMBER)


@value
class PressToCoach(Talk):
    """PRESS TO COACH … END PRESS (コーチへ): words of a player to their coach.

    A coach who writes it, or replies to such words, writes to the player.
    """

    card = Card(Permitted.MEMBER, RUNNING, is_for_players_only=True)


@value
class Coach:
    """COACH carol@example.org [WITH PRESS] (コーチ): let a person read along and write to the sender.

    COACH none ends it.
    """

    card = Card(Permitted.PLAYER, RUNNING, decides="coach", is_for_players_only=True)

    address: str = ""
    reads_press: bool = False
    ends: bool = False


@value
class Note(Talk):
    """NOTE … END NOTE: an entry in the sender's diary; masters have one, too."""

    card = Card(Permitted.SPEAKER, OPEN, shows=Part.DIARY, is_for_players_only=True)


@value
class ShareNotes:
    """SHARE NOTES: publish the diary when the game ends; KEEP NOTES takes it back."""

    card = Card(Permitted.PLAYER, RUNNING, decides="notes", is_for_players_only=True)

    share: bool


@value
class SharePress:
    """KEEP PRESS: do not publish the press of a finished game; SHARE PRESS: publish it."""

    card = Card(states=FINISHED)

    share: bool


@value
class Statement(Talk):
    """STATEMENT … END STATEMENT: a closing statement, published with the finished game.

    STATEMENT: none removes it.
    """

    card = Card(Permitted.PLAYER, FINISHED, decides="statement")


@value
class Object:
    """OBJECTION reason (異議): ask the master to review the last results."""

    card = Card(Permitted.PLAYER, STARTED)

    reason: str = ""
    number: int = 0
    """The number it got; players do not write it."""
    phase: Phase | None = None
    """The closed phase whose results it is about, once that is known."""


@value
class Mute:
    """MUTE France: stop receiving press of that power; UNMUTE France takes it back."""

    card = Card(Permitted.PLAYER, STARTED, is_for_players_only=True)

    power: Power | None = None
    """None: anonymous press, regardless of the sender."""
    mutes: bool = True


@value
class Block:
    """BLOCK France: stop receiving press of its player, in every game.

    UNBLOCK France takes it back, UNBLOCK takes all blocks back. In an anonymous game BLOCK is MUTE, which applies to
    that game only: silence elsewhere would reveal who plays that power.
    """

    card = Card(Permitted.PLAYER, STARTED, is_for_players_only=True)

    power: Power | None = None
    """None: everyone who is blocked."""
    blocks: bool = True


@value
class Report:
    """REPORT in a reply to press (通報): show that letter to a neutral reader.

    The reader is a master without a seat, else the operator.
    """

    card = Card()

    reason: str = ""
    """The words below it."""


@value
class ShowAddresses:
    """ADDRESSES [ardennes]: send the player's private addresses for press.

    There is one address for each other power, and one for all.
    """

    card = Card(Permitted.PLAYER, STARTED, is_question=True)

    game: str | None = None


@value
class ShutPress(Override):
    """CLOSE PRESS: allow no press between players until the phase closes.

    OPEN PRESS takes it back.
    """

    card = Card(Permitted.MASTER, RUNNING, decides="press", reason=Reason.WELCOME)

    shut: bool = True


@value
class Announce(Talk):
    """ANNOUNCE … END: a message from the master to everyone in the game."""

    card = Card(Permitted.MASTER)


@value
class HouseRules(Talk):
    """HOUSE RULES: … END RULES: what the master asks of the players.

    HOUSE RULES: none removes them.
    """

    card = Card(Permitted.MASTER, OPEN, decides="house rules")


General: TypeAlias = Report
OfAGame: TypeAlias = (
    Press
    | Broadcast
    | PressToMaster
    | PressToCoach
    | Coach
    | Note
    | ShareNotes
    | SharePress
    | Statement
    | Object
    | Mute
    | Block
    | ShowAddresses
    | ShutPress
    | Announce
    | HouseRules
)
OfPress: TypeAlias = Press | Broadcast | PressToMaster | PressToCoach | Announce
"""Commands whose text is delivered to other people."""
