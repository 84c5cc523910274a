"""Offer vacant seats to people on standby, and withdraw offers of seats no longer vacant."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import cache

from judge.games import Game, PersonId
from judge.games.events import StandInAsked, VacancyOpened
from judge.games.stand_ins import sought
from judge.storage import Work


def with_stand_ins(
    work: Work, game: Game, now: datetime, gone: Collection[PersonId] = ()
) -> tuple[Game, tuple[StandInAsked | VacancyOpened, ...]]:
    """Return the game with its vacancies offered to people on standby.

    Calling it twice changes nothing.
    """
    master = work.people.many([game.master])[game.master]
    return sought(game, cache(work.people.standing_by), master.language, now, gone)
