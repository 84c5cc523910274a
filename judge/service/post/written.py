"""The lines that players wrote for their orders, unless they merely spell them."""

from __future__ import annotations

from collections.abc import Mapping

from judge.games import Game, GameState, PersonId
from judge.games.events import PhaseClosed
from judge.games.game import Seat
from judge.games.terms import PressRule
from judge.language import Context
from judge.language.as_written import spells
from judge.rules.notation import write_order
from judge.rules.position import Power

LONGEST = 200
"""Characters of a line that are kept."""


def written_in(event: PhaseClosed) -> Mapping[str, Mapping[str, str]]:
    """Return power → order → line for the orders with which a phase was closed."""
    found: dict[str, dict[str, str]] = {}
    contexts: dict[Power, Context] = {}
    rules, terms = event.game.settings.rules, event.circumstances
    for power, filed in event.filed:
        if power not in contexts:
            context = Context(event.game.map, event.before, (power,), rules, terms, hears_sentences=False)
            contexts[power] = context
        if not spells(filed.line, filed.order, contexts[power]):
            found.setdefault(power, {})[write_order(filed.order)] = filed.line.strip()[:LONGEST]
    return found


def written_on_file(seat: Seat) -> Mapping[str, Mapping[str, str]]:
    """Return `written`: order → line, for orders on file not in strict notation."""
    found = {write_order(one.order): one.line.strip()[:LONGEST] for one in seat.filed.orders}
    written = {code: line for code, line in found.items() if line.upper() != code}
    return {"written": written} if written else {}


def may_read_lines_of(game: Game, power: Power, reader: PersonId) -> bool:
    """Whether a reader may know how a power's orders were written, after the phase.

    The style or a word of a line may tell who plays, or be press. Where players are anonymous or have no press, only
    the power's player and masters who do not play may know it until the game is over.
    """
    is_referee = reader in game.referees and not game.is_foggy
    if game.state is GameState.FINISHED or is_referee or game.seat(power) in game.seats_of(reader):
        return True
    if game.is_foggy:  # a line tells what was ordered, and where a unit stood
        return False
    return not game.hides_names and game.settings.press is not PressRule.NONE
