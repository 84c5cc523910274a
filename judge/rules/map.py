"""A board: provinces, borders, home centers and the start.

The rest of `rules` names no province.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from typing import Any

from judge.errors import BoardError
from judge.resources import board_data, board_folder, boards, shipped_boards
from judge.rules.notation import read_unit
from judge.rules.orders import Build, Disband, Hold
from judge.rules.position import (
    Location,
    Phase,
    PhaseKind,
    Position,
    Power,
    Province,
    Season,
    Unit,
    UnitKind,
    province_of,
)
from judge.rules.setups import SetUp

_ARMY = UnitKind.ARMY


class ProvinceKind(StrEnum):
    """What can stand in a province."""

    SEA = "sea"
    INLAND = "inland"
    COASTAL = "coastal"
    IMPASSABLE = "impassable"
    """Nothing can enter it."""


@dataclass(frozen=True, slots=True)
class ProvinceInfo:
    """The facts of a province."""

    code: Province
    name: str
    kind: ProvinceKind
    is_center: bool
    coasts: tuple[Location, ...]
    """The coasts of a split coast, such as `SPA/NC`; empty for other provinces."""


@dataclass(frozen=True)
class Map:
    """A board as read from its folder; look-up tables are made once, on first use."""

    name: str
    first_year: int
    victory_centers: int
    """How many centers one power needs to win (`centers`)."""
    victory_units: int
    """How many units one player needs to win (`units`)."""
    armistice_centers: int
    """How many centers the agreeing powers need together to end the game (`armistice`)."""
    powers: tuple[Power, ...]
    provinces: Mapping[Province, ProvinceInfo]
    home_centers: Mapping[Power, frozenset[Province]]
    home_land: Mapping[Power, frozenset[Province]]
    start_units: Mapping[Unit, Power]
    start_centers: Mapping[Province, Power]
    """The centers owned at the start."""
    first_season: Season
    """The season of the first phase; if winter, the game starts with builds."""
    years_per_turn: int
    """Years from one spring to the next."""
    build_centers: Mapping[Power, frozenset[Province]]
    """The centers where a power may build while it owns them.

    They are its home centers, all centers, or those the board lists.
    """
    unplayed: frozenset[Power]
    """Neutral powers, unplayed in every set-up."""
    carriers: frozenset[Province]
    """Where fleets convoy: the seas, and land such as canals and archipelagos."""
    letters: Mapping[Power, str]
    """The mark of each power on pictures: one or two letters."""
    source: Mapping[str, str]
    """The designer, the origin of the data and its license."""
    army_borders: Mapping[Location, tuple[Location, ...]]
    """Where an army can walk from a province, sorted."""
    fleet_borders: Mapping[Location, tuple[Location, ...]]
    """Where a fleet can sail from a location, sorted."""
    setups: Mapping[str, SetUp]
    """Ways to share the powers among players, by name."""

    def start(self, setup: SetUp | None = None) -> Position:
        """Return the position at the start of the first phase."""
        return Position(self.first_phase(setup), self.start_units, self.start_centers)

    def first_phase(self, setup: SetUp | None = None) -> Phase:
        """Return the first phase, on most boards a spring movement phase."""
        year = self.first_year if setup is None else setup.start_year
        kind = PhaseKind.ADJUSTMENT if self.first_season is Season.WINTER else PhaseKind.MOVEMENT
        return Phase(self.first_season, year, kind)

    def turn_after(self, phase: Phase) -> Phase:
        """Return the first phase of the next turn: fall after spring, else the next spring."""
        if phase.season is Season.SPRING:
            return Phase(Season.FALL, phase.year, PhaseKind.MOVEMENT)
        return Phase(Season.SPRING, phase.year + self.years_per_turn, PhaseKind.MOVEMENT)

    @cached_property
    def usual_players(self) -> str:
        """The name of the set-up for the most players."""
        return max(self.setups, key=lambda name: len(self.setups[name].assignments))

    def setup_for(self, players: str) -> SetUp:
        """Return the set-up of that name, or the usual one if there is none.

        The option `players` has the same default for all boards.
        """
        return self.setups.get(players) or self.setups[self.usual_players]

    def can_stand(self, unit: Unit) -> bool:
        """Whether a unit of that kind can stand in exactly that location."""
        borders = self.army_borders if unit.kind is UnitKind.ARMY else self.fleet_borders
        return unit.location in borders

    def can_enter(self, kind: UnitKind, province: Province) -> bool:
        """Whether a unit of that kind can stand anywhere in a province."""
        return any(province_of(here) == province for here in self.units[kind])

    def neighbors(self, unit: Unit) -> tuple[Location, ...]:
        """Return where the unit can go without a convoy, sorted.

        Empty if it cannot even stand where it is.
        """
        borders = self.army_borders if unit.kind is UnitKind.ARMY else self.fleet_borders
        return borders.get(unit.location, ())

    def coasts_in_reach(self, unit: Unit, province: Province) -> tuple[Location, ...]:
        """Return the locations of a province the unit can go to without a convoy."""
        return tuple(to for to in self.neighbors(unit) if province_of(to) == province)

    def is_sea(self, province: Province) -> bool:
        """Whether it is a sea province."""
        return province in self.seas

    @cached_property
    def seas(self) -> frozenset[Province]:
        """The sea provinces."""
        return frozenset(code for code, info in self.provinces.items() if info.kind is ProvinceKind.SEA)

    @cached_property
    def supply_centers(self) -> frozenset[Province]:
        """All supply centers, owned or not."""
        return frozenset(code for code, info in self.provinces.items() if info.is_center)

    def reach(self, unit: Unit) -> frozenset[Location]:
        """Return the provinces the unit can go to without a convoy."""
        return (self.army_steps if unit.kind is _ARMY else self.fleet_reach)[unit.location]

    @cached_property
    def army_steps(self) -> Mapping[Location, frozenset[Location]]:
        """`army_borders` as sets; for an army, a location is a province."""
        return {here: frozenset(there) for here, there in self.army_borders.items()}

    @cached_property
    def fleet_steps(self) -> Mapping[Location, frozenset[Location]]:
        """`fleet_borders` as sets."""
        return {here: frozenset(there) for here, there in self.fleet_borders.items()}

    @cached_property
    def fleet_reach(self) -> Mapping[Location, frozenset[Location]]:
        """`fleet_borders` as sets of provinces."""
        return {here: frozenset(map(province_of, there)) for here, there in self.fleet_borders.items()}

    @cached_property
    def armies(self) -> Mapping[Location, Unit]:
        """Every army that can stand on this board; made once for all phases."""
        return {here: read_unit(f"A {here}") for here in self.army_borders}

    @cached_property
    def fleets(self) -> Mapping[Location, Unit]:
        """Every fleet that can stand on this board."""
        return {here: read_unit(f"F {here}") for here in self.fleet_borders}

    @cached_property
    def units(self) -> Mapping[UnitKind, Mapping[Location, Unit]]:
        """Every unit that can stand on this board, by kind."""
        return {UnitKind.ARMY: self.armies, UnitKind.FLEET: self.fleets}

    @cached_property
    def powers_by_name(self) -> Mapping[str, Power]:
        """Name → the power as the same string object, which compares fastest."""
        return {power: power for power in self.powers}

    @cached_property
    def centers_by_code(self) -> Mapping[str, Province]:
        """Code → the supply center as the same string object."""
        return {center: center for center in self.provinces if center in self.supply_centers}

    @cached_property
    def units_by_text(self) -> Mapping[str, Unit]:
        """Notation → every unit that can stand on this board."""
        return {unit.text: unit for table in (self.armies, self.fleets) for unit in table.values()}

    @cached_property
    def steps(self) -> Mapping[str, frozenset[Location]]:
        """Unit in notation → the exact locations it can go to without a convoy."""
        return {text: frozenset(self.neighbors(unit)) for text, unit in self.units_by_text.items()}

    @cached_property
    def provinces_in_reach(self) -> Mapping[str, frozenset[Location]]:
        """Unit in notation → the provinces it can go to without a convoy."""
        return {text: self.reach(unit) for text, unit in self.units_by_text.items()}

    @cached_property
    def holds(self) -> Mapping[str, Hold]:
        """Unit in notation → its hold, for units without an order."""
        return {text: Hold(unit) for text, unit in self.units_by_text.items()}

    @cached_property
    def disbands(self) -> Mapping[str, Disband]:
        """Unit in notation → its removal, offered to powers with too many units."""
        return {text: Disband(unit) for text, unit in self.units_by_text.items()}

    @cached_property
    def possible_builds(self) -> Mapping[Power, tuple[Build, ...]]:
        """Power → every build it can ever order, sorted by province, armies first."""
        units = [unit for table in (self.armies, self.fleets) for _, unit in sorted(table.items())]
        at: dict[Province, list[Build]] = {}
        for unit in units:
            at.setdefault(unit.province, []).append(Build(unit))
        return {
            power: tuple(build for center in sorted(centers) for build in at.get(center, ()))
            for power, centers in self.build_centers.items()
        }

    @cached_property
    def builds_anywhere(self) -> bool:
        """Whether powers build in every center they own, except those in `builds_apart`."""
        return any(centers == self.supply_centers for _, centers in self._played_builds())

    @cached_property
    def builds_apart(self) -> Mapping[Power, frozenset[Province]]:
        """Power → its build centers, where they differ from what is usual on the board.

        The usual is at home, or anywhere if `builds_anywhere`.
        """
        return {
            power: centers
            for power, centers in self._played_builds()
            if centers != (self.supply_centers if self.builds_anywhere else self.home_centers[power])
        }

    def _played_builds(self) -> Iterator[tuple[Power, frozenset[Province]]]:
        return ((power, self.build_centers[power]) for power in self.powers if power not in self.unplayed)

    @cached_property
    def carrying_land(self) -> frozenset[Province]:
        """The land provinces from which fleets convoy."""
        return frozenset(place for place in self.carriers if not self.is_sea(place))

    @cached_property
    def sea_borders(self) -> Mapping[Province, frozenset[Province]]:
        """Province → the provinces it touches where fleets convoy; others have no entry."""
        touching: dict[Province, set[Province]] = {}
        for here, there in self.fleet_borders.items():
            seas = self.carriers.intersection(map(province_of, there))
            if seas:
                touching.setdefault(province_of(here), set()).update(seas)
        return {province: frozenset(seas) for province, seas in touching.items()}

    @cached_property
    def borders(self) -> Mapping[Province, frozenset[Province]]:
        """Province → every province it touches, by land or sea."""
        touching: dict[Province, set[Province]] = {province: set() for province in self.provinces}
        for table in (self.army_borders, self.fleet_borders):
            for here, there in table.items():
                touching[province_of(here)].update(map(province_of, there))
        return {province: frozenset(others) for province, others in touching.items()}

    def distances_from(self, provinces: Iterable[Province]) -> Mapping[Province, int]:
        """Return the distance of every province from the nearest of `provinces`, over all borders."""
        distances = dict.fromkeys(provinces, 0)
        frontier = list(distances)
        for province in frontier:  # the list grows while it is read
            for other in self.borders[province]:
                if other not in distances:
                    distances[other] = distances[province] + 1
                    frontier.append(other)
        return distances

    def routes_from(
        self, kind: UnitKind, provinces: Iterable[Province], closed: Container[Province] = ()
    ) -> Mapping[Location, int]:
        """Return location → spaces on a unit's shortest way from the nearest of `provinces`.

        Only locations that a unit of that kind can get to are listed. What stands on the board does not matter. Sea
        spaces count like land. No way leads through `closed` provinces.
        """
        steps = self.fleet_steps if kind is UnitKind.FLEET else self.army_ways
        starts = set(provinces)
        spaces = {here: 0 for here in self.units[kind] if province_of(here) in starts}
        frontier = list(spaces)
        for here in frontier:  # the list grows while it is read
            for to in steps[here]:
                if to not in spaces:
                    spaces[to] = spaces[here] + 1
                    if (
                        province_of(to) not in closed
                    ):  # no way leads through a closed province; a unit there entered earlier
                        frontier.append(to)
        return spaces

    @cached_property
    def army_ways(self) -> Mapping[Location, frozenset[Location]]:
        """Province → the next provinces for an army that walks or is carried, sea included."""
        ways: dict[Location, set[Location]] = {here: set(there) for here, there in self.army_borders.items()}
        for here, seas in self.sea_borders.items():
            if here in self.army_borders or here in self.carriers:
                for sea in seas:
                    ways.setdefault(here, set()).add(sea)
                    ways.setdefault(sea, set()).add(here)
        return {here: frozenset(there) for here, there in ways.items()}


USUAL_BOARD = "standard"
"""The board of games, `adjudicate` lines and mails that name none."""


def is_board(name: str) -> bool:
    """Whether there is a board of that name; shipped boards are checked first.

    The operator's folders are read only for other names.
    """
    return name in shipped_boards() or name in boards()


@cache
def load_map(name: str = USUAL_BOARD) -> Map:
    """Return the map in the folder of that name; raises BoardError if missing or broken."""
    try:
        return read_map(board_data(name, "board.toml"))
    except (OSError, KeyError, ValueError) as error:
        raise BoardError(name, f"{board_folder(name)}/board.toml: {error!r}") from error


def is_readable(name: str) -> bool:
    """Whether the files of a board exist and can be read."""
    try:
        load_map(name)
    except BoardError:
        return False
    return True


def read_map(board: Mapping[str, Any]) -> Map:
    """Make a map from a parsed `board.toml`; raises KeyError or ValueError if incomplete.

    The format is described in `docs/boards.md`; `judge.boards.faults` names every fault at once.
    """
    powers = {Power(name): facts for name, facts in board["powers"].items()}
    provinces = {Province(_location(code)): _read_province(code, facts) for code, facts in board["provinces"].items()}
    centers = frozenset(code for code, info in provinces.items() if info.is_center)
    homes = {power: _places(facts["home_centers"]) for power, facts in powers.items()}
    seas = {code for code, info in provinces.items() if info.kind is ProvinceKind.SEA}
    unplayed = frozenset(power for power, facts in powers.items() if facts.get("unplayed"))
    return Map(
        name=board["name"],
        first_year=board["first_year"],
        first_season=_SEASONS[board.get("first_season", "spring")],
        years_per_turn=board.get("years_per_turn", 1),
        victory_centers=board["victory_centers"],
        victory_units=board.get("victory_units", -(-7 * len(centers) // 10)),
        armistice_centers=board.get("armistice_centers", -(-2 * len(centers) // 3)),
        powers=tuple(powers),
        provinces=provinces,
        home_centers=homes,
        home_land={power: _places(facts.get("home_land", facts["home_centers"])) for power, facts in powers.items()},
        start_units={
            Unit(UnitKind(text[0]), Location(text[2:])): power
            for power, facts in powers.items()
            for text in facts["units"]
        },
        start_centers={
            center: power
            for power, facts in powers.items()
            for center in sorted(_places(facts.get("centers", facts["home_centers"])))
        },
        build_centers=_read_build_centers(board, homes, centers),
        unplayed=unplayed,
        carriers=frozenset(seas | {code for code in provinces if board["provinces"][code].get("convoys")}),
        letters={power: mark_of(power, facts) for power, facts in powers.items()},
        source=board.get("source", {}),
        army_borders=_read_borders(board, "army"),
        fleet_borders=_read_borders(board, "fleet"),
        setups=_read_setups(board, tuple(power for power in powers if power not in unplayed), unplayed),
    )


_SEASONS = {"spring": Season.SPRING, "fall": Season.FALL, "winter": Season.WINTER}


def mark_of(power: str, facts: Mapping[str, Any]) -> str:
    """Return the letters of a power on pictures, by default the first two.

    Two letters, because A and F stand for army and fleet.
    """
    return str(facts.get("letter", power[:2].capitalize()))


def _location(text: str) -> Location:
    """Return the interned string, which orders share: comparing identical objects is faster."""
    return Location(sys.intern(text))


def _places(texts: Iterable[str]) -> frozenset[Province]:
    return frozenset(Province(Location(text)) for text in texts)


def _read_province(code: str, facts: Mapping[str, Any]) -> ProvinceInfo:
    coasts = tuple(sorted(Location(f"{code}/{coast}") for coast in facts.get("coasts", {})))
    return ProvinceInfo(
        Province(Location(code)), facts["name"], ProvinceKind(facts["kind"]), facts.get("center", False), coasts
    )


def _read_build_centers(
    board: Mapping[str, Any], homes: Mapping[Power, frozenset[Province]], centers: frozenset[Province]
) -> Mapping[Power, frozenset[Province]]:
    """Return power → where it may build: `build_at` if given, else the board's rule."""
    usual = {"home": homes, "owned": dict.fromkeys(homes, centers)}[board.get("builds", "home")]
    return {
        power: _places(facts["build_at"]) if "build_at" in facts else usual[Power(power)]
        for power, facts in board["powers"].items()
    }


def _read_borders(board: Mapping[str, Any], kind: str) -> Mapping[Location, tuple[Location, ...]]:
    """Return location → where an `army` or a `fleet` can go from there, sorted.

    Only fleets use coasts. Raises ValueError for borders that lead to unknown locations.
    """
    borders: dict[Location, tuple[Location, ...]] = {}
    for code, facts in board["provinces"].items():
        if kind in facts:
            borders[_location(code)] = tuple(map(_location, sorted(facts[kind])))
        for coast, there in facts.get("coasts", {}).items() if kind == "fleet" else ():
            borders[_location(f"{code}/{coast}")] = tuple(map(_location, sorted(there)))
    unknown = {to for there in borders.values() for to in there if to not in borders}
    if unknown:
        raise ValueError(f"borders lead to unknown locations {sorted(unknown)}")
    return borders


def _read_setups(
    board: Mapping[str, Any], played: tuple[Power, ...], unplayed: frozenset[Power]
) -> Mapping[str, SetUp]:
    """Return the set-ups by name, in the order of the file.

    A board without any has one in which each player has one power.
    """
    usual = {str(len(played)): {"assignments": [[power] for power in played]}}
    return {name: _read_setup(name, facts, board, unplayed) for name, facts in board.get("setups", usual).items()}


def _read_setup(name: str, facts: Mapping[str, Any], board: Mapping[str, Any], unplayed: frozenset[Power]) -> SetUp:
    tossed = facts.get("tossed")
    neutral = [board["powers"][power] for power in facts.get("neutral", [])]
    return SetUp(
        name,
        facts.get("start_year", board["first_year"]),
        tuple(tuple(map(Power, powers)) for powers in facts["assignments"]),
        unplayed.union(map(Power, facts.get("unplayed", []))),
        frozenset(place for power in neutral for place in _places(power.get("home_land", power["home_centers"]))),
        (Power(tossed["power"]), tossed["year"]) if tossed else None,
    )
