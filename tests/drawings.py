"""A drawing made of squares, and phases with a bit of everything.

With it pictures are tested without the real drawing.
"""

from __future__ import annotations

from typing import Any

from judge.reports.pictures import PictureView, played_view
from judge.rules import adjudicate, load_map
from judge.rules.exchange import read_task
from judge.rules.map import ProvinceKind

_SIDE = 200


def squares(board: str = "standard") -> dict[str, Any]:
    """Return the content of a `drawing.json`: each province a square, nine in a row."""
    provinces: dict[str, Any] = {}
    for nth, (code, info) in enumerate(sorted(load_map(board).provinces.items())):
        x, y = nth % 9 * _SIDE, nth // 9 * _SIDE
        provinces[code] = {
            "kind": {"sea": "sea", "inland": "land", "coastal": "coast"}[ProvinceKind(info.kind).value],
            "rings": [[[x, y], [x + _SIDE, y], [x + _SIDE, y + _SIDE], [x, y + _SIDE]]],
            "unit": [x + 60, y + 60],
            "dislodged": [x + 130, y + 60],
            "center": [x + 160, y + 120] if info.is_center else None,
            "label": [x + 100, y + 150],
            "name": {"at": [x + 100, y + 180], "angle": 0, "width": 180},
            "coasts": {
                coast[4:]: {
                    "unit": [x + 60, y + 30 + 60 * n],
                    "dislodged": [x + 130, y + 30 + 60 * n],
                    "label": [x + 20, y + 20 + 90 * n],
                }
                for n, coast in enumerate(info.coasts)
            },
        }
    return {
        "size": [9 * _SIDE, -(-len(provinces) // 9) * _SIDE],
        "provinces": provinces,
        "impassable": [],
        "signs": {"unit": [44, 32], "dislodged": [36, 26], "center": 8, "label": [46, 20]},
    }


CENTERS = {
    "AUSTRIA": ["BUD", "TRI", "VIE", "SER"],
    "ENGLAND": ["EDI", "LON", "LVP", "NWY"],
    "FRANCE": ["BRE", "MAR", "PAR", "SPA"],
    "GERMANY": ["BER", "KIE", "MUN", "HOL"],
    "ITALY": ["NAP", "ROM", "VEN"],
    "RUSSIA": ["MOS", "SEV", "STP", "WAR"],
    "TURKEY": ["ANK", "CON", "SMY", "BUL"],
}
MOVEMENT: dict[str, Any] = {
    "phase": "F1902M",
    "units": {
        "AUSTRIA": ["A BUD", "A SER", "A VIE"],
        "ENGLAND": ["A YOR", "F NTH", "F NWG", "F ENG"],
        "FRANCE": ["A BUR", "A MAR", "F SPA/SC"],
        "GERMANY": ["A MUN", "A RUH", "F HOL"],
        "ITALY": ["A VEN", "A ROM", "F ION"],
        "RUSSIA": ["A WAR", "A UKR", "F SEV", "F STP/SC"],
        "TURKEY": ["A BUL", "F BLA", "F CON"],
    },
    "centers": CENTERS,
    "orders": {
        "AUSTRIA": ["A BUD - RUM", "A SER S A BUD - RUM", "A VIE - GAL"],
        "ENGLAND": ["A YOR - BEL VIA", "F NTH C A YOR - BEL", "F NWG H", "F ENG S A YOR - BEL"],
        "FRANCE": ["A BUR - MUN", "A MAR S A BUR", "F SPA/SC - WES"],
        "GERMANY": ["A MUN H", "A RUH S A MUN", "F HOL - BEL"],
        "ITALY": ["A VEN - TYR", "A ROM - TUN VIA", "F ION C A ROM - TUN"],
        "RUSSIA": ["A WAR - GAL", "A UKR S F SEV - RUM", "F SEV - RUM", "F STP/SC - BOT"],
        "TURKEY": ["A BUL - SER", "F BLA C A BUL - SEV", "F CON S A SER"],
    },
}
SIEGE: dict[str, Any] = {
    "phase": "S1903M",
    "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "A BER", "A KIE", "A SIL", "A BOH"]},
    "centers": CENTERS,
    "orders": {
        "FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"],
        "GERMANY": ["A MUN - BUR", "A BER H", "A KIE H", "A SIL H", "A BOH H"],
    },
}
DESTROYED: dict[str, Any] = SIEGE | {
    "units": SIEGE["units"] | {"ITALY": ["A TYR"]},
}
"""A siege in which the dislodged army has nowhere to retreat."""
RETREAT: dict[str, Any] = {
    "phase": "F1903R",
    "units": {"FRANCE": ["A MUN"], "ITALY": ["A TRI"]},
    "dislodged": {
        "GERMANY": {"A MUN": {"from": "BUR", "retreats": ["BOH", "SIL"]}},
        "AUSTRIA": {"A TRI": {"from": "VEN", "retreats": ["VIE", "BUD"]}},
    },
    "centers": CENTERS,
    "orders": {"GERMANY": ["A MUN R SIL"], "AUSTRIA": ["A TRI D"]},
}
CLASH: dict[str, Any] = RETREAT | {
    "dislodged": {
        "GERMANY": {"A MUN": {"from": "BUR", "retreats": ["TYR", "SIL"]}},
        "AUSTRIA": {"A TRI": {"from": "VEN", "retreats": ["TYR", "BUD"]}},
    },
    "orders": {"GERMANY": ["A MUN R TYR"], "AUSTRIA": ["A TRI R TYR"]},
}
WINTER: dict[str, Any] = {
    "phase": "W1903A",
    "units": {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH", "A SIL", "A BER", "A KIE"]},
    "centers": CENTERS,
    "orders": {"FRANCE": ["F BRE B", "A PAR B"], "GERMANY": ["A SIL D"]},
}


def played(line: dict[str, Any], title: str = "") -> PictureView:
    """Return the view of an adjudicated line, as a picture shows it."""
    task = read_task(line)
    resolution = adjudicate(task.map, task.position, task.orders, task.options, task.circumstances)
    return played_view(task.map.name, resolution, title)
