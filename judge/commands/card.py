"""Per-command policy: who may use it, when, whether it is confirmed, and what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class GameState(StrEnum):
    """The stages in the life of a game."""

    FORMING = "forming"
    ACTIVE = "active"
    PAUSED = "paused"
    """R-UPD-6 更新停止中: no phase closes, but orders are accepted."""
    FINISHED = "finished"


class Permitted(StrEnum):
    """The part in the game that a command requires."""

    ANYBODY = "anybody"
    MEMBER = "member"
    """Player, applicant, observer or master."""
    PLAYER = "player"
    SPEAKER = "speaker"
    """A player, or a master, who may write to single players."""
    MASTER = "master"
    """The master or a co-master."""
    REFEREE = "referee"
    """A master who does not play, and so may see secret information."""
    OWNER = "owner"
    """The master only, not a co-master."""


class Reason(StrEnum):
    """Whether a command is logged with a reason."""

    NONE = "none"
    WELCOME = "welcome"
    """Logged with a reason if the sender gives one.

    This is for routine commands of a master, and for commands that end something.
    """
    ONCE_RUNNING = "once-running"
    """Required once the game has started."""
    NEEDED = "needed"


class Part(StrEnum):
    """What a receipt shows besides the answer."""

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
    """Per-command policy: who may use it, when, and how commands combine."""

    who: Permitted = Permitted.ANYBODY
    states: tuple[GameState, ...] = ALWAYS
    needs_proof: bool = True
    """It acts for the sender, or shows what only they may see."""
    is_question: bool = False
    """It changes nothing.

    The answer goes to the registered address even if the sender is not verified.
    """
    is_final: bool = False
    """It cannot be undone, and is carried out only after confirmation."""
    is_final_at_first: bool = False
    """It may end a game; its first use in that game must be confirmed."""
    binds: bool = False
    """It may commit the sender at once; they first read about the game and confirm."""
    decides: str = ""
    """Of several commands in a mail with the same value, only the last counts.

    "" if each of them counts.
    """
    comes_first: bool = False
    """It says how answers are written, and is handled first."""
    comes_last: bool = False
    """It may close the phase, and is handled last."""
    stands_beside: bool = False
    """It may share a line with an order."""
    steers: bool = False
    """It is a heading for the lines below."""
    founds: bool = False
    """It creates another game, so the sender needs permission to CREATE."""
    reason: Reason = Reason.NONE
    shows: Part | None = None
    is_for_players_only: bool = False
    """It lasts or is private, so a sitter leaves it to the player."""

    @property
    def may_need_a_yes(self) -> bool:
        """Whether it may be postponed until the sender has confirmed it."""
        return self.is_final or self.is_final_at_first or self.binds
