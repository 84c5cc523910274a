"""TABLE: the standings of a master's season, a page at a time."""

from __future__ import annotations

from judge.games import Game, Person
from judge.games.season import counts_for, standings
from judge.reports.sections import SeasonRow, SeasonTable
from judge.storage import Work

_PAGE = 25
_MOST_GAMES = 100
"""Only the latest games count: a season, not everything ever played."""


def season_table(work: Work, game: Game, reader: Person, page: int) -> SeasonTable:
    """Return the standings over the finished games of a game's master."""
    found = work.games.many(work.games.finished_of(game.master, _MOST_GAMES))
    counted = [one for one in found if counts_for(one, reader.id)]
    rows = standings(counted)
    pages = max(1, -(-len(rows) // _PAGE))
    start = (min(page, pages) - 1) * _PAGE
    shown = rows[start : start + _PAGE]
    people = work.people.many({game.master, *(row.person for row in shown)})
    ranks = [row.rank for row in rows]
    return SeasonTable(
        master=people[game.master].name,
        games=len(counted),
        rows=tuple(
            SeasonRow(ranks.index(row.rank) + 1, people[row.person].name, row.games, row.won, row.shared, row.points)
            for row in shown
        ),
        page=min(page, pages),
        pages=pages,
    )
