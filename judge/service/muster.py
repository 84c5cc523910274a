"""Muster of forming games: ask silent players, and free seats."""

from __future__ import annotations

from datetime import datetime

from judge.games import Game
from judge.games.muster import is_muster_due, mustered
from judge.service.post.letters import LetterWriter, cause_in
from judge.service.post.telling import tell_all
from judge.storage import Work


def muster(work: Work, writer: LetterWriter, game: Game, now: datetime) -> bool:
    """Ask silent players of a game and free seats; return False if nothing is due."""
    if not is_muster_due(game, now):
        return False
    people = work.people.many(one.person for one in game.applicants)
    heard = {id_: work.inbox.last_heard(id_, one.known_mailboxes) for id_, one in people.items()}
    game, events = mustered(game, {id_: at for id_, at in heard.items() if at is not None}, now)
    saved = work.games.save(game)
    tell_all(
        work, writer, [(event, f"{saved.name} {cause_in(saved, now)} {at}") for at, event in enumerate(events)], now
    )
    return True
