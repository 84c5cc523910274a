"""Publication of a finished game: its press, if all agreed, and closing statements."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from judge.commands import Broadcast, Press, SharePress, Statement
from judge.games import refusals
from judge.games.answers import Done
from judge.games.events import Event, GameEnded, PublicationAsked, Relayed
from judge.games.game import Game, GameState
from judge.games.handled import Handled, refused
from judge.games.request import Request, on, table
from judge.games.scores import has_result
from judge.settings import plain_value

TIME_TO_SAY_NO = timedelta(days=14)
_MOST_SAID = 4000
"""The most characters of a closing statement."""


def is_to_be_published(event: Relayed) -> bool:
    """Whether press is kept: words of a player to other players, or to all."""
    is_of_a_seat = event.power is not None and isinstance(event.command, Press | Broadcast)
    return event.game.keeps_press and is_of_a_seat and bool(event.command.text.strip())


def with_writer(game: Game, event: Relayed) -> Game:
    """Return the game with the person whose press is kept."""
    if event.sender in game.writers or not is_to_be_published(event):
        return game
    return replace(game, writers=(*game.writers, event.sender))


def at_the_end(game: Game, now: datetime) -> Game:
    """Return a game that has just ended, with the time of its publication."""
    if game.state is not GameState.FINISHED or not game.settings.publish_press or game.press_withheld:
        return game
    return replace(game, publish_at=now + TIME_TO_SAY_NO) if has_result(game) else withheld(game)


def withheld(game: Game) -> Game:
    """Return the game with its press withheld for ever."""
    return replace(game, publish_at=None, press_withheld=True)


def once_ended(before: Game, handled: Handled, now: datetime) -> Handled:
    """Ask about the publication of the press if a request has ended the game."""
    game = at_the_end(handled.game, now) if before.is_running else handled.game
    if game == handled.game:
        return handled
    events = (replace(event, game=game) if isinstance(event, GameEnded) else event for event in handled.events)
    return replace(handled, game=game, events=(*events, *asked(game, now)))


def asked(game: Game, now: datetime) -> tuple[Event, ...]:
    """Ask former players whose press would be published.

    The others are asked in the last report.
    """
    if game.publish_at is None:
        return ()
    there = game.members
    return tuple(PublicationAsked(game, one, game.publish_at, now) for one in game.writers if one not in there)


def is_published(game: Game, now: datetime) -> bool:
    """Whether the press of a game is published by now."""
    return game.state is GameState.FINISHED and game.publish_at is not None and now >= game.publish_at


def share_press(request: Request[SharePress]) -> Handled:
    """Withhold the press of a finished game for ever, or keep to the agreement."""
    game, person, command = request.game, request.person, request.command
    if not game.may_withhold(person):
        return refused(game, refusals.NotAPlayer(game.name))
    if not command.share:
        return Handled(withheld(game) if game.settings.publish_press else game, Done(command))
    if game.publish_at is None:
        return refused(game, refusals.PressWithheld(game.name, was_agreed=game.settings.publish_press))
    return Handled(game, Done(command, game.publish_at, game.settings.zone))


def state(request: Request[Statement]) -> Handled:
    """Take a closing statement; the service stores it."""
    game, command = request.game, request.command
    text = command.text.strip()
    if not text:
        return refused(game, refusals.NoText())
    if len(text) > _MOST_SAID:
        return refused(game, refusals.StatementTooLong(_MOST_SAID))
    return Handled(game, Done(command, about=plain_value("none", text) or ""))


HANDLERS = table(on(SharePress, share_press), on(Statement, state))
