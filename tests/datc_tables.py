"""Reads the case tables of `tests/datc`, see the README there."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from judge.rules.map import Map
from judge.rules.notation import read_order, read_unit
from judge.rules.orders import Order
from judge.rules.position import Dislodgement, Location, Phase, Position, Power, Province, Unit, province_of

FOLDER = Path(__file__).parent / "datc"


@dataclass
class PhaseTable:
    phase: Phase
    centers: dict[Province, Power] = field(default_factory=dict)
    units: dict[Unit, Power] = field(default_factory=dict)
    dislodged: dict[Unit, Dislodgement] = field(default_factory=dict)
    orders: dict[Power, list[Order]] = field(default_factory=dict)
    outcomes: dict[Power, list[str]] = field(default_factory=dict)
    automatic: set[Unit] = field(default_factory=set)
    after: dict[Unit, Power] = field(default_factory=dict)
    retreats: dict[Unit, Dislodgement] = field(default_factory=dict)

    def position(self) -> Position:
        return Position(self.phase, self.units, self.centers or None, self.dislodged)


@dataclass
class Case:
    id: str
    title: str
    phases: list[PhaseTable] = field(default_factory=list)


def read_cases(map_: Map) -> list[Case]:
    cases: list[Case] = []
    for path in sorted(FOLDER.glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            text = line.split("#")[0].rstrip()
            if not text:
                continue
            indent = len(text) - len(text.lstrip())
            if indent == 0:
                id_, title = text.split(maxsplit=1)
                cases.append(Case(id_, title))
            elif indent == 2:
                cases[-1].phases.append(PhaseTable(Phase.parse(text.strip())))
            else:
                _read_row(map_, cases[-1].phases[-1], text.strip())
    assert cases, f"no cases found in {FOLDER}"
    return cases


def _read_row(map_: Map, table: PhaseTable, text: str) -> None:
    kind, _, rest = text.partition(" ")
    rest = rest.strip()
    if kind.endswith(":"):
        power = Power(kind[:-1])
        assert power in map_.powers, text
        order, _, outcome = rest.partition("  ")
        table.orders.setdefault(power, []).append(read_order(order))
        table.outcomes.setdefault(power, []).append(outcome.strip())
        return
    if rest == "nobody":
        return
    name, _, listed = rest.partition(": ")
    power = Power(name)
    match kind:
        case "centers":
            table.centers.update({province_of(code): power for code in map(Location, listed.split(", "))})
        case "units":
            table.units.update({read_unit(unit): power for unit in listed.split(", ")})
        case "after":
            table.after.update({read_unit(unit): power for unit in listed.split(", ")})
        case "automatic":
            table.automatic.add(read_unit(listed))
        case "dislodged" | "retreats":
            unit, _, fate = listed.partition(" from ")
            origin, _, goals = fate.partition(" to ")
            retreats = () if goals == "nowhere" else tuple(Location(goal) for goal in goals.split())
            rows = table.dislodged if kind == "dislodged" else table.retreats
            rows[read_unit(unit)] = Dislodgement(
                power, province_of(Location(origin)), by_convoy=False, retreats=retreats
            )
        case _:
            raise AssertionError(f"what is {text!r}?")
