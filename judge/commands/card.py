"""What holds of a command whatever is done with it: one row beside each class, read aloud."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class GameState(StrEnum):
    """Where a game is in its life."""

    FORMING = "forming"
    ACTIVE = "active"
    PAUSED = "paused"
    """R-UPD-6 更新停止中: nothing closes; orders are taken."""
    FINISHED = "finished"


class Permitted(StrEnum):
    """What somebody must be in the game."""

    ANYBODY = "anybody"
    MEMBER = "member"
    """Player, applicant, observer or master."""
    PLAYER = "player"
    SPEAKER = "speaker"
    """A player, or a master, who answers players one by one."""
    MASTER = "master"
    """The master, or one he promoted."""
    REFEREE = "referee"
    """A master who does not play: he may see what is secret."""
    OWNER = "owner"
    """The master himself."""


class Reason(StrEnum):
    """Whether what is asked goes on record with a reason."""

    NONE = "none"
    WELCOME = "welcome"
    """On the log all the same: what a master does every day where he updates by hand, or what ends something."""
    ONCE_RUNNING = "once-running"
    """Needed from the start of the game on."""
    NEEDED = "needed"


class Part(StrEnum):
    """What a receipt shows beside the answer itself."""

    PLAYERS = "players"
    LOG = "log"
    HISTORY = "history"
    CENTERS = "centers"
    OWN_ORDERS = "own-orders"
    VOTES = "votes"
    BOARD = "board"
    REPLAY = "replay"
    DIARY = "diary"
    SEASON = "season"


ALWAYS = (GameState.FORMING, GameState.ACTIVE, GameState.PAUSED, GameState.FINISHED)
FORMING = (GameState.FORMING,)
ACTIVE = (GameState.ACTIVE,)
PAUSED = (GameState.PAUSED,)
FINISHED = (GameState.FINISHED,)
RUNNING = (GameState.ACTIVE, GameState.PAUSED)
OPEN = (GameState.FORMING, GameState.ACTIVE, GameState.PAUSED)
STARTED = (GameState.ACTIVE, GameState.PAUSED, GameState.FINISHED)


@dataclass(frozen=True, slots=True)
class Card:
    """Who may use a command and when, and how it gets on with what else stands in its mail."""

    who: Permitted = Permitted.ANYBODY
    states: tuple[GameState, ...] = ALWAYS
    needs_proof: bool = True
    """It acts for its sender, or shows what only he may see."""
    is_question: bool = False
    """It changes nothing: whoever is registered is answered at his address, whoever wrote in his name."""
    is_final: bool = False
    """It cannot be undone, and is done only when it was confirmed."""
    is_final_at_first: bool = False
    """It may end a game, and is confirmed the first time that its sender asks it of that game."""
    binds: bool = False
    """It may bind its sender at once: then he reads first what the game is like, and says yes."""
    decides: str = ""
    """Of several such in one mail the last counts; "" where each counts."""
    comes_last: bool = False
    """It may close the phase, and waits until everything else in the mail is done."""
    stands_beside: bool = False
    """It may share a line with an order."""
    steers: bool = False
    """It says what the lines below are about."""
    founds: bool = False
    """It opens another game beside the one it is asked of: for those who may CREATE."""
    reason: Reason = Reason.NONE
    shows: Part | None = None

    @property
    def may_need_a_yes(self) -> bool:
        """Whether it may be left for later when its mail is worked, until its sender was asked."""
        return self.is_final or self.is_final_at_first or self.binds
