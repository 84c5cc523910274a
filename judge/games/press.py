"""What players write to each other through the judge (R-PRESS)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from judge.commands import Announce, Broadcast, Object, Press, PressToMaster
from judge.games.events import RefusalReason, Relayed, Sent
from judge.games.game import Game, GameState, PersonId, PressRule
from judge.games.handled import Handled, refused
from judge.games.seats import is_out
from judge.rules.options import PressPhases
from judge.rules.position import PhaseKind, Power


def relay(
    game: Game, person: PersonId, command: Press | Broadcast | PressToMaster | Announce | Object, now: datetime
) -> Handled:
    """Send words on, if they may be sent now."""
    words = command.reason if isinstance(command, Object) else command.text
    if not words.strip():
        cut_off = not isinstance(command, Object) and command.ran_on
        return refused(game, RefusalReason.LOOKS_LIKE_ORDERS if cut_off else RefusalReason.NO_TEXT)
    mine = tuple(seat.power for seat in game.seats_of(person))
    if isinstance(command, Press) and command.is_unsure:
        return refused(game, RefusalReason.PRESS_OR_ORDERS, str(game.position.phase))
    if isinstance(command, Press):
        unknown = next((power for power in command.to if game.seat(power).holder is None), None)
        if unknown is not None:
            return refused(game, RefusalReason.NOT_HELD, unknown)
        if not command.to:
            return refused(game, RefusalReason.NOBODY_TO_ANSWER)
    if isinstance(command, Press | Broadcast):
        reason = why_shut(game, person, command, now)
        if reason is not None:
            return refused(game, reason, game.settings.press, str(game.position.phase))
    if isinstance(command, Object):
        until = game.opened_at + game.settings.objection if game.opened_at else now
        if not game.settings.objection or now >= until or not has_results(game):
            return refused(game, RefusalReason.NO_OBJECTIONS, game.name)
        return Handled(game, Sent((), PressToMaster(text=words)), (Relayed(game, command, person, mine[0], now),))
    to = command.to if isinstance(command, Press) else ()
    power = None if isinstance(command, Announce) or not mine else mine[0]
    return Handled(game, Sent(to, command, command.ran_on), (Relayed(game, command, person, power, now, to),))


def why_shut(game: Game, person: PersonId, command: Press | Broadcast, now: datetime) -> RefusalReason | None:
    """Why a player may not write to others now; None if he may."""
    settings = game.settings
    secret = isinstance(command, Press)
    if settings.press is PressRule.NONE or (secret and settings.press is PressRule.PUBLIC):
        return RefusalReason.NO_PRESS
    if is_out(game, person):
        return RefusalReason.ELIMINATED
    phase = game.position.phase
    if settings.press is PressRule.RULEBOOK and phase.kind is not PhaseKind.MOVEMENT:
        # Where only retreats are closed to talk, public words may still be said (R-PRESS-3).
        only_retreats = settings.rules.press_phases is PressPhases.NOT_IN_RETREATS
        if not only_retreats or (secret and phase.kind is PhaseKind.RETREAT):
            return RefusalReason.PRESS_SHUT
    is_writing = game.deadline is not None and now >= game.deadline - settings.writing
    if settings.writing and is_writing and phase.kind is PhaseKind.MOVEMENT and game.state is GameState.ACTIVE:
        return RefusalReason.PRESS_SHUT
    return None


def has_results(game: Game) -> bool:
    """Whether any phase of the game was closed."""
    return game.position != game.map.start(game.set_up)


def answered(command: Press, sender: Power | None) -> Press:
    """Press to nobody in particular goes to whoever wrote what it answers."""
    return replace(command, to=(sender,)) if not command.to and sender is not None else command
