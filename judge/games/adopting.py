"""A game that goes on here after it was played with another judge."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from judge.commands import Adopt
from judge.games.answers import Adopted
from judge.games.events import GameStarted, Invited
from judge.games.game import Applicant, Invitation
from judge.games.handled import Handled
from judge.games.person import PersonId
from judge.games.setup import set_out, start
from judge.games.terms import Settings
from judge.rules.position import Position, Power


def adopt(
    command: Adopt,
    settings: Settings,
    position: Position,
    players: Mapping[Power, str],
    master: PersonId,
    own: Collection[str],
    now: datetime,
    seed: int,
) -> Handled:
    """Return a game that begins in this position as soon as its players have accepted.

    `players` are the addresses of the players by power, `own` those of the master.
    """
    game = replace(set_out(command.game.lower(), settings, master), position=position, adopted=position.phase)
    mine: tuple[Applicant, ...] = ()
    asked: dict[str, Invitation] = {}
    for powers in game.set_up.assignments:
        power = next((one for one in powers if one in players), None)
        if power is None or game.was_out(powers):
            continue
        if players[power] in own:
            mine = (Applicant(master, promised=power),)
        else:
            asked.setdefault(players[power], Invitation(players[power], power))
    game = replace(game, applicants=mine, invitations=tuple(asked.values()))
    if not game.seats_left:
        game = start(game, now, seed)
        return Handled(game, Adopted(game), (GameStarted(game, now),))
    return Handled(game, Adopted(game), tuple(Invited(game, master, one, now) for one in game.invitations))
