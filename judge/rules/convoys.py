"""Convoy routes: chains of provinces with convoying fleets, from coast to coast."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from judge.rules.map import Map
from judge.rules.position import Province

_NOWHERE: Final[frozenset[Province]] = frozenset()


def has_route(map_: Map, fleets: AbstractSet[Province], start: Province, goal: Province) -> bool:
    """Whether some of the fleets form a chain between two coasts."""
    borders = map_.sea_borders
    arriving = borders.get(goal, _NOWHERE)
    fleets = fleets - {start, goal}  # a fleet on a canal carries no army to or from its own province
    waiting = [fleet for fleet in fleets if fleet in borders.get(start, _NOWHERE)]
    seen = set(waiting)
    while waiting:
        here = waiting.pop()
        if here in arriving:
            return True
        for sea in borders.get(here, _NOWHERE):
            if sea in fleets and sea not in seen:
                seen.add(sea)
                waiting.append(sea)
    return False


def on_some_route(map_: Map, fleets: AbstractSet[Province], start: Province, goal: Province) -> frozenset[Province]:
    """Return the fleets on any route between two coasts that needs all its fleets.

    A fleet the route does not need is on no route (DATC 6.G.19). In such a route two fleets touch
    only if they are neighbors in the chain, only the first touches the start and only the last the goal.
    """
    borders = map_.sea_borders
    if map_.is_sea(start) or map_.is_sea(goal):
        return _NOWHERE
    fleets = fleets - {start, goal}
    arriving = borders.get(goal, _NOWHERE) & fleets
    leaving = borders.get(start, _NOWHERE) & fleets
    if not arriving or not leaving:
        return _NOWHERE
    found: set[Province] = set()

    def follow(route: tuple[Province, ...], closed: AbstractSet[Province]) -> None:
        here = route[-1]
        if here in arriving:
            found.update(route)
            return
        onward = (borders.get(here, _NOWHERE) & fleets) - closed
        for sea in onward:
            follow((*route, sea), closed | onward)

    for sea in leaving:
        follow((sea,), leaving)
    return frozenset(found)
