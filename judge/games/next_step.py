"""The next step of a person, suggested when nothing in their mail was understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from judge.games.findings import Lacking
from judge.games.game import Game
from judge.games.person import GameState, PersonId
from judge.games.schedule import awaited
from judge.games.seats import is_out
from judge.games.unsettled import blocking, lacking
from judge.games.votes import living


class StepKind(StrEnum):
    """The situation of a person."""

    NO_GAME = "no-game"
    SEVERAL = "several"
    """They have several games, and did not say which they mean."""
    FILLING = "filling"
    """They are the master of a game that has not started."""
    FORMING = "forming"
    FINISHED = "finished"
    QUESTIONS = "questions"
    """They have open questions about their orders."""
    ORDERS = "orders"
    """Some of their units lack orders."""
    UNSETTLED = "unsettled"
    """Something else keeps READY from counting."""
    READY = "ready"
    """Nothing is missing, but they have not said READY."""
    WAIT = "wait"
    """They have nothing left to do."""
    OUT = "out"
    RUNNING = "running"
    """They are its master, and do not play."""
    WATCHING = "watching"


@dataclass(frozen=True, slots=True)
class NextStep:
    """The one step to suggest."""

    kind: StepKind
    game: str = ""
    games: tuple[str, ...] = ()
    """The names of their games, if several."""
    seats_left: int = 0
    missing: tuple[Lacking, ...] = ()
    """Their missing orders."""


def next_step(game: Game | None, own: Sequence[Game], person: PersonId) -> NextStep:
    """Return the next step in the game a mail means, or in their only game."""
    played = [one for one in own if not one.is_sandbox] or list(own)
    game = game or (played[0] if len(played) == 1 else None)
    if game is not None:
        return _in_a_game(game, person)
    return NextStep(StepKind.SEVERAL if played else StepKind.NO_GAME, games=tuple(one.name for one in played))


def _in_a_game(game: Game, person: PersonId) -> NextStep:
    if game.state is GameState.FORMING:
        kind = StepKind.FILLING if person in game.masters else StepKind.FORMING
        return NextStep(kind, game.name, seats_left=max(0, game.seats_left))
    if game.state is GameState.FINISHED:
        return NextStep(StepKind.FINISHED, game.name)
    alive = living(game)
    if any(seat.power in alive for seat in game.seats_of(person)):
        return _of_a_player(game, person)
    if person in game.masters:
        return NextStep(StepKind.RUNNING, game.name)
    return NextStep(StepKind.OUT if is_out(game, person) else StepKind.WATCHING, game.name)


def _of_a_player(game: Game, person: PersonId) -> NextStep:
    seats = game.seats_of(person)
    powers = {seat.power for seat in seats}
    missing = tuple(one for one in lacking(game) if one.power in powers)
    if any(seat.filed.questions for seat in seats):
        return NextStep(StepKind.QUESTIONS, game.name)
    if missing:
        return NextStep(StepKind.ORDERS, game.name, missing=missing)
    if any(blocking(game, power) for power in powers):
        return NextStep(StepKind.UNSETTLED, game.name)
    waits_for = awaited(game)
    has_said_so = all(seat.filed.ready for seat in seats if seat.power in waits_for)
    return NextStep(StepKind.WAIT if has_said_so else StepKind.READY, game.name)
