"""Views of pictures: values made from the results that reports show, never a game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from judge.reports.sections import YearOfCenters
from judge.rules.map import load_map
from judge.rules.orders import Build, Disband, Order, Retreat, Waive
from judge.rules.outcomes import Destroyed, Dislodged, Resolution, Verdict
from judge.rules.position import Dislodgement, Phase, PhaseKind, Position, Power, Province, Unit, province_of


class PictureKind(StrEnum):
    """What a picture of the board is about."""

    POSITION = "position"
    """The units in an open phase, or at the end."""
    PLAYED = "played"
    """The orders of a phase and their outcomes."""
    SUPPOSED = "supposed"
    """The outcomes of assumed orders: the answer to WHATIF."""
    FILED = "filed"
    """Orders on file, with outcomes still unknown."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A center that changed hands."""

    center: Province
    loser: Power | None
    """None: it had no owner."""
    winner: Power | None


@dataclass(frozen=True, slots=True)
class Fates:
    """What happened to units in a phase, by province: an order may name another coast."""

    lost: frozenset[Province]
    """Where units were dislodged."""
    gone: frozenset[Province]
    """Where units left the board, ordered or not."""
    built: Mapping[Unit, Power]
    phase: PhaseKind

    @property
    def of_standing(self) -> Fates:
        """The fates of units not dislodged: in a retreat phase, nothing happens to them."""
        return Fates(frozenset(), frozenset(), {}, self.phase) if self.phase is PhaseKind.RETREAT else self


@dataclass(frozen=True, slots=True)
class PictureView:
    """Everything that a picture of a board shows."""

    kind: PictureKind
    board: str
    phase: Phase
    """The open phase, or the one that was played."""
    owners: Mapping[Province, Power]
    """Center → its owner at the start of the phase."""
    units: Mapping[Unit, Power]
    """The units at the start of the phase, without dislodged ones."""
    dislodged: Mapping[Unit, Dislodgement] = field(default_factory=dict)
    """Units that have to retreat, or had to in the phase that was played."""
    verdicts: tuple[Verdict, ...] = ()
    taken: tuple[Taken, ...] = ()
    standoffs: tuple[Province, ...] = ()
    """Provinces left empty by a standoff."""
    counts: Mapping[Power, int] = field(default_factory=dict)
    """Power → how many centers it has at the end of the phase."""
    title: str = ""
    """Written before the phase: the name of a game."""

    @property
    def fates(self) -> Fates:
        """Return what happened to units in the phase that was played."""
        lost: set[Province] = set()
        gone: set[Province] = set()
        built: dict[Unit, Power] = {}
        for verdict in self.verdicts:
            order, outcomes = verdict.order, verdict.outcomes
            if isinstance(order, Waive):
                continue
            if Dislodged.result in verdict.results:
                lost.add(order.unit.province)
            if Destroyed.result in verdict.results or (isinstance(order, Disband) and not outcomes):
                gone.add(order.unit.province)
            if isinstance(order, Build) and not outcomes:
                built[order.unit] = verdict.power
        return Fates(frozenset(lost), frozenset(gone), built, self.phase.kind)


@dataclass(frozen=True, slots=True)
class CentersChart:
    """How many centers each power owned, year by year."""

    board: str
    years: tuple[YearOfCenters, ...]
    title: str = ""


def position_view(board: str, position: Position, title: str = "") -> PictureView:
    """Return a view of where the units are."""
    owners = dict(position.centers or {})
    return PictureView(
        PictureKind.POSITION,
        board,
        position.phase,
        owners,
        position.units,
        dislodged=position.dislodged,
        standoffs=tuple(sorted(position.contested)) if position.phase.kind is PhaseKind.RETREAT else (),
        counts=_counts(owners),
        title=title,
    )


def played_view(
    board: str, resolution: Resolution, title: str = "", kind: PictureKind = PictureKind.PLAYED
) -> PictureView:
    """Return a view of the played or assumed orders of a phase, with their outcomes."""
    before = resolution.before
    assert before is not None  # an adjudicated phase had a position
    owners, after = dict(before.centers or {}), resolution.position.centers or {}
    changed = sorted(center for center in owners.keys() | after.keys() if owners.get(center) != after.get(center))
    return PictureView(
        kind,
        board,
        resolution.phase,
        owners,
        before.units,
        dislodged=before.dislodged,
        verdicts=resolution.verdicts,
        taken=tuple(Taken(center, owners.get(center), after.get(center)) for center in changed),
        standoffs=_standoffs(resolution),
        counts=_counts(after),
        title=title,
    )


def filed_view(
    board: str, position: Position, orders: Mapping[Power, tuple[Order, ...]], title: str = ""
) -> PictureView:
    """Return a view of the orders on file: arrows without outcomes."""
    owners = dict(position.centers or {})
    return PictureView(
        PictureKind.FILED,
        board,
        position.phase,
        owners,
        position.units,
        dislodged=position.dislodged,
        verdicts=tuple(Verdict(power, order) for power, its_orders in orders.items() for order in its_orders),
        counts=_counts(owners),
        title=title,
    )


def _counts(owners: Mapping[Province, Power]) -> Mapping[Power, int]:
    counts: dict[Power, int] = {}
    for power in owners.values():
        counts[power] = counts.get(power, 0) + 1
    return counts


def _standoffs(resolution: Resolution) -> tuple[Province, ...]:
    """Return where several moves bounced or retreats clashed and left the province empty."""
    standing = {unit.province for unit in resolution.position.units}
    clashed = {
        province_of(verdict.order.to)
        for verdict in resolution.verdicts
        if isinstance(verdict.order, Retreat)
        and any(isinstance(one, Destroyed) and one.clashed_with for one in verdict.outcomes)
    }
    return tuple(sorted((resolution.contested | clashed) - standing))


def front(view: PictureView, powers: Collection[Power]) -> frozenset[Province]:
    """Return where units of these powers and of others stand beside each other."""
    borders = load_map(view.board).borders
    own = [unit.province for unit, power in view.units.items() if power in powers]
    others = {unit.province for unit, power in view.units.items() if power not in powers}
    return frozenset(one for unit in own for beside in borders[unit] & others for one in (unit, beside))


def influence(view: PictureView) -> dict[Province, Power]:
    """Return land without a center → the power whose color it is tinted with.

    It is the power of the unit there. Otherwise, on a power's original land, it is the power that owns most of its home
    centers.
    """
    board = load_map(view.board)
    tinted: dict[Province, Power] = {}
    for power in board.powers:
        held = _counts({center: view.owners[center] for center in board.home_centers[power] if center in view.owners})
        if held:
            most = max(held, key=lambda one: (held[one], one == power, -board.powers.index(one)))
            tinted |= dict.fromkeys(board.home_land[power], most)
    tinted |= {unit.province: power for unit, power in view.units.items()}
    free = board.provinces.keys() - board.supply_centers - board.seas
    return {province: power for province, power in sorted(tinted.items()) if province in free}
