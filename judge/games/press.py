"""What players write to each other through the judge (R-PRESS)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from judge.commands import Announce, Broadcast, Object, Press, PressToMaster
from judge.games import refusals
from judge.games.answers import Sent
from judge.games.events import Relayed
from judge.games.game import Game, GameState, PersonId, PressRule
from judge.games.handled import Handled, refused
from judge.games.seats import is_out
from judge.rules.options import PressPhases
from judge.rules.position import PhaseKind, Power


def relay(
    game: Game, person: PersonId, command: Press | Broadcast | PressToMaster | Announce | Object, now: datetime
) -> Handled:
    """Send words on, if they may be sent now."""
    if isinstance(command, Object):
        return _object(game, person, command, now)
    if not command.text.strip():
        return refused(game, refusals.LooksLikeOrders() if command.ran_on else refusals.NoText())
    mine = tuple(seat.power for seat in game.seats_of(person))
    if isinstance(command, Press):
        if command.is_unsure:
            return refused(game, refusals.PressOrOrders(game.position.phase))
        if not command.to:
            return refused(game, refusals.NobodyToAnswer())
        command = replace(command, to=tuple(power for power in command.to if power not in mine))
        if not command.to:
            return refused(game, refusals.OwnPower())
        unknown = next((power for power in command.to if game.seat(power).holder is None), None)
        if unknown is not None:
            is_robot = game.seat(unknown).is_robot
            return refused(game, refusals.RobotsRead(unknown) if is_robot else refusals.NotHeld(unknown))
    if isinstance(command, Press | Broadcast) and mine:
        why = why_shut(game, person, command, now)
        if isinstance(why, refusals.PressShut):
            why = refusals.PressShut(may_broadcast=why_shut(game, person, Broadcast(), now) is None)
        if why is not None:
            return refused(game, why)
    if isinstance(command, PressToMaster) and set(game.masters) == {person}:
        return refused(game, refusals.OwnPower())
    to = command.to if isinstance(command, Press) else ()
    power = None if isinstance(command, Announce) or not mine else mine[0]
    return Handled(game, Sent(to, command, command.ran_on), (Relayed(game, command, person, power, now, to),))


def _object(game: Game, person: PersonId, command: Object, now: datetime) -> Handled:
    """Ask the masters to look at the last results again, as long as these are provisional."""
    until = game.opened_at + game.settings.objection if game.opened_at else now
    if not game.settings.objection or now >= until or not game.has_begun:
        return refused(game, refusals.NoObjections(game.name))
    if not command.reason.strip():
        return refused(game, refusals.NoObjectionSaid())
    power = game.seats_of(person)[0].power
    relayed = Relayed(game, command, person, power, now)
    return Handled(game, Sent((), PressToMaster(text=command.reason)), (relayed,))


def why_shut(game: Game, person: PersonId, command: Press | Broadcast, now: datetime) -> refusals.Refusal | None:
    """Why a player may not write to others now; None if he may. When the game is over all may talk."""
    settings = game.settings
    if game.state is GameState.FINISHED:
        return None
    secret = isinstance(command, Press)
    if settings.press is PressRule.NONE or (secret and settings.press is PressRule.PUBLIC):
        return refusals.NoPress(settings.press)
    if is_out(game, person):
        return refusals.Eliminated()
    phase = game.position.phase
    if settings.press is PressRule.RULEBOOK and phase.kind is not PhaseKind.MOVEMENT:
        # Where only retreats are closed to talk, public words may still be said (R-PRESS-3).
        only_retreats = settings.rules.press_phases is PressPhases.NOT_IN_RETREATS
        if not only_retreats or (secret and phase.kind is PhaseKind.RETREAT):
            return refusals.PressShut()
    is_writing = game.deadline is not None and now >= game.deadline - settings.writing
    if settings.writing and is_writing and phase.kind is PhaseKind.MOVEMENT and game.state is GameState.ACTIVE:
        return refusals.PressShut()
    return None


def answered(command: Press, sender: Power | None) -> Press:
    """Press to nobody in particular goes to whoever wrote what it answers."""
    return replace(command, to=(sender,)) if not command.to and sender is not None else command
