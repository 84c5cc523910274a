"""Orders as arrows: one shape for each kind of order, with its outcome."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from judge.reports.pictures import lines, signs
from judge.reports.pictures.drawing import Drawing, Point
from judge.reports.pictures.lines import Line
from judge.reports.pictures.scene import Group, Item, Shape, circle, line_path, ring_path
from judge.reports.pictures.views import PictureView
from judge.rules.map import load_map
from judge.rules.notation import write_order
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Retreat, Support, Waive
from judge.rules.outcomes import Dislodged, Illegal, Verdict
from judge.rules.position import Location, PhaseKind, Power, Province, Unit, UnitKind, province_of


@dataclass(slots=True)
class Arrows:
    """The arrows of one picture.

    A support line ends at the arrow of the move it supports.
    """

    view: PictureView
    drawing: Drawing
    ways: dict[Province, Line] = field(default_factory=dict)
    """Province a unit moves from → the whole line of its arrow."""
    joined: dict[tuple[Province, Province], int] = field(default_factory=dict)
    """Move → how many supports already end at its arrow."""
    crosses: list[Point] = field(default_factory=list)
    written: tuple[Point, ...] = ()
    """The centers of codes and names, which are drawn above all lines."""
    standing: tuple[Point, ...] = ()

    def __post_init__(self) -> None:
        """Collect what crosses must not cover: labels, units and flags."""
        names = (province.name.at for province in self.drawing.provinces.values())
        self.written = (*(places.label for places in self.drawing.places.values()), *names)
        flags = [self.drawing.provinces[taken.center].center for taken in self.view.taken]
        units = [self.drawing.at(unit.location).unit for unit in self.view.units]
        self.standing = (*units, *(flag for flag in flags if flag is not None))

    def drawn(self) -> tuple[Item, ...]:
        """Return all arrows, those of supports beneath those of moves."""
        found = self._counting()
        for verdict in found:
            if isinstance(verdict.order, Move) and not self._is_far(verdict.order, verdict):
                self.ways.setdefault(verdict.order.unit.province, self._way(verdict.order))
        moves = [self._one(verdict) for verdict in found if isinstance(verdict.order, Move | Retreat)]
        others = [self._one(verdict) for verdict in found if not isinstance(verdict.order, Move | Retreat)]
        return tuple(group for group in (*others, *moves) if group is not None)

    def _counting(self) -> Sequence[Verdict]:
        """Return one order for each unit: a legal one of its power, else the first."""
        counting: dict[Province, Verdict] = {}
        for verdict in filter(self._is_of_a_unit, self.view.verdicts):
            assert not isinstance(verdict.order, Waive)
            place = verdict.order.unit.province
            if place not in counting or (_is_illegal(counting[place]) and not _is_illegal(verdict)):
                counting[place] = verdict
        return list(counting.values())

    def _is_of_a_unit(self, verdict: Verdict) -> bool:
        """Whether the unit of an order exists; other orders cannot be drawn."""
        if isinstance(verdict.order, Waive | Build):
            return False
        unit = verdict.order.unit
        owners = {other.province: power for other, power in self.view.units.items()}
        if self.view.phase.kind is PhaseKind.RETREAT:
            owners = {other.province: loss.power for other, loss in self.view.dislodged.items()}
        if owners.get(unit.province) != verdict.power:
            return False
        to = getattr(verdict.order, "to", None)
        return to is None or province_of(to) in self.drawing.provinces

    def _one(self, verdict: Verdict) -> Group | None:
        order = verdict.order
        match order:
            case Move():
                kind, items = "move", self._move(order, verdict)
            case Support():
                kind, items = ("support-move" if order.to else "support-hold"), self._support(order, verdict)
            case Convoy():
                kind, items = "convoy", self._convoy(order, verdict)
            case Retreat():
                kind, items = "retreat", self._retreat(order, verdict)
            case Hold():
                kind = "hold"
                held = signs.held_bars(order.unit, self._stand(order.unit), self.drawing.signs.unit)
                items = held if verdict.given else ()
            case Build() | Disband() | Waive():
                return None
            case _:
                assert_never(order)
        kinds = (
            kind,
            *(("failed", *(result.replace(" ", "-") for result in verdict.results)) if _failed(verdict) else ()),
        )
        return Group(items, id=f"order-{order.unit.province}", kinds=kinds, title=write_order(order)) if items else None

    def _stand(self, unit: Unit) -> Point:
        """Return where the unit in this unit's province is drawn, whatever coast the order names."""
        there = next((other for other in self.view.units if other.province == unit.province), unit)
        return self.drawing.at(there.location).unit

    def _goal(self, to: Location, kind: UnitKind) -> Point:
        return self.drawing.at(to if kind is UnitKind.FLEET else province_of(to)).unit

    @property
    def _radius(self) -> float:
        return self.drawing.signs.unit[1] / 2

    @property
    def _thick(self) -> float:
        return self.drawing.signs.unit[1] * 0.24

    def _room(self, province: Province) -> float:
        """Return the gap between an arrow and its goal.

        If a unit stands there, the arrow ends at the unit's edge.
        """
        occupied = any(unit.province == province for unit in self.view.units)
        return self._radius * (1.35 if occupied else 0.35)

    def _way(self, order: Move) -> Line:
        start, goal = self._stand(order.unit), self._goal(order.to, order.unit.kind)
        stops = [self._stand(fleet) for fleet in self._carriers(order)]
        if stops:
            return lines.through((start, *stops, goal))
        return lines.bent(start, goal) if start != goal else lines.bent(start, (goal[0] + 1, goal[1]))

    def _carriers(self, order: Move) -> tuple[Unit, ...]:
        """Return the fleets on the shortest convoy route; empty if the army walks."""
        board = load_map(self.view.board)
        if order.unit.kind is not UnitKind.ARMY:
            return ()
        walks = order.to in board.neighbors(order.unit) and not order.by_convoy
        carriers = {
            verdict.order.unit.province: verdict.order.unit
            for verdict in self.view.verdicts
            if isinstance(verdict.order, Convoy)
            and verdict.order.army.province == order.unit.province
            and province_of(verdict.order.to) == order.goal
        }
        return () if walks else _route(board.borders, carriers, order.unit.province, order.goal)

    def _is_far(self, order: Move | Support, verdict: Verdict) -> bool:
        """Whether an illegal order is about a place that does not border the unit.

        A line to that place could cross half the board.
        """
        goal = province_of(order.to) if order.to else order.unit.province
        if isinstance(order, Support) and not order.to:
            goal = order.supported.province
        return _is_illegal(verdict) and goal not in load_map(self.view.board).borders[order.unit.province]

    def _refused(self, unit: Unit) -> tuple[Item, ...]:
        """Return a cross beside a unit whose order is not drawn as a line."""
        (x, y), aside = self._stand(unit), self._radius * 1.5
        around = ((0.8, -0.8), (0.8, 0.8), (-0.8, 0.8), (-0.8, -0.8))
        return self._crossed([(x + aside * right, y + aside * down) for right, down in around])

    def _move(self, order: Move, verdict: Verdict) -> tuple[Item, ...]:
        if self._is_far(order, verdict):
            return self._refused(order.unit)
        way = lines.cut(self.ways[order.unit.province], self._radius, self._room(order.goal))
        dash = (self._thick * 1.5, self._thick * 1.1) if _failed(verdict) else ()
        return (
            *_arrow(way, verdict.power, self._thick, dash),
            *(self._failure(way) if _failed(verdict) else ()),
        )

    def _failure(self, way: Line) -> tuple[Item, ...]:
        """Return a cross near the middle of a line, on a free spot if possible."""
        return self._crossed([lines.at(way, fraction) for fraction in (0.48, 0.38, 0.58, 0.28, 0.68)])

    def _crossed(self, spots: Sequence[Point]) -> tuple[Item, ...]:
        """Return a cross on the first of these points that is free."""
        radius = self._radius * 0.6
        spot = next((spot for spot in spots if self._is_free(spot, radius)), spots[0])
        self.crosses.append(spot)
        return signs.failure(spot, radius)

    def _is_free(self, spot: Point, radius: float) -> bool:
        wide, high = self.drawing.signs.label
        return all(
            abs(spot[0] - x) > wide / 2 + radius or abs(spot[1] - y) > high / 2 + radius for x, y in self.written
        ) and all(math.dist(spot, other) > 1.9 * radius for other in (*self.crosses, *self.standing))

    def _support(self, order: Support, verdict: Verdict) -> tuple[Item, ...]:
        if self._is_far(order, verdict):
            return self._refused(order.unit)
        start = self._stand(order.unit)
        target = self._supported(order)
        gap = self._radius * (0.1 if order.to else 1.55)
        way = lines.cut(lines.bent(start, target, 0.06), self._radius, gap)
        width = self._thick * 0.62
        items: list[Item] = [
            Shape(line_path(way), stroke="halo", width=width * 2.1),
            Shape(line_path(way), stroke="edge", width=width * 1.25, dash=(0.1, width * 2.1)),
            Shape(line_path(way), stroke=verdict.power, width=width * 0.8, dash=(0.1, width * 2.1)),
        ]
        if order.to:
            items.append(Shape(circle(way[-1], width * 1.2), fill=verdict.power, stroke="edge", width=width * 0.3))
        else:
            ring = circle(target, self._radius * 1.42)
            items.insert(0, Shape(ring, stroke="halo", width=width * 1.9))
            items.append(Shape(ring, stroke="edge", width=width * 1.1))
            items.append(Shape(ring, stroke=verdict.power, width=width * 0.7))
        return (*items, *(self._failure(way) if _failed(verdict) else ()))

    def _supported(self, order: Support) -> Point:
        """Return the end of a support line: the supported unit, or its move's arrow."""
        if order.to is None:
            return self._stand(order.supported)
        goal = self._goal(order.to, order.supported.kind)
        way = self.ways.get(order.supported.province)
        if way is None or math.dist(way[-1], goal) > self._radius * 6:
            way = self._way(Move(order.supported, order.to))
        key = (order.supported.province, province_of(order.to))
        nth = self.joined[key] = self.joined.get(key, -1) + 1
        return lines.at(way, (0.6, 0.5, 0.7, 0.4, 0.3)[nth % 5])

    def _convoy(self, order: Convoy, verdict: Verdict) -> tuple[Item, ...]:
        """Return a wave around the fleet.

        If the army's arrow does not pass the fleet, a thin line leads from the army over the fleet to its goal.
        """
        here, width = self._stand(order.unit), self._thick * 0.55
        ring = circle(here, self._radius * 1.5)
        items: list[Item] = [
            Shape(ring, stroke="halo", width=width * 2.2),
            Shape(ring, stroke="edge", width=width * 1.3, dash=(width * 2.6, width * 1.4), butt=True),
            Shape(ring, stroke=verdict.power, width=width * 0.8, dash=(width * 2.6, width * 1.4), butt=True),
        ]
        way = self.ways.get(order.army.province)
        if not _is_illegal(verdict) and (way is None or min(math.dist(here, point) for point in way) > self._radius):
            stops = (self._stand(order.army), here, self._goal(order.to, UnitKind.ARMY))
            thin = lines.cut(lines.through(stops), self._radius, self._radius)
            items.insert(0, Shape(line_path(thin), stroke="halo", width=width * 1.8))
            dash = (width * 2.6, width * 2)
            items.insert(1, Shape(line_path(thin), stroke="edge", width=width * 1.1, dash=dash, butt=True))
            items.insert(2, Shape(line_path(thin), stroke=verdict.power, width=width * 0.7, dash=dash, butt=True))
        return (*items, *(self._refused(order.unit) if _failed(verdict) else ()))

    def _retreat(self, order: Retreat, verdict: Verdict) -> tuple[Item, ...]:
        start = next(
            (self.drawing.at(u.location).dislodged for u in self.view.dislodged if u.province == order.unit.province),
            self.drawing.at(order.unit.location).dislodged,
        )
        way = lines.bent(start, self._goal(order.to, order.unit.kind))
        way = lines.cut(way, self.drawing.signs.dislodged[1] / 2, self._room(province_of(order.to)))
        thick = self._thick * 0.75
        return (
            *_arrow(way, verdict.power, thick, (thick * 3, thick * 1.2, 0.1, thick * 1.2)),
            *(self._failure(way) if _failed(verdict) else ()),
        )


def _is_illegal(verdict: Verdict) -> bool:
    return any(isinstance(one, Illegal) for one in verdict.outcomes)


def _failed(verdict: Verdict) -> bool:
    """Whether the order did not succeed.

    The order of a dislodged unit may still have succeeded, unless it is a move.
    """
    return any(one.result != Dislodged.result or isinstance(verdict.order, Move) for one in verdict.outcomes)


def _arrow(way: Line, power: Power, thick: float, dash: tuple[float, ...]) -> tuple[Item, ...]:
    """Return a shaft and a head, with a light edge around both."""
    size = min(thick * 3.0, lines.length(way) * 0.6)
    shaft = lines.cut(way, 0, size * 0.8)
    head = ring_path((_head(way, size),))
    return (
        Shape(line_path(shaft), stroke="halo", width=thick * 1.75),
        Shape(head, fill="halo", stroke="halo", width=thick * 0.8),
        Shape(line_path(shaft), stroke="edge", width=thick * 1.2, dash=dash, butt=True),
        Shape(head, fill=power, stroke="edge", width=thick * 0.22),
        Shape(line_path(shaft), stroke=power, width=thick * 0.84, dash=dash, butt=True),
    )


def _head(way: Line, size: float) -> Line:
    (x, y), turn = way[-1], lines.heading(way)
    return tuple(
        (x + reach * math.cos(turn + side), y + reach * math.sin(turn + side))
        for reach, side in (
            (0, 0),
            (size * 1.12, math.pi - 0.46),
            (size * 0.78, math.pi),
            (size * 1.12, math.pi + 0.46),
        )
    )


def _route(
    borders: Mapping[Province, frozenset[Province]],
    carriers: Mapping[Province, Unit],
    start: Province,
    goal: Province,
) -> tuple[Unit, ...]:
    """Return the shortest chain of fleets from shore to shore; empty if there is none."""
    chains: list[tuple[Province, ...]] = [(sea,) for sea in sorted(carriers) if sea in borders[start]]
    seen = {chain[-1] for chain in chains}
    for chain in chains:  # grows while it is read
        if goal in borders[chain[-1]]:
            return tuple(carriers[sea] for sea in chain)
        further = [sea for sea in sorted(carriers) if sea in borders[chain[-1]] and sea not in seen]
        seen.update(further)
        chains += [(*chain, sea) for sea in further]
    return ()
