"""Scores at the end of a game: a hundred points to divide.

The master chooses the system.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from judge.games.choices import ScoreSystem
from judge.games.game import Ended, Game
from judge.rules.position import Power

_ALL = Fraction(100)
_NO_RESULT = (None, Ended.BY_MASTER, Ended.BY_VOTE)
_WON = (Ended.VICTORY, Ended.CONCESSION)
"""Ends at which the winners take all points.

A sole lead in a short game is treated likewise. A tie is scored by the board.
"""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a power at the end."""

    power: Power
    points: Fraction
    """Out of a hundred."""

    @property
    def shown(self) -> str:
        """The points with one decimal."""
        return one_decimal(self.points)


def one_decimal(points: Fraction) -> str:
    """Format points with one decimal.

    >>> one_decimal(Fraction(100, 3))
    '33.3'
    """
    return f"{float(points):.1f}"


def has_result(game: Game) -> bool:
    """Whether a game ended with a result."""
    return game.ended not in _NO_RESULT


def scores(game: Game, system: ScoreSystem | None = None) -> tuple[Score, ...]:
    """Return the score of each power, highest first.

    If no system is named, it is the game's. The result is empty without a system or without a result of the game.
    """
    system = system or game.settings.scores
    if system is ScoreSystem.NONE or not has_result(game):
        return ()
    weights = _weights(game, system)
    total = sum(weights.values())
    found = [Score(power, _ALL * weights.get(power, 0) / total) for power in game.map.powers] if total else []
    return tuple(sorted((score for score in found if score.points), key=lambda score: -score.points))


def leaders(game: Game) -> tuple[tuple[Power, ...], ...]:
    """Return the powers of each player with the most units, robots included.

    The result is empty if no player has units.
    """
    led = {seat.power for seat in game.seats if seat.holder is not None or seat.is_robot} - game.set_up.unplayed
    players = [tuple(power for power in powers if power in led) for powers in game.set_up.assignments]
    counts = {powers: sum(len(game.position.units_of(power)) for power in powers) for powers in players if powers}
    most = max(counts.values(), default=0)
    return tuple(powers for powers, count in counts.items() if count == most and most)


def robots_in_the_tie(game: Game) -> tuple[Power, ...]:
    """Return the robots that have as many units as the powers sharing a short game."""
    if game.ended is not Ended.SHORT or game.winner is not None:
        return ()
    return tuple(power for powers in leaders(game) for power in powers if game.seat(power).is_robot)


def _weights(game: Game, system: ScoreSystem) -> Mapping[Power, int]:
    is_won = game.ended in _WON or (game.ended is Ended.SHORT and game.winner is not None)
    if is_won or system is ScoreSystem.DRAW_SIZE:
        return dict.fromkeys(game.sharers, 1)
    led = [seat.power for seat in game.seats if not (seat.is_vacant or seat.is_dummy)]
    owned = {power: len(game.position.centers_of(power)) for power in led if power not in game.set_up.unplayed}
    return {power: own**2 if system is ScoreSystem.SUM_OF_SQUARES else own for power, own in owned.items()}
