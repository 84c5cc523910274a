"""The files of a board as models, used for checks and for the JSON Schemas."""

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
SetupName = Annotated[str, Field(pattern="^[1-9][0-9]?[a-z]?$", description="The number of players: 3 or 3a.")]
Year = Annotated[int, Field(ge=1, le=LAST_YEAR)]
Words = Annotated[str, Field(pattern=r"^\S+( \S+)*$", max_length=80)]
Sentence = Annotated[str, Field(pattern=r"^(\S+( \S+)*)?$", max_length=300)]
Tongue = Annotated[str, Field(pattern="^[a-z]{2}$", description="A language: en, ja, de; others are kept.")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


class PowerTable(_Table):
    """A power."""

    home_centers: tuple[Code, ...]
    """Supply centers it owns at the start, where it may build."""
    units: tuple[UnitText, ...]
    """Its units at the start; none if it builds first."""
    home_land: tuple[Code, ...] | None = None
    """Land in its color on maps; by default the home centers.

    It has the color while the power owns most of its home centers.
    """
    centers: tuple[Code, ...] | None = None
    """The centers it owns at the start, if not its home centers."""
    build_at: tuple[Code, ...] | None = None
    """Centers where it may build while it owns them; overrides `builds`."""
    unplayed: bool = False
    """A neutral power without a player: its units hold, and disband when dislodged."""
    letter: Annotated[str, Field(pattern="^[A-Z0-9][A-Za-z0-9]?$")] | None = None
    """Its mark on maps, one or two letters; by default the start of its name.

    The default is the first two letters. No two powers may have the same mark.
    """


class TossTable(_Table):
    """A power for which the players toss a coin."""

    power: Power
    year: Year


class SetupTable(_Table):
    """A way to share the powers among players."""

    assignments: tuple[tuple[Power, ...], ...]
    """The powers of the first player, of the second, and so on."""
    start_year: Year | None = None
    """The first year of this set-up, if not `first_year`."""
    unplayed: tuple[Power, ...] = ()
    """Powers without a player."""
    neutral: tuple[Power, ...] = ()
    """Powers whose home land no unit may enter."""
    tossed: TossTable | None = None
    """A power that joins the winner of a coin toss.

    The toss is made before the adjustments of that year.
    """


class ProvinceTable(_Table):
    """A province."""

    name: Words
    """Its English name."""
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
    """Where a fleet can sail from each coast, if there are several; replaces `fleet`."""


class CompassTable(_Table):
    """Provinces that lie toward an edge of the map, for `judge board draw`."""

    north: tuple[Code, ...] = ()
    south: tuple[Code, ...] = ()
    east: tuple[Code, ...] = ()
    west: tuple[Code, ...] = ()


class SourceTable(_Table):
    """Where a board comes from."""

    designer: str = ""
    adjacency: str = ""
    """The source of the borders and the start."""
    checked: str = ""
    """A second source that agrees."""
    terms: str = ""
    """The license of the board."""


class BoardFile(_Table):
    """`board.toml`: provinces, borders, powers and the start."""

    name: Annotated[str, Field(pattern="^[a-z][a-z0-9-]{1,29}$")]
    """The name of the folder."""
    extends: str | None = None
    """A shipped board whose values apply where this board sets none.

    This is true of this file, `names.toml` and `drawing.json`.
    """
    first_year: Year
    first_season: Literal["spring", "fall", "winter"] = "spring"
    """The season of the first phase; if winter, the game starts with builds."""
    years_per_turn: Annotated[int, Field(ge=1, le=1000)] = 1
    """Years from one spring to the next."""
    victory_centers: Annotated[int, Field(ge=1)]
    """How many centers a power needs to win."""
    victory_units: Annotated[int, Field(ge=1)] | None = None
    """How many units a player needs to win, in games that count units.

    By default 70 % of all centers.
    """
    armistice_centers: Annotated[int, Field(ge=1)] | None = None
    """How many centers players need together for an armistice.

    By default two thirds of all centers.
    """
    builds: Literal["home", "owned"] = "home"
    """Where powers build: in their home centers, or in every center they own."""
    powers: dict[Power, PowerTable]
    setups: Annotated[dict[SetupName, SetupTable], Field(min_length=1)] | None = None
    """Set-ups by name; by default each player has one power.

    The name begins with the number of players.
    """
    provinces: dict[Code, ProvinceTable]
    compass: CompassTable = CompassTable()
    """Provinces by direction; they decide which way up the map lies."""
    source: SourceTable = SourceTable()


Several = Annotated[tuple[Words, ...], Field(min_length=1)]
Spelled = dict[Tongue, Several]
Called = dict[Annotated[str, Field(pattern="^([a-z]{2}|codes)$")], Several]


class SeasTable(_Table):
    """Endings of the names of seas, in languages without blanks."""

    endings: tuple[Words, ...] | None = None
    fleet: Words | None = None
    units: tuple[Words, ...] | None = None


class NamesFile(_Table):
    """`names.toml`: names of powers, provinces and coasts; everything has a default."""

    board: dict[Tongue, Words] = {}
    """The title of the board."""
    about: dict[Tongue, Sentence] = {}
    """The board in one sentence."""
    powers: dict[Power, Spelled] = {}
    provinces: dict[Code, Called] = {}
    """Names by language; readers see the first of each list.

    `codes` are other codes that are understood.
    """
    slips: dict[Words, Code] = {}
    """Misprints; each counts if it makes the only legal order."""
    ambiguous: dict[Words, tuple[Code, ...]] = {}
    """Words with several meanings; the position decides which one is meant."""
    coasts: dict[Coast, Spelled] = {}
    coast_words: dict[Code, dict[Words, Coast]] = {}
    """Words that mean a coast only for one province."""
    seas: SeasTable | None = None
    forms: dict[Tongue, dict[Literal["the", "to", "in", "from"], dict[str, Words]]] = {}
    """Forms of names by language, such as `the` North Sea."""


Distance = Annotated[float, Field(ge=-100_000, le=100_000)]
Length = Annotated[float, Field(gt=0, le=10_000)]
Point = tuple[Distance, Distance]
Size = tuple[Length, Length]
Ring = Annotated[tuple[Point, ...], Field(min_length=3)]
Line = Annotated[tuple[Point, ...], Field(min_length=2)]


class CoastPlaces(_Table):
    """The places of signs on a coast."""

    unit: Point
    dislodged: Point
    label: Point


class NamePlace(_Table):
    """The place of a name in large maps."""

    at: Point
    angle: Annotated[float, Field(ge=-360, le=360)]
    """In degrees, clockwise."""
    width: Length
    """The room for the name."""


class ProvinceDrawing(CoastPlaces):
    """The shape of a province, and the places of its signs."""

    kind: Literal["sea", "land", "coast"]
    rings: Annotated[tuple[Ring, ...], Field(min_length=1)]
    center: Point | None
    """The place of its supply center; null if it has none."""
    name: NamePlace
    coasts: dict[Coast, CoastPlaces]


class SignSizes(_Table):
    """The sizes of signs for which the places were chosen."""

    unit: Size
    dislodged: Size
    center: Length
    label: Size


class LinkMark(_Table):
    """A line between neighbors that do not touch."""

    between: tuple[Code, Code]
    by: Literal["any", "army", "fleet"]
    line: Line


class BarMark(_Table):
    """A line on a border that some units cannot cross."""

    between: tuple[Code, Code]
    against: Literal["army", "fleet"]
    line: Line


class DrawingFile(_Table):
    """`drawing.json`: places of provinces and signs in the picture; y grows downward."""

    size: tuple[Annotated[int, Field(ge=100, le=10_000)], Annotated[int, Field(ge=100, le=10_000)]]
    signs: SignSizes
    provinces: dict[Code, ProvinceDrawing]
    impassable: tuple[Ring, ...]
    links: tuple[LinkMark, ...] = ()
    bars: tuple[BarMark, ...] = ()


MODELS: Mapping[str, type[_Table]] = {"board": BoardFile, "names": NamesFile, "drawing": DrawingFile}


def schema_of(file: str) -> Mapping[str, Any]:
    """Return the JSON Schema of `board`, `names` or `drawing`."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **MODELS[file].model_json_schema()}


def faults_of_shape(file: str, contents: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is missing, unknown or of the wrong type, one fault per item."""
    try:
        MODELS[file].model_validate_json(json.dumps(contents, default=str))  # JSON lists are read as tuples
    except ValidationError as error:
        ending = "json" if file == "drawing" else "toml"
        return tuple(f"{file}.{ending}: {_told(fault)}" for fault in error.errors())
    return ()


def _told(fault: Any) -> str:  # noqa: ANN401 - what pydantic tells of a fault
    where = ".".join(str(part) for part in fault["loc"] if part != "[key]")
    if fault["type"] == "string_pattern_mismatch":
        is_key = "[key]" in fault["loc"]
        return f"{where}: {'' if is_key else repr(fault['input']) + ' '}is not written as {fault['ctx']['pattern']}"
    return complaint(fault, lambda _: ())
