"""Sitters, who play the seats of absent players for a time.

A sitter files orders, writes press and votes for the seat. The player stays its player: the seat comes back when the
absence is over, and what binds for good is left to the player.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from judge.commands import Accept, Resign
from judge.games import refusals
from judge.games.answers import Done, SittingAgreed
from judge.games.events import SitterNews, SitterStep
from judge.games.game import Game
from judge.games.handled import Handled
from judge.games.insight import Same, is_one_of, noting_who_sat, why_not_seated
from judge.games.leave import Sitting
from judge.games.person import PersonId
from judge.games.refusals import Refused
from judge.games.request import Request
from judge.games.schedule import with_absences
from judge.rules.position import Power


def turned(game: Game, now: datetime) -> tuple[Game, tuple[SitterNews, ...]]:
    """Begin the sittings whose time has come, and end those whose time is over.

    A sitting ends as well when its player has lost the seat.
    """
    told: list[SitterNews] = []
    for sitting in game.sittings if game.is_running else ():
        if sitting.end <= now or not game.seats_held_by(sitting.player):
            game, ended = over(game, sitting, now)
            told += ended
        elif sitting.sitter is not None and sitting.since is None and sitting.start <= now:
            begun = replace(sitting, since=now)
            game = replace(game, sittings=tuple(begun if one == sitting else one for one in game.sittings))
            told.append(SitterNews(game, SitterStep.BEGAN, begun, powers_of(game, sitting), now))
    return game, tuple(told)


def powers_of(game: Game, sitting: Sitting) -> tuple[Power, ...]:
    """Return the powers that the absent player still has."""
    return tuple(seat.power for seat in game.seats_held_by(sitting.player))


def over(
    game: Game, sitting: Sitting, now: datetime, by: PersonId | None = None
) -> tuple[Game, tuple[SitterNews, ...]]:
    """Return the game without a sitting.

    There is news if the sitter had begun to play. What the sitter filed stays on file.
    """
    powers = powers_of(game, sitting)
    game = replace(game, sittings=tuple(one for one in game.sittings if one != sitting))
    if sitting.since is None or sitting.sitter is None:
        return game, ()
    game = noting_who_sat(game, sitting.sitter, sitting.powers)
    return game, (SitterNews(game, SitterStep.ENDED, sitting, powers, now, by=by),)


def without_sitters_of(
    game: Game, player: PersonId, now: datetime, by: PersonId
) -> tuple[Game, tuple[SitterNews, ...]]:
    """Return the game without the sitters of a player, and the news of that."""
    told: tuple[SitterNews, ...] = ()
    for sitting in game.sittings:
        if sitting.player == player:
            game, ended = over(game, sitting, now, by)
            told += ended
    return game, told


def answer_request(request: Request[Accept], sitting: Sitting) -> Handled:
    """Accept or decline to sit; the player is told either way.

    A person who may not sit has declined.
    """
    game, person, now = request.game, request.person, request.now
    declines = not request.command.accepts
    if declines or not _may_sit(game, person, sitting, request):
        game, _ = over(game, sitting, now)
        told = SitterNews(game, SitterStep.DECLINED, sitting, powers_of(game, sitting), now, by=person)
        done = Done(replace(request.command, game=game.name), about="sitting")
        return Handled(game, done if declines else Refused(refusals.MayNotSit(game.name)), (told,))
    agreed = replace(sitting, address="", sitter=person)
    was = game.clock.deadline
    game = replace(game, sittings=tuple(agreed if one == sitting else one for one in game.sittings))
    game, begun = turned(with_absences(game, now), now)
    powers = powers_of(game, agreed)
    events = begun or (SitterNews(game, SitterStep.AGREED, agreed, powers, now, by=person),)
    moved = was if game.clock.deadline != was else None
    events = tuple(replace(one, was=moved) for one in events)
    zone = request.mail.zone
    return Handled(game, SittingAgreed(game.name, powers, sitting.start, sitting.end, zone, bool(begun)), events)


def _may_sit(game: Game, person: PersonId, sitting: Sitting, request: Request[Accept]) -> bool:
    """Whether a person may sit.

    They must have no part in the game but that of an observer, and know of no orders but those of the same seat.
    """
    same: Same = request.looked_up.same
    powers = powers_of(game, sitting)
    is_banned = any(one.person == person and one.is_denied for one in game.petitions)
    sits_elsewhere = any(one.sitter == person for one in game.sittings)
    knows = why_not_seated(game, person, same, powers[0] if powers else None) is not None
    return not (is_one_of(game, person, same) or is_banned or sits_elsewhere or knows or request.looked_up.is_shunned)


def stop_sitting(request: Request[Resign]) -> Handled:
    """End the sitting of the sender: the seat comes back to its player."""
    game, person, now = request.game, request.person, request.now
    sitting = next(one for one in game.sittings if one.sitter == person)
    if sitting.since is None:  # the player is told as if the sitter had said no
        game, _ = over(game, sitting, now)
        told = SitterNews(game, SitterStep.DECLINED, sitting, powers_of(game, sitting), now, by=person)
    else:
        game, (told,) = over(game, sitting, now, by=person)
    was = game.clock.deadline
    game = with_absences(game, now)
    told = replace(told, game=game, was=was if game.clock.deadline != was else None)
    return Handled(game, Done(request.command, about="sitting"), (told,))


def is_sitter(game: Game, person: PersonId) -> bool:
    """Whether a person sits in a game, or will."""
    return any(one.sitter == person for one in game.sittings)
