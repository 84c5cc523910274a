"""Commands of a player for the open phase."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from judge.commands import AnswerQuestion, Clear, Decline, Doubted, Give, SetReady, Undo, Wait
from judge.games import orders, refusals
from judge.games.answers import Filed
from judge.games.filing import subject_of
from judge.games.handled import Handled, refused
from judge.games.plans import clear_plans, is_coming
from judge.games.questions import ask, settle
from judge.games.readiness import set_ready, wait
from judge.games.refusals import Refused
from judge.games.refused_lines import is_remembered, with_refused
from judge.games.request import C, Request, on, table
from judge.games.unsettled import lacking


def while_open(handler: Callable[[Request[C]], Handled]) -> Callable[[Request[C]], Handled]:
    """Wrap a handler to refuse commands that are too late or for another phase."""

    def handled(request: Request[C]) -> Handled:
        return _why_closed(request) or handler(request)

    return handled


def give(request: Request[Give]) -> Handled:
    """File an order, or remember the refused line as unsettled."""
    handled = _why_closed(request) or _filed(request)
    if isinstance(handled.answer, Refused) and is_remembered(handled.answer.why):
        place = subject_of(request.command.order)
        places = (place,) if place is not None else ()
        handled = replace(handled, game=with_refused(handled.game, request.person, request.mail, places))
    return handled


def _filed(request: Request[Give]) -> Handled:
    command = request.command
    given = orders.give(request.game, request.person, command.order, request.mail, command.otherwise)
    if not isinstance(given.answer, Filed) or not (command.misnamed or command.guessed):
        return given
    return replace(given, answer=replace(given.answer, misnamed=command.misnamed, guessed=command.guessed))


def clear(request: Request[Clear]) -> Handled:
    """Clear orders on file, or those planned for the phase that is meant."""
    meant = request.mail.meant_phase
    is_later = meant is not None and meant != request.game.position.phase
    return (clear_plans if is_later else orders.clear)(request.game, request.person, request.command.unit, request.mail)


def _why_closed(request: Request[C]) -> Handled | None:
    game, command, mail = request.game, request.command, request.mail
    phase, meant = game.position.phase, mail.meant_phase
    if isinstance(command, Give | Doubted | Clear) and meant is not None and meant != phase and is_coming(meant, game):
        return None
    if meant is None and mail.answers_withdrawn:
        return refused(game, refusals.WhichPhase(phase, answers_withdrawn=True))
    if meant is None and (opened_at := game.clock.opened_at) is not None:
        if mail.is_too_fresh(opened_at):
            return refused(game, refusals.WhichPhase(phase))
        if mail.is_older_than(opened_at):
            return refused(game, refusals.WhichPhase(phase, is_old=True))
    if meant is not None and meant != phase:
        return refused(game, refusals.WrongPhase(meant, phase))
    if game.due is not None and mail.received_at > game.due:
        return refused(game, refusals.TooLate(phase))
    if game.clock.in_grace and isinstance(command, Clear | Undo):
        lacks = {lack.power for lack in lacking(game)}
        may_change = game.settings.grace_changes and any(seat.power in lacks for seat in game.seats_of(request.person))
        return refused(game, refusals.FixedInGrace(phase, may_change))
    return None


HANDLERS = table(
    on(Give, give),
    on(Doubted, while_open(ask)),
    on(AnswerQuestion, while_open(settle)),
    on(Clear, while_open(clear)),
    on(Undo, while_open(orders.undo)),
    on(SetReady, while_open(set_ready)),
    on(Wait, while_open(wait)),
    on(Decline, while_open(orders.decline)),
)
