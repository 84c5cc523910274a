"""What waits for a person in a game, besides orders: a master decides, a player votes."""

from __future__ import annotations

from judge.games.ballots import Proposal
from judge.games.game import Game, Petition
from judge.games.person import PersonId
from judge.games.proposals import entitled


def votes_due(game: Game, person: PersonId) -> tuple[Proposal, ...]:
    """The open proposals on which a power of a person may vote and has not."""
    mine = {seat.power for seat in game.seats_of(person)}
    return tuple(one for one in game.proposals if not mine.isdisjoint({*entitled(game, one)} - {*one.yes, *one.no}))


def requests(game: Game, person: PersonId) -> tuple[Petition, ...]:
    """The requests for a seat that a master has not decided; none for others."""
    return tuple(one for one in game.petitions if not one.is_denied) if person in game.masters else ()
