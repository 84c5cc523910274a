"""Cut Europe and its neighbors out of the `world-atlas` land, to make `coast.json`.

See README.md.

    python cartography/cut_out.py package/land-50m.json > cartography/coast.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from shapely import Polygon, box, get_parts, make_valid

REGION = box(-30, 24, 95, 76)
SMALLEST = 0.01
"""Square degrees; smaller islands are dropped."""


def rings(topology: dict[str, Any]) -> list[list[tuple[float, float]]]:
    """Return the outer ring of each piece of land, in degrees.

    TopoJSON 2.1: arcs are quantized and delta-encoded.
    """
    (x_scale, y_scale), (x_zero, y_zero) = topology["transform"]["scale"], topology["transform"]["translate"]

    def arc(number: int) -> list[tuple[float, float]]:
        x = y = 0
        points = []
        for step_x, step_y in topology["arcs"][~number if number < 0 else number]:
            x, y = x + step_x, y + step_y
            points.append((x * x_scale + x_zero, y * y_scale + y_zero))
        return points[::-1] if number < 0 else points

    land = topology["objects"]["land"]["geometries"][0]["arcs"]
    return [[point for number in polygon[0] for point in arc(number)] for polygon in land]


def unwrapped(ring: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Continue a ring beyond the date line, so that no edge crosses the picture."""
    points = [ring[0]]
    for x, y in ring[1:]:
        points.append((x - 360 * round((x - points[-1][0]) / 360), y))
    turns = 360 * round(sum(x for x, _ in points) / len(points) / 360)
    return [(x - turns, y) for x, y in points]


def main() -> None:
    """Write the rings, one a line."""
    kept = []
    for ring in rings(json.loads(Path(sys.argv[1]).read_text("utf-8"))):
        piece = make_valid(Polygon(unwrapped(ring))).intersection(REGION)
        parts = get_parts(get_parts(piece))
        kept += [part for part in parts if isinstance(part, Polygon) and part.area > SMALLEST]
    kept.sort(key=lambda part: -part.area)
    lines = [json.dumps([[round(x, 2), round(y, 2)] for x, y in part.exterior.coords[:-1]]) for part in kept]
    sys.stdout.write("[\n" + ",\n".join(line.replace(", ", ",") for line in lines) + "\n]\n")


if __name__ == "__main__":
    main()
