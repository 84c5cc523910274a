"""What happened in a phase, in a few sentences.

They tell facts in a fixed order, without praise, blame or advice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from judge.games.events import PhaseClosed
from judge.rules.orders import Build, Disband, Hold, Move, Retreat, Waive
from judge.rules.outcomes import Bounced, Dislodged, Verdict
from judge.rules.position import Location, PhaseKind, Power, Province, Unit

_MOST = 3
"""The most sentences of one phase."""
_MANY = 5
"""From this number on, centers are counted instead of named."""


class Topic(StrEnum):
    """What a sentence tells, the most important first."""

    OUT = "out"
    CENTERS = "centers"
    DISLODGED = "dislodged"
    STANDOFF = "standoff"
    RETREATED = "retreated"
    DISBANDED = "disbanded"
    BUILT = "built"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Clause:
    """One fact of a sentence; its topic tells which fields it needs."""

    powers: tuple[Power, ...]
    """Whose it is; in a standoff, all that took part."""
    units: tuple[Unit, ...] = ()
    places: tuple[Location, ...] = ()
    by: Unit | None = None
    """The attacker; None where fog hides it."""
    other: Power | None = None
    """The attacker's power, or the former owner of the places."""

    @property
    def n(self) -> int:
        """How many places there are."""
        return len(self.places)

    @property
    def is_many(self) -> bool:
        """Whether there are too many to be named."""
        return self.n >= _MANY

    @property
    def to(self) -> Location:
        """The only place."""
        return self.places[0]


@dataclass(frozen=True, slots=True)
class Sentence:
    """Everything that a phase tells of one topic."""

    topic: Topic
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class OwnView:
    """What a phase brought a reader."""

    succeeded: int
    """How many of their orders succeeded."""
    failed: int
    lost: tuple[Unit, ...]
    """Their units that were dislodged."""
    won: tuple[Province, ...]
    """Centers that they gained."""
    gone: tuple[Province, ...]
    """Centers that they lost."""


def story_of(closed: PhaseClosed) -> tuple[Sentence, ...]:
    """Return what happened in a phase, in at most three sentences."""
    verdicts = closed.resolution.verdicts
    match closed.phase.kind:
        case PhaseKind.MOVEMENT:
            told = {Topic.DISLODGED: _dislodged(closed), Topic.STANDOFF: _standoffs(closed)}
        case PhaseKind.RETREAT:
            told = {Topic.RETREATED: _retreated(verdicts), Topic.DISBANDED: _disbanded(verdicts)}
        case PhaseKind.ADJUSTMENT:
            told = {Topic.BUILT: _adjusted(verdicts, Build), Topic.REMOVED: _adjusted(verdicts, Disband)}
    out = closed.resolution.eliminated
    always = {Topic.OUT: iter([Clause(out)] if out else []), Topic.CENTERS: _gained(closed)}
    found = (Sentence(topic, tuple(clauses)) for topic, clauses in (always | told).items())
    return tuple(one for one in found if one.clauses)[:_MOST]


def _gained(closed: PhaseClosed) -> Iterator[Clause]:
    """Yield who gained which centers, for each former owner apart."""
    game = closed.game
    before, after = closed.before.centers or {}, game.position.centers or {}
    for power in game.map.powers:
        won: dict[Power | None, list[Province]] = {}
        for center in sorted(after):
            if after[center] == power and before.get(center) != power:
                won.setdefault(before.get(center), []).append(center)
        yield from (Clause((power,), places=tuple(places), other=owner) for owner, places in won.items())


def _dislodged(closed: PhaseClosed) -> Iterator[Clause]:
    for verdict in closed.resolution.verdicts:
        if not isinstance(verdict.order, Waive) and Dislodged.result in verdict.results:
            by = next((one.by for one in verdict.outcomes if isinstance(one, Dislodged)), None)
            attacker = closed.before.units.get(by) if by is not None else None
            yield Clause((verdict.power,), (verdict.order.unit,), by=by, other=attacker)


def _standoffs(closed: PhaseClosed) -> Iterator[Clause]:
    for place in sorted(closed.resolution.contested):
        rivals = (
            one.power
            for one in closed.resolution.verdicts
            if isinstance(one.order, Move) and one.order.goal == place and Bounced.result in one.results
        )
        yield Clause(tuple(dict.fromkeys(rivals)), places=(place,))


def _retreated(verdicts: Iterable[Verdict]) -> Iterator[Clause]:
    for one in verdicts:
        if isinstance(one.order, Retreat) and one.succeeded:
            yield Clause((one.power,), (one.order.unit,), (one.order.to,))


def _disbanded(verdicts: Iterable[Verdict]) -> Iterator[Clause]:
    for one in verdicts:
        if isinstance(one.order, Disband | Hold) or (isinstance(one.order, Retreat) and not one.succeeded):
            yield Clause((one.power,), (one.order.unit,))


def _adjusted(verdicts: Iterable[Verdict], kind: type[Build | Disband]) -> Iterator[Clause]:
    """Yield the units that each power built or removed."""
    units: dict[Power, list[Unit]] = {}
    for one in verdicts:
        if isinstance(one.order, kind) and one.succeeded:
            units.setdefault(one.power, []).append(one.order.unit)
    yield from (Clause((power,), tuple(some)) for power, some in units.items())


def own_view(closed: PhaseClosed, powers: Sequence[Power]) -> OwnView | None:
    """Return what a phase brought the player of these powers; None if nothing."""
    mine = [one for one in closed.resolution.verdicts if one.power in powers]
    before, after = closed.before.centers or {}, closed.game.position.centers or {}
    won = tuple(place for place in sorted(after) if after[place] in powers and before.get(place) not in powers)
    gone = tuple(place for place in sorted(before) if before[place] in powers and after.get(place) not in powers)
    if not (mine or won or gone):
        return None
    given = [one for one in mine if one.given]
    succeeded = sum(one.succeeded for one in given)
    lost = tuple(one.order.unit for one in mine if not isinstance(one.order, Waive) and Dislodged.result in one.results)
    return OwnView(succeeded, len(given) - succeeded, lost, won, gone)
