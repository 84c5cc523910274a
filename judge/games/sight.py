"""Fog: a reader gets a view of a game and of its events in place of the whole (R-FOG).

A view is a `Game`, or an event, with less in it. Whatever is told to a person is made of views; orders are carried
out, and phases adjudicated, in the whole.
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
    """Return what a person sees of a game: as the player of their powers, else as a stranger."""
    return seen_as(game, powers_of(game, person))


def powers_of(game: Game, person: PersonId, ordering: OrderFor | None = None) -> tuple[Power, ...]:
    """Return the powers by whose eyes a line is read and carried out: its sender's, or the one ORDER FOR names."""
    if ordering is not None:
        return (ordering.power,)
    return tuple(seat.power for seat in game.seats_of(person))


def seen_as(game: Game, powers: Collection[Power]) -> Game:
    """Return what the player of these powers sees of a game; all of it without fog, and at the end."""
    if not game.is_foggy or game.sight is not None:
        return game
    eyes, there = eyes_of(game, powers), game.position
    return replace(game, position=eyes.position(there), sight=Sight(tuple(powers), living(game), eyes.unseen(there)))


def whole(view: Game, game: Game) -> Game:
    """Return a view that a player's request has changed as a game again, on the whole board of `game`."""
    if view.sight is None:
        return view
    return replace(view, position=game.position, sight=None)


def position_seen_by(game: Game, person: PersonId, position: Position) -> Position:
    """Return an earlier position of a game as a person sees it."""
    return eyes_of(game, powers_of(game, person)).position(position) if game.is_foggy else position


def must_be_a_view(game: Game) -> None:
    """Raise AssertionError for a whole game in fog: no reader may be shown that."""
    assert game.sight is not None or not game.is_foggy, f"{game.name} is in fog, and would be shown whole"


def event_seen_by(event: _Event, person: PersonId) -> _Event:
    """Return what a person hears of an event other than a closed phase."""
    return replace(event, game=seen_by(event.game, person)) if event.game.is_foggy else event


def report_seen_by(
    event: GameStarted | PhaseClosed | GameEnded, person: PersonId
) -> GameStarted | PhaseClosed | GameEnded:
    """Return what a person hears of an event that is told in a report."""
    return _phase_seen_by(event, person) if isinstance(event, PhaseClosed) else event_seen_by(event, person)


def _phase_seen_by(event: PhaseClosed, person: PersonId) -> PhaseClosed:
    """Return a closed phase as a reader sees it; who sent nothing is told of movement phases, in which all have to."""
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
