"""All faults of a board at once, one per line."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.boards.files import faults_of_shape
from judge.boards.wording import faults_of_words
from judge.resources import board_data, board_extended, board_file, merged, shipped_boards
from judge.rules.map import Map, ProvinceKind, mark_of, read_map
from judge.rules.position import PhaseKind, Province, UnitKind, province_of

_MOST_POWERS = 20
_LAST_YEAR_IN_MAILS = 9999
_LEAST_TURNS = 100
Facts = Mapping[str, Any]


def faults_of(folder: Path) -> tuple[str, ...]:
    """Return the faults of the board in a folder; empty if it can be played."""
    board, unread = _contents(folder, "board.toml", tomllib.loads)
    names, unread_names = _contents(folder, "names.toml", tomllib.loads)
    drawing, unread_drawing = _contents(folder, "drawing.json", json.loads)
    faults = [*unread, *unread_names, *unread_drawing]
    if not (folder / "board.toml").is_file():
        return (f"{folder} holds no board.toml", *faults)
    if "extends" in board:
        if not _is_whole(board["extends"]):
            return ("board.toml: extends: names no shipped board, or one that extends another itself", *faults)
        board = merged(board_data(board["extends"], "board.toml"), board)
        names = merged(board_data(board["extends"], "names.toml"), names)
    drawn = _drawing_of(folder, board, drawing)
    shape = [*faults_of_shape("board", board), *faults_of_shape("names", names)] if not unread else []
    shape += faults_of_shape("drawing", drawn) if drawn is not None and not unread_drawing else ()
    if unread or any(fault.startswith("board.toml") for fault in shape):
        return (*faults, *shape)
    found = [f"board.toml: {fault}" for fault in _faults_of_facts(board)]
    if board["name"] != folder.resolve().name:
        found.insert(0, f"board.toml: name: is {board['name']!r}, but the folder is {folder.resolve().name!r}")
    if not found:
        map_ = read_map(board)
        found += [f"board.toml: {fault}" for fault in _faults_of_play(map_)]
        if drawn is not None and not any(fault.startswith("drawing.json") for fault in (*faults, *shape)):
            found += [f"drawing.json: {fault}" for fault in _faults_of_drawing(map_, drawn)]
    is_shaped = not any(fault.startswith("names.toml") for fault in shape)
    words = faults_of_words(read_map(_without_borders(board)), names) if is_shaped else ()
    return (*faults, *shape, *found, *(f"names.toml: {fault}" for fault in words))


def _without_borders(board: Facts) -> Facts:
    """Return the parts of a board that names refer to.

    With them, names can be checked even if the borders or set-ups have faults.
    """
    coasts = {code: dict.fromkeys(facts.get("coasts", ()), ()) for code, facts in board["provinces"].items()}
    provinces = {
        code: {**facts, "army": (), "fleet": (), "coasts": coasts[code]} for code, facts in board["provinces"].items()
    }
    return {key: value for key, value in board.items() if key != "setups"} | {"provinces": provinces}


def _drawing_of(folder: Path, board: Facts, own: object) -> Any:  # noqa: ANN401 - whatever is in the file
    """Return the drawing that is shown; None if there is none.

    It is the drawing in the folder, or that of the extended board.
    """
    if (folder / "drawing.json").exists():
        return {} if own is None else own
    path = board_file(board["extends"], "drawing.json") if "extends" in board else folder
    return json.loads(path.read_text("utf-8")) if path.is_file() else None


def _is_whole(name: object) -> bool:
    """Whether a board is shipped and does not extend another."""
    return name in shipped_boards() and board_extended(str(name)) is None


def _contents(folder: Path, name: str, read: Callable[[str], Any]) -> tuple[Facts, list[str]]:
    try:
        return read((folder / name).read_text("utf-8")), []
    except FileNotFoundError:
        return {}, []
    except (OSError, ValueError, RecursionError) as error:
        return {}, [f"{name}: {error}"]


def _faults_of_facts(board: Facts) -> Iterator[str]:
    """Yield contradictions within `board.toml`."""
    provinces: Mapping[str, Facts] = board["provinces"]
    for code, facts in provinces.items():
        for fault in _faults_of_kind(facts):
            yield f"{code}: {fault}"
    yield from _faults_of_borders(provinces)
    yield from _faults_of_powers(board)
    starts = [board["first_year"], *(setup.get("start_year", 0) for setup in board.get("setups", {}).values())]
    turns = (_LAST_YEAR_IN_MAILS - max(starts)) // board.get("years_per_turn", 1)
    if turns < _LEAST_TURNS:
        until = f"until the year {_LAST_YEAR_IN_MAILS}"
        yield f"first_year: there are only {turns} turns {until}; give a game {_LEAST_TURNS}"
    for side, codes in board.get("compass", {}).items():
        for code in codes:
            if code not in provinces:
                yield f"compass.{side}: there is no province {code}"
    for name, setup in board.get("setups", {}).items():
        for fault in _faults_of_setup(name, setup, board["powers"]):
            yield f"setups.{name}: {fault}"


_ALLOWED = {"sea": {"fleet"}, "inland": {"army"}, "coastal": {"army", "fleet", "coasts"}, "impassable": set[str]()}
_MISSING = {"sea": {"fleet"}, "inland": {"army"}, "coastal": {"army"}, "impassable": set[str]()}


def _faults_of_kind(facts: Facts) -> Iterator[str]:
    kind = facts["kind"]
    given = facts.keys() & {"army", "fleet", "coasts"}
    for key in sorted(given - _ALLOWED[kind]):
        yield f"it is {kind}, so it has no {key!r}"
    for key in sorted(_MISSING[kind] - given):
        yield f"it is {kind}, so it needs {key!r}"
    if kind == "coastal" and len(given & {"fleet", "coasts"}) != 1:
        yield "it is coastal, so it needs either 'fleet' or 'coasts'"
    if facts.get("center") and kind == "impassable":
        yield "an impassable province is no supply center"
    if facts.get("convoys") and (kind != "coastal" or "coasts" in facts):
        yield "only coastal land with a single coast has 'convoys'; from seas fleets convoy anyway"


def _faults_of_borders(provinces: Mapping[str, Facts]) -> Iterator[str]:
    for kind in ("army", "fleet"):
        borders = {code: facts[kind] for code, facts in provinces.items() if kind in facts}
        if kind == "fleet":
            for code, facts in provinces.items():
                borders |= {f"{code}/{coast}": there for coast, there in facts.get("coasts", {}).items()}
        for here, there in borders.items():
            for to, count in Counter(there).items():
                if to not in borders:
                    yield f"{here}: {kind}: {_no_way_to(to, kind, provinces)}"
                elif to == here or to.partition("/")[0] == here.partition("/")[0]:
                    yield f"{here}: {kind}: leads to itself"
                elif here not in borders[to]:
                    yield f"{here}: {kind}: leads to {to}, but {to} does not lead back"
                if count > 1:
                    yield f"{here}: {kind}: names {to} twice"


def _no_way_to(to: str, kind: str, provinces: Mapping[str, Facts]) -> str:
    code = to.partition("/")[0]
    if code not in provinces:
        return f"there is no province {code}"
    coasts = provinces[code].get("coasts")
    if kind == "fleet" and coasts:
        return f"{to} has several coasts: write {' or '.join(f'{code}/{coast}' for coast in coasts)}"
    return f"no {kind} can be in {to}"


def _faults_of_powers(board: Facts) -> Iterator[str]:
    powers, provinces = board["powers"], board["provinces"]
    centers = {code for code, facts in provinces.items() if facts.get("center")}
    played = [name for name, facts in powers.items() if not facts.get("unplayed")]
    if not 2 <= len(played) <= _MOST_POWERS:
        yield f"powers: {len(played)} are played; a board has 2 to {_MOST_POWERS}"
    for name, facts in powers.items():
        for fault in (*_faults_of_places(facts, provinces), *_faults_of_a_start(facts, board)):
            yield f"powers.{name}: {fault}"
        if name in provinces:
            yield f"powers.{name}: is also the code of a province"
    owned = Counter(code for facts in powers.values() for code in {*_owned(facts)})
    yield from (f"powers: {code} belongs to two powers at the start" for code, count in owned.items() if count > 1)
    standing = Counter(unit[2:].partition("/")[0] for facts in powers.values() for unit in facts["units"])
    yield from (f"powers: two units stand in {place}" for place, count in standing.items() if count > 1)
    letters: dict[str, list[str]] = {}
    for name, facts in powers.items():
        letters.setdefault(mark_of(name, facts), []).append(name)
    for letter, several in letters.items():
        if len(several) > 1:
            yield f"powers: {', '.join(several)} have the same letter {letter}; give each a 'letter' of its own"
    for key in ("victory_centers", "victory_units", "armistice_centers"):
        if board.get(key, 0) > len(centers):
            yield f"{key}: is {board[key]}, but there are {len(centers)} supply centers"


def _owned(facts: Facts) -> Sequence[str]:
    owned: Sequence[str] = facts.get("centers", facts["home_centers"])
    return owned


def _faults_of_places(facts: Facts, provinces: Mapping[str, Facts]) -> Iterator[str]:
    """Yield faults in the places that a power names."""
    for key in ("home_centers", "centers", "build_at"):
        for code in facts.get(key, ()):
            if code not in provinces:
                yield f"{key}: there is no province {code}"
            elif not provinces[code].get("center"):
                yield f"{key}: {code} is no supply center"
    for code in facts.get("home_land", ()):
        if code not in provinces:
            yield f"home_land: there is no province {code}"
    for unit in facts["units"]:
        if unit[2:] not in _stands(unit[0], provinces):
            yield f"units: {unit} cannot stand there"


def _faults_of_a_start(facts: Facts, board: Facts) -> Iterator[str]:
    if not (facts["units"] or _owned(facts)):
        yield "has neither units nor centers"
    elif not facts["units"] and board.get("first_season") != "winter" and not facts.get("unplayed"):
        yield "has no units at the start; give it some, or let the board start in winter"


def _stands(kind: str, provinces: Mapping[str, Facts]) -> Iterable[str]:
    if kind == "A":
        return {code for code, facts in provinces.items() if "army" in facts}
    single = {code for code, facts in provinces.items() if "fleet" in facts}
    return single | {f"{code}/{coast}" for code, facts in provinces.items() for coast in facts.get("coasts", ())}


def _faults_of_setup(name: str, setup: Facts, powers: Mapping[str, Facts]) -> Iterator[str]:
    given = [power for several in setup["assignments"] for power in several]
    idle = [*setup.get("unplayed", ()), *(power for power, facts in powers.items() if facts.get("unplayed"))]
    tossed = [setup["tossed"]["power"]] if "tossed" in setup else []
    players = re.match(r"\d+", name)
    if players is None or int(players[0]) != len(setup["assignments"]):
        yield f"its name does not begin with the number of its players, {len(setup['assignments'])}"
    for power in dict.fromkeys([*given, *idle, *setup.get("neutral", ()), *tossed]):
        if power not in powers:
            yield f"there is no power {power}"
    for power, count in Counter([*given, *dict.fromkeys(idle)]).items():
        if count > 1:
            yield f"{power} is given twice"
    for power in powers.keys() - {*given, *idle}:
        yield f"{power} is neither given to a player nor unplayed"
    if [] in setup["assignments"]:
        yield "a player has no power"


def _faults_of_play(map_: Map) -> Iterator[str]:
    """Yield what makes a consistent board unplayable."""
    reached: set[Province] = set()
    for kind in UnitKind:
        starts = {unit.province for unit in map_.start_units if unit.kind is kind}
        starts |= {
            build.unit.province
            for power in map_.powers
            if power not in map_.unplayed
            for build in map_.possible_builds[power]
            if build.unit.kind is kind
        }
        reached |= set(map(province_of, map_.routes_from(kind, sorted(starts))))
    for code, info in map_.provinces.items():
        if code not in reached and info.kind is not ProvinceKind.IMPASSABLE:
            center = ", a supply center" if info.is_center else ""
            yield f"{code}: no unit can ever get there{center}"
    owned = Counter(map_.start_centers.values())
    for power in map_.powers:
        if power in map_.unplayed:
            continue
        if owned[power] >= map_.victory_centers:
            yield f"victory_centers: {power} has {owned[power]} centers at the start and would win at once"
        can_build = any(map_.start_centers.get(center) == power for center in map_.build_centers[power])
        if map_.first_phase().kind is PhaseKind.ADJUSTMENT and power not in map_.start_units.values() and not can_build:
            yield f"powers.{power}: has no units, and owns no center where it can build"


def _faults_of_drawing(map_: Map, drawing: Facts) -> Iterator[str]:
    drawn: Mapping[str, Facts] = drawing["provinces"]
    for code, info in map_.provinces.items():
        if code not in drawn:
            if info.kind is not ProvinceKind.IMPASSABLE:
                yield f"{code} is not drawn"
        elif info.is_center and drawn[code]["center"] is None:
            yield f"{code} has no place for its center"
    yield from (f"there is no province {code}" for code in drawn if code not in map_.provinces)
