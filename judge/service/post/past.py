"""The past of a game as letters tell it: its phases, its centers, its diaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.games import Game, Person, PersonId
from judge.reports import YearOfCenters
from judge.reports.sections import Past, PastPhase, SharedDiary
from judge.rules.position import Phase, Power
from judge.storage import Work
from judge.storage.records import ClosedPhase


def history(work: Work, game: Game, first: Phase | None = None, last: Phase | None = None) -> Past:
    """Return what happened from the first to the last phase named; by default in all phases."""
    closed = [
        past
        for past in work.records.phases(game.name)
        if (first is None or past.phase.order_key >= first.order_key)
        and (last is None or past.phase.order_key <= last.order_key)
    ]
    return Past(tuple(PastPhase(past.phase, _outcomes(past, game.map.powers)) for past in closed))


def _outcomes(past: ClosedPhase, powers: Sequence[Power]) -> Mapping[Power, tuple[tuple[str, tuple[str, ...]], ...]]:
    output: Any = past.record["output"]
    found: dict[Power, list[tuple[str, tuple[str, ...]]]] = {power: [] for power in powers}
    for order in output["orders"]:
        found[Power(order["power"])].append((order["order"], tuple(order["results"])))
    return {power: tuple(sorted(lines)) for power, lines in found.items() if lines}


def centers_by_year(work: Work, game: Game) -> tuple[YearOfCenters, ...]:
    """Return the centers of every power at the start and at the end of each year, from the record."""
    found: dict[int, Mapping[Power, int]] = {}
    for past in work.records.phases(game.name):
        line: Any = past.record
        found.setdefault(past.phase.year - 1, _counted(line["input"]["centers"], game.map.powers))
        found[past.phase.year] = _counted(line["output"]["centers"], game.map.powers)
    return tuple(YearOfCenters(year, found[year]) for year in sorted(found))


def _counted(centers: Mapping[str, list[str]], powers: Sequence[Power]) -> Mapping[Power, int]:
    """Count the centers of each power, in the order of the map."""
    return {power: len(centers.get(power, ())) for power in powers}


def shared_diaries(work: Work, game: Game, people: Mapping[PersonId, Person]) -> tuple[SharedDiary, ...]:
    """Return the diaries that players share now that the game is over."""
    sharing = dict.fromkeys(s.holder for s in game.seats if s.shares_notes and s.holder is not None)
    diaries = [(people[holder].name, work.records.diary(game.name, holder)) for holder in sharing]
    return tuple(SharedDiary(name, tuple((one.phase, one.text) for one in diary)) for name, diary in diaries if diary)
