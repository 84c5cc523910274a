"""The board game: from positions and orders to outcomes with reasons and the next position.

Pure: no clock, no files except the shipped maps, no database. See `adjudicate` and `docs/architecture.md`.
"""

from judge.rules.adjudication import adjudicate
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.legality import check
from judge.rules.map import Map, load_map
from judge.rules.notation import read_order, read_unit, write_order
from judge.rules.options import PROFILES, STANDARD, Options
from judge.rules.outcomes import Resolution
from judge.rules.position import Location, Phase, Position, Power, Province, Unit, UnitKind

__all__ = [
    "NORMAL",
    "PROFILES",
    "STANDARD",
    "Circumstances",
    "Location",
    "Map",
    "Options",
    "Phase",
    "Position",
    "Power",
    "Province",
    "Resolution",
    "Unit",
    "UnitKind",
    "adjudicate",
    "check",
    "load_map",
    "read_order",
    "read_unit",
    "write_order",
]
