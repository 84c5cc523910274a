"""Objections to results, and decisions of the masters."""

from __future__ import annotations

from dataclasses import replace

from judge.commands import DecideObjection, Object
from judge.games import refusals
from judge.games.answers import Done
from judge.games.events import GameNews
from judge.games.game import Objection
from judge.games.handled import Handled, refused
from judge.games.request import Request, on, table

_MOST = 3
"""The most objections of a player to the results of one phase.

Each objection is told to everyone.
"""


def object_to(request: Request[Object]) -> Handled:
    """Ask the masters to review results, as long as these are provisional; everyone is told."""
    game, command, now, results = request.game, request.command, request.now, request.looked_up.results
    if not game.settings.objection or results is None or now >= results[1] + game.settings.objection:
        return refused(game, refusals.NoObjections(game.name))
    if not command.reason.strip():
        return refused(game, refusals.NoObjectionSaid())
    phase, power = results[0], game.seats_of(request.person)[0].power
    if sum((one.phase, one.power) == (phase, power) for one in game.objections) >= _MOST:
        return refused(game, refusals.ObjectionsEnough(phase, _MOST))
    made = Objection(len(game.objections) + 1, phase, power, command.reason)
    game = replace(game, objections=(*game.objections, made))
    command = replace(command, number=made.number, phase=phase)
    return Handled(game, Done(command), (GameNews(game, command, now, None if game.hides_names else power),))


def decide(request: Request[DecideObjection]) -> Handled:
    """Uphold or dismiss an objection; everyone is told."""
    game, command = request.game, request.command
    meant = [one for one in game.open_objections if command.number in (0, one.number)]
    if len(meant) != 1:
        open_ = tuple(one.number for one in game.open_objections)
        return refused(game, refusals.NoSuchObjection(command.number, open_))
    decided = replace(meant[0], upheld=command.upholds)
    changed = tuple(decided if one.number == decided.number else one for one in game.objections)
    game = replace(game, objections=changed)
    command = replace(command, number=decided.number, phase=decided.phase)
    return Handled(game, Done(command), (GameNews(game, command, request.now),))


HANDLERS = table(on(Object, object_to), on(DecideObjection, decide))
