"""What a player asks while a phase is open."""

from __future__ import annotations

from dataclasses import replace

from judge.commands import AnswerQuestion, Clear, Decline, Doubted, Give, SetReady, Undo, Wait
from judge.games import refusals
from judge.games.answers import Filed
from judge.games.context import MailContext
from judge.games.filing import subject_of
from judge.games.game import Game
from judge.games.handled import Handled, refused
from judge.games.orders import clear, decline, give, undo
from judge.games.person import PersonId
from judge.games.plans import clear_plans, is_coming
from judge.games.questions import ask, settle
from judge.games.readiness import set_ready, wait
from judge.games.refusals import Refused
from judge.games.refused_lines import is_remembered, with_refused
from judge.games.unsettled import lacking


def play(
    game: Game,
    person: PersonId,
    command: Give | Doubted | AnswerQuestion | Clear | Undo | SetReady | Wait | Decline,
    context: MailContext,
) -> Handled:
    """Do what a player asks while a phase is open."""
    handled = _why_closed(game, person, context, command) or _played(game, person, command, context)
    if isinstance(command, Give) and isinstance(handled.answer, Refused) and is_remembered(handled.answer.why):
        place = subject_of(command.order)
        remembering = with_refused(handled.game, person, context, (place,) if place is not None else ())
        handled = replace(handled, game=remembering)
    return handled


def _played(
    game: Game,
    person: PersonId,
    command: Give | Doubted | AnswerQuestion | Clear | Undo | SetReady | Wait | Decline,
    context: MailContext,
) -> Handled:
    match command:
        case Give(order, misnamed, guessed):
            given = give(game, person, order, context)
            if isinstance(given.answer, Filed):
                answer = replace(given.answer, misnamed=misnamed, guessed=guessed)
                given = replace(given, answer=answer)
            return given
        case Doubted():
            return ask(game, person, command, context)
        case AnswerQuestion():
            return settle(game, person, command, context)
        case Clear(unit):
            later = context.meant_phase is not None and context.meant_phase != game.position.phase
            return (clear_plans if later else clear)(game, person, unit, context)
        case Undo():
            return undo(game, person)
        case SetReady(ready):
            return set_ready(game, person, context, ready=ready)
        case Wait():
            return wait(game, person, command, context.received_at)
        case Decline():
            return decline(game, person, command, context)


def _why_closed(game: Game, person: PersonId, context: MailContext, command: object) -> Handled | None:
    phase = game.position.phase
    meant = context.meant_phase
    if isinstance(command, Give | Doubted | Clear) and meant is not None and meant != phase and is_coming(meant, phase):
        return None
    if meant is None and game.opened_at is not None and context.is_too_fresh(game.opened_at):
        return refused(game, refusals.WhichPhase(phase))
    if meant is not None and meant != phase:
        return refused(game, refusals.WrongPhase(meant, phase))
    if game.due is not None and context.received_at > game.due:
        return refused(game, refusals.TooLate(phase))
    if game.in_grace and isinstance(command, Clear | Undo):
        lacks = {lack.power for lack in lacking(game)}
        may_change = game.settings.grace_changes and any(seat.power in lacks for seat in game.seats_of(person))
        return refused(game, refusals.FixedInGrace(phase, may_change))
    return None
