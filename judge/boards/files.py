"""The files of a board as models: their shape is checked with these, and the JSON Schemas are made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judge.complaints import complaint
from judge.rules.position import COAST, CODE, LAST_YEAR

Power = Annotated[str, Field(pattern="^[A-Z]{2,20}$", description="A power: a word in capitals, such as ROME.")]
Code = Annotated[str, Field(pattern=f"^{CODE}$", description="A province: two to five capitals or digits.")]
Coast = Annotated[str, Field(pattern=f"^{COAST}$", description="A coast: two capitals, such as NC.")]
Place = Annotated[str, Field(pattern=f"^{CODE}(/{COAST})?$", description="A province, or a coast of one: SPA/NC.")]
UnitText = Annotated[
    str, Field(pattern=f"^[AF] {CODE}(/{COAST})?$", description="A unit: A or F, a blank, and its province or coast.")
]
Year = Annotated[int, Field(ge=1, le=LAST_YEAR)]
Words = Annotated[str, Field(min_length=1, max_length=80)]
Tongue = Annotated[str, Field(pattern="^[a-z]{2}$", description="A language: en, ja, de; others are kept.")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


class PowerTable(_Table):
    """A power."""

    home_centers: tuple[Code, ...]
    """Supply centers that it owns at the start, and where it may build."""
    units: tuple[UnitText, ...]
    """Its units at the start; none if it builds first."""
    home_land: tuple[Code, ...] | None = None
    """Land in its color on maps while it owns most of its home centers; by default the home centers."""
    centers: tuple[Code, ...] | None = None
    """What it owns at the start, if that is not its home centers."""
    build_at: tuple[Code, ...] | None = None
    """The centers where it may build while it owns them, instead of what `builds` says."""
    unplayed: bool = False
    """Neutral units and centers of nobody: they hold, and disband when dislodged."""
    letter: Annotated[str, Field(pattern="^[A-Z0-9][A-Za-z0-9]?$")] | None = None
    """Its mark on maps, one or two letters; by default the first two of its name. Every power needs another one."""


class TossTable(_Table):
    """A power for which the players toss a coin."""

    power: Power
    year: Year


class SetupTable(_Table):
    """A way to share the powers among players."""

    assignments: tuple[tuple[Power, ...], ...]
    """The powers of the first player, of the second, and so on."""
    start_year: Year | None = None
    """If it is not `first_year`."""
    unplayed: tuple[Power, ...] = ()
    """Powers that nobody plays."""
    neutral: tuple[Power, ...] = ()
    """Powers whose home land nobody may enter."""
    tossed: TossTable | None = None
    """A power that joins the winner of a coin toss before the adjustments of that year."""


class ProvinceTable(_Table):
    """A province."""

    name: Words
    """In English."""
    kind: Literal["sea", "inland", "coastal", "impassable"]
    """What can stand there: fleets, armies, both, nothing."""
    center: bool = False
    """Whether it is a supply center."""
    convoys: bool = False
    """Coastal land from which fleets convoy: a canal, an archipelago."""
    army: tuple[Code, ...] | None = None
    """Where an army can walk from here."""
    fleet: tuple[Place, ...] | None = None
    """Where a fleet can sail from here."""
    coasts: dict[Coast, tuple[Place, ...]] | None = None
    """Instead of `fleet`, if the province has several coasts: where a fleet can sail from each."""


class CompassTable(_Table):
    """Provinces that lie toward an edge of the map; `judge board draw` turns it so."""

    north: tuple[Code, ...] = ()
    south: tuple[Code, ...] = ()
    east: tuple[Code, ...] = ()
    west: tuple[Code, ...] = ()


class SourceTable(_Table):
    """Where a board comes from."""

    designer: str = ""
    adjacency: str = ""
    """Where the borders and the start were taken from."""
    checked: str = ""
    """A second source that agrees."""
    terms: str = ""
    """On what terms it may be used."""


class BoardFile(_Table):
    """`board.toml`: provinces, borders, powers and the start."""

    name: Annotated[str, Field(pattern="^[a-z][a-z0-9-]{1,29}$")]
    """The name of the folder."""
    extends: str | None = None
    """A shipped board: whatever this file, `names.toml` and `drawing.json` leave out is as there."""
    first_year: Year
    first_season: Literal["spring", "fall", "winter"] = "spring"
    """The season of the first phase; in winter, units are built first."""
    years_per_turn: Annotated[int, Field(ge=1, le=1000)] = 1
    """From one spring to the next."""
    victory_centers: Annotated[int, Field(ge=1)]
    """With so many centers a power wins."""
    victory_units: Annotated[int, Field(ge=1)] | None = None
    """With so many units a player wins, where a game counts units; by default 70 % of all centers."""
    armistice_centers: Annotated[int, Field(ge=1)] | None = None
    """Players who own so many centers together may agree on an armistice; by default two thirds of all centers."""
    builds: Literal["home", "owned"] = "home"
    """Where powers build: in their home centers, or in every center that they own."""
    powers: dict[Power, PowerTable]
    setups: dict[str, SetupTable] | None = None
    """By name, which begins with the number of players; by default one with a power for each player."""
    provinces: dict[Code, ProvinceTable]
    compass: CompassTable = CompassTable()
    """Which way up the map lies."""
    source: SourceTable = SourceTable()


Spelled = dict[Tongue, tuple[Words, ...]]


Called = dict[Annotated[str, Field(pattern="^([a-z]{2}|codes)$")], tuple[Words, ...]]


class SeasTable(_Table):
    """Endings of the names of seas, in languages without blanks."""

    endings: tuple[Words, ...] | None = None
    fleet: Words | None = None
    units: tuple[Words, ...] | None = None


class NamesFile(_Table):
    """`names.toml`: what people call powers, provinces and coasts. Whatever is left out has a default."""

    board: dict[Tongue, Words] = {}
    """The title of the board."""
    about: dict[Tongue, str] = {}
    """The board in one sentence."""
    powers: dict[Power, Spelled] = {}
    provinces: dict[Code, Called] = {}
    """By language; the first of each list is what readers are shown. `codes` are other codes that are understood."""
    slips: dict[Words, Code] = {}
    """Misprints, which count where they make the only legal order."""
    ambiguous: dict[Words, tuple[Code, ...]] = {}
    """Words with several meanings; the board decides."""
    coasts: dict[Coast, Spelled] = {}
    coast_words: dict[Code, dict[Words, Coast]] = {}
    """What a word means on one province alone."""
    seas: SeasTable | None = None
    forms: dict[Tongue, dict[Literal["the", "to", "in", "from"], dict[str, Words]]] = {}
    """Forms of the names, where a language has them: `the` North Sea."""


MODELS: Mapping[str, type[_Table]] = {"board": BoardFile, "names": NamesFile}


def schema_of(file: str) -> Mapping[str, Any]:
    """Return the JSON Schema of `board` or `names`."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **MODELS[file].model_json_schema()}


def faults_of_shape(file: str, contents: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is missing, unknown or of the wrong kind in a file, each in a line."""
    try:
        MODELS[file].model_validate_json(json.dumps(contents, default=str))  # in JSON, lists are read as tuples
    except ValidationError as error:
        return tuple(f"{file}.toml: {_told(fault)}" for fault in error.errors())
    return ()


def _told(fault: Any) -> str:  # noqa: ANN401 - what pydantic tells of a fault
    where = ".".join(str(part) for part in fault["loc"] if part != "[key]")
    if fault["type"] == "string_pattern_mismatch":
        is_key = "[key]" in fault["loc"]
        return f"{where}: {'' if is_key else repr(fault['input']) + ' '}is not written as {fault['ctx']['pattern']}"
    return complaint(fault, lambda _: ())
