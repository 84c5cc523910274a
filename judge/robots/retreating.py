"""Retreats of a robot."""

from __future__ import annotations

from random import Random

from judge.robots.values import Values
from judge.robots.view import RobotView
from judge.rules import Province, Unit
from judge.rules.orders import Disband, Retreat, RetreatOrder
from judge.rules.position import province_of


def retreats(view: RobotView, chance: Random) -> list[RetreatOrder]:
    """Return a retreat or removal for every dislodged unit.

    Each unit goes where it is worth most, and no two to the same province. Without a place, it disbands.
    """
    values = Values(view)
    lost = [(unit, loss) for unit, loss in view.position.dislodged.items() if loss.power in view.powers]
    lost.sort(key=lambda item: (len(item[1].retreats), item[0].location))
    taken: set[Province] = set()
    found: list[RetreatOrder] = []
    for unit, loss in lost:
        open_ = [to for to in loss.retreats if province_of(to) not in taken]
        worth = {to: values.of(Unit(unit.kind, to)) * chance.uniform(0.95, 1.05) for to in open_}
        if not open_:
            found.append(Disband(unit))
            continue
        best = max(open_, key=worth.__getitem__)
        taken.add(province_of(best))
        found.append(Retreat(unit, best))
    return found
