"""Views in fog: what a reader gets of a game and its events (R-FOG).

A view is a `Game` or an event with less in it. Everything that is told to a person is made of views. Orders are carried
out and phases adjudicated in the whole game.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TypeVar

from judge.commands import OrderFor
from judge.games.draws import living
from judge.games.events import GameEnded, GameStarted, LetterEvent, PhaseClosed
from judge.games.game import Game, Sight
from judge.games.person import PersonId
from judge.rules.position import PhaseKind, Position, Power
from judge.rules.sight import Eyes

_Event = TypeVar("_Event", bound=LetterEvent | GameStarted | GameEnded)


def eyes_of(game: Game, powers: Collection[Power]) -> Eyes:
    """Return how the player of these powers sees the board of a game."""
    return Eyes(game.map, tuple(powers), game.settings.rules.fog)


def seen_by(game: Game, person: PersonId) -> Game:
    """Return a person's view of a game.

    People without a power get the view of a stranger.
    """
    return seen_as(game, powers_of(game, person))


def powers_of(game: Game, person: PersonId, ordering: OrderFor | None = None) -> tuple[Power, ...]:
    """Return the powers whose view is used to read and carry out a line.

    These are the sender's powers, or the power that ORDER FOR names.
    """
    if ordering is not None:
        return (ordering.power,)
    return tuple(seat.power for seat in game.seats_of(person))


def seen_as(game: Game, powers: Collection[Power]) -> Game:
    """Return the view of a player of these powers.

    Without fog, and at the end, it is the whole game.
    """
    if not game.is_foggy or game.sight is not None:
        return game
    eyes, there = eyes_of(game, powers), game.position
    return replace(game, position=eyes.position(there), sight=Sight(tuple(powers), living(game), eyes.unseen(there)))


def whole(view: Game, game: Game) -> Game:
    """Return a changed view as a game on the whole board of `game`.

    A player's request changed the view.
    """
    if view.sight is None:
        return view
    return replace(view, position=game.position, sight=None)


def position_seen_by(game: Game, person: PersonId, position: Position) -> Position:
    """Return an earlier position of a game as a person sees it."""
    return eyes_of(game, powers_of(game, person)).position(position) if game.is_foggy else position


def must_be_a_view(game: Game) -> None:
    """Raise AssertionError for a whole game in fog, which no reader may see."""
    assert game.sight is not None or not game.is_foggy, f"{game.name} is in fog, and would be shown whole"


def event_seen_by(event: _Event, person: PersonId) -> _Event:
    """Return a person's view of an event other than a closed phase."""
    return replace(event, game=seen_by(event.game, person)) if event.game.is_foggy else event


def report_seen_by(
    event: GameStarted | PhaseClosed | GameEnded, person: PersonId
) -> GameStarted | PhaseClosed | GameEnded:
    """Return a person's view of an event that is told in a report."""
    return _phase_seen_by(event, person) if isinstance(event, PhaseClosed) else event_seen_by(event, person)


def _phase_seen_by(event: PhaseClosed, person: PersonId) -> PhaseClosed:
    """Return a closed phase as a reader sees it.

    The reader learns which powers sent nothing only for movement phases, in which all powers must order.
    """
    view = seen_by(event.game, person)
    sight = view.sight
    if sight is None:
        return event
    eyes, circumstances = eyes_of(event.game, sight.powers), replace(event.circumstances, declined={})
    resolution = eyes.played(event.resolution, event.game.settings.rules, circumstances)
    tells_missing = event.phase.kind is PhaseKind.MOVEMENT
    return replace(
        event,
        game=view,
        before=resolution.before or eyes.position(event.before),
        resolution=resolution,
        missing=tuple(power for power in event.missing if tells_missing or power in sight.powers),
        kept=(),
        circumstances=circumstances,
        plans=tuple(one for one in event.plans if one.power in sight.powers),
        filed=tuple(one for one in event.filed if one[0] in sight.powers),
    )
