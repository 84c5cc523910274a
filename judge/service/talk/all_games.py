"""PAUSE ALL, RESUME ALL, EXTEND ALL: one line for all running games of a master."""

from __future__ import annotations

from judge import commands as c
from judge.games import Game, PersonId, handle, refusals
from judge.games.answers import Answer, DoneInAll
from judge.games.refusals import Refused
from judge.games.request import table
from judge.service.talk.lists import show_own_games
from judge.service.talk.of_a_game import as_it_is_here, game_request
from judge.service.talk.request import MailRequest, on


def do_in_all(asked: MailRequest[c.InAllGames]) -> Answer:
    """Carry out a command in every running game of a master that allows it.

    The receipt shows all the master's games.
    """
    handling, command = asked.handling, asked.command
    games = [game for game in handling.own_games() if _is_run_by(game, handling.person.id)]
    if not any(_fits(game, command) for game in games):
        return Refused(refusals.NothingInAll(command.what, is_no_master=not games))
    done, left, why_not = [], [], None
    for game in games:
        request = as_it_is_here(handling, command.in_one, game)
        handled = handle(game_request(handling, asked.item, game, request))
        if isinstance(handled.answer, Refused):
            left.append(game.name)
            why_not = why_not or (handled.answer if _fits(game, command) else None)
        else:
            handling.take(handled)
            done.append(game.name)
    if not done:
        assert why_not is not None, "it fits one of the games"
        is_reason = isinstance(why_not.why, refusals.ReasonNeeded)
        return Refused(refusals.ReasonNeeded(command)) if is_reason else why_not
    show_own_games(handling, c.MyGames())
    return DoneInAll(command, tuple(done), tuple(left))


def _is_run_by(game: Game, person: PersonId) -> bool:
    return game.is_running and not game.is_sandbox and person in game.masters


def _fits(game: Game, command: c.InAllGames) -> bool:
    """Whether the game is in a state that the command expects."""
    needs_deadline = command.what is c.Everywhere.EXTEND
    return game.state in command.in_one.card.states and not (needs_deadline and game.clock.deadline is None)


HANDLERS = table(on(c.InAllGames, do_in_all))
