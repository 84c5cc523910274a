"""Corrections of the board: those of one mail are all carried out, or none."""

from __future__ import annotations

from collections.abc import Mapping

from judge import commands as c
from judge.games import handle, refusals
from judge.games.answers import Answer
from judge.games.refusals import Refused
from judge.service.talk.agenda import RequestedCommand
from judge.service.talk.handling import MailHandling
from judge.service.talk.of_a_game import do_in_a_game, game_request
from judge.service.talk.request import MailRequest


def is_correction(item: RequestedCommand) -> bool:
    """Whether a request is a correction of the board, and not a guess."""
    return isinstance(item.request, c.Correction) and not item.is_guess


def correct_together(handling: MailHandling, first: RequestedCommand, *, are_whole: bool) -> Mapping[int, Answer]:
    """Answer all of the mail's corrections to one game.

    Each is tried on the board after those before it. Nothing is done if one is refused, or if the mail holds another
    that cannot be read (not `are_whole`).
    """
    together = [item for item in handling.agenda if is_correction(item) and item.scope.game == first.scope.game]
    wrong = _wrong(handling, together)
    if wrong or not are_whole:
        left = Refused(refusals.NothingCorrected())
        return {item.number: wrong.get(item.number, left) for item in together}
    return {item.number: _done(handling, item) for item in together}


def _wrong(handling: MailHandling, together: list[RequestedCommand]) -> Mapping[int, Refused]:
    """Return number → refusal of corrections, tried one after another."""
    name = together[0].scope.game
    game = handling.known(name) if name is not None else None
    wrong: dict[int, Refused] = {}
    for item in together:
        if game is None:  # `_done` refuses each of them
            continue
        handled = handle(game_request(handling, item, game, _asked(item)))
        if isinstance(handled.answer, Refused):
            wrong[item.number] = handled.answer
        game = handled.game
    return wrong


def _done(handling: MailHandling, item: RequestedCommand) -> Answer:
    return do_in_a_game(MailRequest(handling, item, _asked(item)))


def _asked(item: RequestedCommand) -> c.Put | c.Take | c.Own:
    assert isinstance(item.request, c.Put | c.Take | c.Own)
    return item.request
