"""Season of a master: results of players in their finished games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from judge.games.game import Game, GameState
from judge.games.person import PersonId
from judge.games.scores import has_result, scores
from judge.games.votes import living


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's results in the games they played to the end."""

    person: PersonId
    games: int = 0
    won: int = 0
    shared: int = 0
    points: Fraction = Fraction()

    @property
    def rank(self) -> tuple[Fraction, int, int]:
        """The values to rank by, the most important first."""
        return self.points, self.won, self.shared


def counts_for(game: Game, reader: PersonId) -> bool:
    """Whether a game counts in the table shown to a reader.

    It must have a result, and the reader must be allowed to know who played.
    """
    is_known = reader in game.members or (game.settings.listed and game.settings.observers)
    return game.state is GameState.FINISHED and not game.is_sandbox and is_known and has_result(game)


def standings(games: Iterable[Game]) -> tuple[Standing, ...]:
    """Return the results of people who played these games to the end, best first.

    Several seats of a person in one game count together.
    """
    found: dict[PersonId, Standing] = {}
    for game in games:
        points = {score.power: score.points for score in scores(game)}
        best = game.sharers or living(game)
        for person in {seat.holder: None for seat in game.seats if seat.holder is not None}:
            powers = [seat.power for seat in game.seats_of(person)]
            is_best = any(power in best for power in powers)
            before = found.get(person, Standing(person))
            found[person] = replace(
                before,
                games=before.games + 1,
                won=before.won + (is_best and game.winner is not None),
                shared=before.shared + (is_best and game.winner is None),
                points=before.points + sum(points.get(power, 0) for power in powers),
            )
    return tuple(sorted(found.values(), key=lambda one: one.rank, reverse=True))
