"""The past of a game for letters: its phases, its centers, its diaries."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from judge.games import Game, Person, PersonId
from judge.games.sight import must_be_a_view
from judge.games.withdrawn import Withdrawal
from judge.reports.sections import PastPhase, SharedDiary, YearOfCenters
from judge.reports.turning import Turn
from judge.rules.adjudication import adjudicate
from judge.rules.exchange import Task, read_task
from judge.rules.outcomes import Resolution
from judge.rules.position import Location, Phase, Power, Province
from judge.rules.sight import Eyes
from judge.service.post.withdrawn import withdrawal_of_phase
from judge.service.post.written import may_read_lines_of
from judge.storage import Work
from judge.storage.records import ClosedPhase

_Outcomes: TypeAlias = Mapping[Power, tuple[tuple[str, tuple[str, ...]], ...]]
"""Power → its orders, each with its results."""


def history(work: Work, game: Game, first: Phase | None = None, last: Phase | None = None) -> tuple[PastPhase, ...]:
    """Return the history from the first to the last phase; by default all of it."""
    counting = work.records.phases(game.name)
    return tuple(_past(past, game) for past in counting if _is_among(past.phase, first, last))


def whole_history(
    work: Work, game: Game, reader: PersonId, first: Phase | None = None, last: Phase | None = None
) -> tuple[PastPhase, ...]:
    """Return the history for a reader, with written lines and withdrawn versions.

    The lines are those that players wrote. The versions are those that a rollback withdrew.
    """
    found = [
        replace(_past(one, game), withdrawn=withdrawn, written=_written(one, game, reader))
        for one, withdrawn in versions(work, game)
        if _is_among(one.phase, first, last)
    ]
    return tuple(sorted(found, key=lambda past: past.phase.order_key))


def versions(work: Work, game: Game) -> Iterator[tuple[ClosedPhase, Withdrawal | None]]:
    """Yield every closed phase in the order of play, with the rollback that withdrew it."""
    if game.is_sandbox or not game.rollbacks:
        yield from ((one, None) for one in work.records.phases(game.name))
        return
    entries = work.records.entries(game)
    for one in work.records.versions(game.name):
        withdrawn = withdrawal_of_phase(entries, one)
        if one.counts or withdrawn is not None:
            yield one, withdrawn


def _is_among(phase: Phase, first: Phase | None, last: Phase | None) -> bool:
    is_late_enough = first is None or phase.order_key >= first.order_key
    return is_late_enough and (last is None or phase.order_key <= last.order_key)


def _past(past: ClosedPhase, game: Game) -> PastPhase:
    must_be_a_view(game)
    outcomes = _outcomes(past, game.map.powers) if game.sight is None else _seen(past, game.sight.powers)
    return PastPhase(past.phase, outcomes)


def _seen(past: ClosedPhase, powers: Collection[Power]) -> _Outcomes:
    """Return what the player of these powers saw of a phase in fog."""
    seen = played_as_seen(read_task(dict(past.record["input"])), powers)
    found: dict[Power, list[tuple[str, tuple[str, ...]]]] = {}
    for verdict in seen.verdicts:
        if verdict.given:
            found.setdefault(verdict.power, []).append((verdict.order.text, verdict.results))
    return {power: tuple(sorted(lines)) for power, lines in found.items()}


def played_as_seen(task: Task, powers: Collection[Power] | None) -> Resolution:
    """Play a phase again; return what the player of these powers sees in fog.

    None as powers stands for all of it.
    """
    played = adjudicate(task.map, task.position, task.orders, task.options, task.circumstances)
    if powers is None:
        return played
    circumstances = replace(task.circumstances, declined={})
    return Eyes(task.map, tuple(powers), task.options.fog).played(played, task.options, circumstances)


def _written(past: ClosedPhase, game: Game, reader: PersonId) -> Mapping[Power, Mapping[str, str]]:
    powers = [power for power in game.map.powers if power in past.written and may_read_lines_of(game, power, reader)]
    return {
        power: {code: " / ".join(line.splitlines()) for code, line in past.written[power].items()} for power in powers
    }


def _outcomes(past: ClosedPhase, powers: Sequence[Power]) -> _Outcomes:
    output: Any = past.record["output"]
    found: dict[Power, list[tuple[str, tuple[str, ...]]]] = {power: [] for power in powers}
    for order in output["orders"]:
        found[Power(order["power"])].append((order["order"], tuple(order["results"])))
    return {power: tuple(sorted(lines)) for power, lines in found.items() if lines}


def centers_by_year(work: Work, game: Game, powers: Sequence[Power] | None = None) -> tuple[YearOfCenters, ...]:
    """Return the centers at start and end of each year, from the record.

    They are those of every power, or only of `powers`.
    """
    if game.sight is not None:
        powers = game.sight.powers
    counted = game.map.powers if powers is None else powers
    found: dict[int, Mapping[Power, int]] = {}
    for past in work.records.phases(game.name):
        line: Any = past.record
        found.setdefault(past.phase.year - game.map.years_per_turn, _counted(line["input"]["centers"], counted))
        found[past.phase.year] = _counted(line["output"]["centers"], counted)
    return tuple(YearOfCenters(year, found[year]) for year in sorted(found)) if counted else ()


def turns_of(work: Work, game: Game) -> Iterator[Turn]:
    """Yield the owners of the centers before and after each phase."""
    for past in work.records.phases(game.name):
        line: Any = past.record
        yield Turn(past.phase, _owners(line["input"]["centers"]), _owners(line["output"]["centers"]))


def _owners(centers: Mapping[str, list[str]]) -> Mapping[Province, Power]:
    return {Province(Location(center)): Power(power) for power, owned in centers.items() for center in owned}


def _counted(centers: Mapping[str, list[str]], powers: Sequence[Power]) -> Mapping[Power, int]:
    """Count the centers of each power, in the order of the map."""
    return {power: len(centers.get(power, ())) for power in powers}


def shared_diaries(work: Work, game: Game, people: Mapping[PersonId, Person]) -> tuple[SharedDiary, ...]:
    """Return the diaries that players share now that the game is over."""
    sharing = dict.fromkeys(s.holder for s in game.seats if s.shares_notes and s.holder is not None)
    diaries = [(people[holder].name, work.records.diary(game.name, holder)) for holder in sharing]
    return tuple(SharedDiary(name, tuple((one.phase, one.text) for one in diary)) for name, diary in diaries if diary)
