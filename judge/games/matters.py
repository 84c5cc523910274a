"""What waits for a person in a game, besides orders: a master decides, a player votes."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from judge.games.ballots import Proposal
from judge.games.draws import living
from judge.games.game import Game, GameState, Petition, Seat
from judge.games.person import PersonId
from judge.games.proposals import entitled

_HELD_UP = timedelta(hours=1)
"""A phase that is due for so long is held up: by a mail or by a mailbox."""
_LONG = timedelta(days=3)
"""A phase without a deadline is open for long after this time, if the game sends no reminders."""


class Stall(StrEnum):
    """Why a phase waits, as far as everyone knows."""

    AWAITED = "awaited"
    """The deadline has passed, and a power sent nothing."""
    HELD_UP = "held-up"
    """It is due and could not be closed."""
    OPEN_LONG = "open-long"
    """It has no deadline."""


def votes_due(game: Game, person: PersonId) -> tuple[Proposal, ...]:
    """The open proposals on which a power of a person may vote and has not."""
    mine = {seat.power for seat in game.seats_of(person)}
    return tuple(one for one in game.proposals if not mine.isdisjoint({*entitled(game, one)} - {*one.yes, *one.no}))


def requests(game: Game, person: PersonId) -> tuple[Petition, ...]:
    """The requests for a seat that a master has not decided; none for others."""
    return tuple(one for one in game.petitions if not one.is_denied) if person in game.masters else ()


def missing_players(game: Game, person: PersonId) -> tuple[Seat, ...]:
    """The seats whose players sent nothing for the last movement phases; only for a master who does not play."""
    if not game.is_running or person not in game.referees:
        return ()
    alive = living(game)
    return tuple(one for one in game.seats if one.missed and one.holder is not None and one.power in alive)


def stall(game: Game, now: datetime) -> Stall | None:
    """Why the open phase waits; None if it does not."""
    clock, due = game.clock, game.due
    if game.state is not GameState.ACTIVE or clock.opened_at is None:
        return None
    if clock.awaits:
        return Stall.AWAITED
    if due is not None:
        return Stall.HELD_UP if now >= due + _HELD_UP else None
    return Stall.OPEN_LONG if now >= clock.opened_at + (game.settings.nudge or _LONG) else None


def joined_since(game: Game, since: datetime) -> tuple[PersonId, ...]:
    """The people who joined a forming game after a time, and are still in it."""
    there = {one.person for one in game.applicants}
    return tuple(person for person, at in game.arrivals if at > since and person in there)
