"""Finished games as files for programs: `docs/archive.md` says what they hold, `docs/archive.schema.json` in full."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judge.games.choices import ScoreSystem
from judge.games.scores import Score
from judge.reports.site import ArchivedGame, ArchivedPerson, ArchivedSeat, ArchivedStatement

_INDEX, _GAME = "judge games 1", "judge game 1"
_PLACES = 4
"""Decimals of points."""


def index_file(games: Iterable[ArchivedGame]) -> bytes:
    """Return the list of all games, with the data for tables and ratings."""
    return _written({"format": _INDEX, "games": [_summary(game) for game in games]})


def game_file(game: ArchivedGame) -> bytes:
    """Return a game with its phases, as `judge adjudicate` reads and writes them."""
    phases = [{"at": one.closed_at.isoformat(), **one.record} for one in game.phases]
    said = {"statements": [_statement(one) for one in game.statements], "messages": _messages(game)}
    return _written({"format": _GAME, **_summary(game), **said, "phases": phases})


def _statement(one: ArchivedStatement) -> Mapping[str, Any]:
    return {"power": one.power, "text": one.text}


def _messages(game: ArchivedGame) -> Sequence[Mapping[str, Any]] | None:
    if game.messages is None:
        return None
    return [
        {
            "phase": str(one.phase),
            "from": one.sender,
            "to": list(one.to) if one.to is not None else None,
            "about": one.about,
            "text": one.text,
        }
        for one in game.messages
    ]


def _summary(game: ArchivedGame) -> Mapping[str, Any]:
    last = game.phases[-1]
    return {
        "game": game.name,
        "board": game.board,
        "rules": {"profile": game.profile, **game.options},
        "press": game.press.value,
        "anonymous": game.is_anonymous,
        "ended": last.closed_at.isoformat(),
        "count": len(game.phases),
        "last": str(last.phase),
        "how": game.how.value if game.how is not None else None,
        "winner": game.winner,
        "sharers": list(game.sharers),
        "scored": game.score_system.value,
        "master": _person(game.master),
        "seats": [_seat(game, seat) for seat in game.seats],
    }


def _seat(game: ArchivedGame, seat: ArchivedSeat) -> Mapping[str, Any]:
    return {
        "power": seat.power,
        "by": "robot" if seat.is_robot else "nobody" if seat.is_vacant else "person",
        "player": _person(seat.player),
        "centers": game.centers.get(seat.power, 0),
        "units": len(game.position.units_of(seat.power)),
        "scores": {system.value: _points(seat, found) for system, found in _scores(game)},
    }


def _scores(game: ArchivedGame) -> Iterable[tuple[ScoreSystem, tuple[Score, ...]]]:
    return ((system, found) for system, found in game.scores_by.items() if found)


def _points(seat: ArchivedSeat, found: Iterable[Score]) -> float:
    return next((round(float(one.points), _PLACES) for one in found if one.power == seat.power), 0)


def _person(person: ArchivedPerson | None) -> Mapping[str, Any] | None:
    return {"id": person.id, "name": person.name} if person is not None else None


def _written(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False, indent=1).encode()
