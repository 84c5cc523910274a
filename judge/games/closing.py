"""Closing a phase: adjudicate what is on file and open the next phase."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from judge.games.events import PhaseClosed
from judge.games.game import Game, GameState
from judge.games.play import lacking
from judge.games.schedule import next_deadline
from judge.rules.adjudication import adjudicate
from judge.rules.map import load_map
from judge.rules.position import Phase


def close(game: Game, phase: Phase, now: datetime) -> tuple[Game, PhaseClosed] | None:
    """The game in its next phase, and what happened; None if `phase` is not open (any more).

    Naming the phase makes closing twice harmless.
    """
    if game.state is not GameState.ACTIVE or game.position.phase != phase:
        return None
    missing = tuple(lack.power for lack in lacking(game) if not game.seat(lack.power).orders)
    orders = {seat.power: tuple(filed.order for filed in seat.orders) for seat in game.seats if seat.orders}
    resolution = adjudicate(load_map(game.settings.map), game.position, orders, game.settings.rules)
    over = resolution.over is not None
    after = replace(
        game,
        state=GameState.FINISHED if over else GameState.ACTIVE,
        position=resolution.position,
        seats=tuple(replace(seat, ready=False, orders=()) for seat in game.seats),
        winner=resolution.winner,
        opened_at=now,
        closing_since=None,
        deadline=None if over else next_deadline(game.settings, resolution.position.phase.kind, now),
    )
    return after, PhaseClosed(after, phase, game.position, resolution, now, missing)
