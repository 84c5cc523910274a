"""Boards as folders: their format, and faults in it.

All faults of a file are told at once. Names may be left out, and operators have boards of their own.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import closing as closed_after
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from judge.boards.faults import faults_of
from judge.boards.files import MODELS, schema_of
from judge.boards.making import make_board
from judge.boards.operators import look_in, use_boards_in
from judge.cli import app
from judge.cli.doctor import examine
from judge.commands import Give
from judge.config import Config, DatabaseSettings, GamesSettings
from judge.games.closing import close
from judge.games.game import Applicant
from judge.games.person import PersonId
from judge.games.plans import is_coming
from judge.games.setup import set_out, start
from judge.games.terms import Settings
from judge.language import Context, read
from judge.languages import Language
from judge.names import names_on
from judge.reports.clauses import reasons_on
from judge.reports.pictures.drawing import drawing_of
from judge.resources import boards, look_for_boards, shipped
from judge.rules import STANDARD, Phase, Position, Power, read_unit, write_order
from judge.rules.exchange import adjudicate_line
from judge.rules.map import load_map, read_map
from judge.rules.orders import Hold, Move, Order, Support
from judge.rules.position import Location, province_of
from judge.storage import Store
from tests.database import url_in_memory

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
FOLDERS = [*sorted((HERE / "boards").iterdir()), *sorted(path.parent for path in shipped("maps").glob("*/board.toml"))]
CASES = tomllib.loads((HERE / "faulty_boards.toml").read_text("utf-8"))["faults"]


@pytest.fixture
def _forgotten() -> Iterator[None]:
    """Make the shipped boards the only ones again after a test."""
    yield
    look_for_boards(dict)
    for cached in (load_map, names_on):
        cached.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, _forgotten: None) -> Path:
    """Return a folder with the board that `judge board new` writes, ready to play on."""
    make_board(tmp_path / "dunes")
    use_boards_in(tmp_path)
    return tmp_path


@pytest.fixture
def _other_boards(_forgotten: None) -> None:
    """Make the boards of the tests available."""
    use_boards_in(HERE / "boards")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_board_that_is_shipped_has_no_fault(folder: Path) -> None:
    assert faults_of(folder) == ()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["changes"])
def test_a_fault_is_named(case: Mapping[str, Any], tmp_path: Path) -> None:
    """Change the new board a little: each case replaces `old` by `new` in a file."""
    file = tmp_path / "dunes" / case.get("file", "board.toml")
    make_board(tmp_path / "dunes")
    text = file.read_text("utf-8") if file.exists() else ""
    assert case.get("old", "") in text
    file.write_text(text.replace(case["old"], case["new"]) if "old" in case else text + case["new"], "utf-8")
    assert list(faults_of(tmp_path / "dunes")) == case["told"]


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    make_board(tmp_path / "dunes")
    changed = [case for case in CASES if case.get("together")]
    for case in changed:
        file = tmp_path / "dunes" / case.get("file", "board.toml")
        file.write_text(file.read_text("utf-8").replace(case["old"], case["new"]), "utf-8")
    assert len(changed) > 3
    assert set(faults_of(tmp_path / "dunes")) == {told for case in changed for told in case["told"]}


def test_a_folder_without_a_board_is_a_fault(tmp_path: Path) -> None:
    assert faults_of(tmp_path) == (f"{tmp_path} holds no board.toml",)


@pytest.mark.parametrize("file", MODELS)
def test_the_schema_in_the_documents_is_that_of_the_check(file: str) -> None:
    assert json.loads((DOCS / f"{file}.schema.json").read_text("utf-8")) == schema_of(file)


def test_the_document_describes_every_key_and_no_other() -> None:
    text = (DOCS / "boards.md").read_text("utf-8")
    schema = schema_of("board")
    tables = [schema["properties"], *(schema["$defs"][f"{name}Table"]["properties"] for name in ("Power", "Province"))]
    keys = {key for table in tables for key in table} | set(schema["$defs"]["SetupTable"]["properties"])
    described = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert described == keys - {"powers", "provinces", "setups", "source", "compass"}
    for key in (*schema["$defs"]["SourceTable"]["properties"], *schema["$defs"]["CompassTable"]["properties"]):
        assert re.search(f"`{key}\\b", text), key
    for key in schema_of("names")["properties"]:
        assert re.search(rf"`\[{key}[.\]]", text), key


def test_a_drawing_that_does_not_fit_its_board_is_named(tmp_path: Path) -> None:
    drawing = json.loads((shipped("maps") / "isthmus" / "drawing.json").read_text("utf-8"))
    drawing["provinces"]["OAK"]["center"] = None
    drawing["provinces"]["YEW"] = drawing["provinces"].pop("ELM")
    (tmp_path / "strait").mkdir()
    (tmp_path / "strait" / "board.toml").write_text('name = "strait"\nextends = "isthmus"\n', "utf-8")
    assert faults_of(tmp_path / "strait") == ()
    (tmp_path / "strait" / "drawing.json").write_text(json.dumps(drawing), "utf-8")
    told = ("ELM is not drawn", "OAK has no place for its center", "there is no province YEW")
    assert faults_of(tmp_path / "strait") == tuple(f"drawing.json: {fault}" for fault in told)


def test_a_board_that_extends_one_is_shown_in_its_drawing(tmp_path: Path) -> None:
    (tmp_path / "strait").mkdir()
    more = '[provinces.FAR]\nname = "Far Isle"\nkind = "sea"\nfleet = ["EAS"]\n[provinces.EAS]\nfleet = ["FAR", '
    there = json.dumps(list(load_map("isthmus").fleet_borders[Location("EAS")]))[1:]
    (tmp_path / "strait" / "board.toml").write_text(f'name = "strait"\nextends = "isthmus"\n{more}{there}\n', "utf-8")
    assert faults_of(tmp_path / "strait") == ("drawing.json: FAR is not drawn",)


class _Noting(dict[str, Any]):
    """A table that notes which of its keys are read."""

    def __init__(self, table: Mapping[str, Any], read: set[str], place: str = "") -> None:
        super().__init__({key: self._noting(value, read, f"{place}.{key}") for key, value in table.items()})
        self.read, self.place = read, place

    @staticmethod
    def _noting(value: object, read: set[str], place: str) -> object:
        return _Noting(value, read, place) if isinstance(value, dict) else value

    def __getitem__(self, key: str) -> Any:
        self.read.add(f"{self.place}.{key}")
        return super().__getitem__(key)

    def get(self, key: str, otherwise: Any = None) -> Any:
        self.read.add(f"{self.place}.{key}")
        return super().get(key, otherwise)

    def __contains__(self, key: object) -> bool:
        self.read.add(f"{self.place}.{key}")
        return super().__contains__(key)


def test_the_reader_reads_what_the_schema_knows_and_nothing_else() -> None:
    read: set[str] = set()
    board = tomllib.loads((HERE / "boards" / "lagoon" / "board.toml").read_text("utf-8"))
    read_map(_Noting(board, read))
    schema = schema_of("board")
    for table, where in (("BoardFile", ""), ("PowerTable", ".powers.RED"), ("ProvinceTable", ".provinces.CAP")):
        known = schema["properties"] if table == "BoardFile" else schema["$defs"][table]["properties"]
        there = {key.removeprefix(f"{where}.").partition(".")[0] for key in read if key.startswith(f"{where}.")}
        assert there - {"army", "fleet"} == set(known) - {"army", "fleet", "extends", "compass"}, table
    assert ".setups.2.tossed" in read


def test_what_names_leave_out_falls_back_to_english(folder: Path) -> None:
    names = names_on("dunes")
    assert names["provinces"]["ELM"] == {"en": ["Elm Hills"], "codes": ["ELM"]}
    assert names["coasts"].keys() == {"NC", "SC"}
    assert names["powers"]["EAST"]["ja"] == ["東国"]
    (folder / "dunes" / "names.toml").unlink()
    names_on.cache_clear()
    names = names_on("dunes")
    assert names["powers"]["EAST"] == {"en": ["East"]}
    assert (names["board"], names["about"], names["forms"]) == ({"en": "Dunes"}, {"en": ""}, {})


@pytest.mark.parametrize("written", ["A Elm Hills - Moorland", "a elm-moor", "Army Elm to Moor", "ELM陸軍→MOOR"])
def test_orders_are_read_on_a_board_of_the_operator(folder: Path, written: str) -> None:
    assert folder
    map_ = load_map("dunes")
    (line,) = read(written, Context(map_, map_.start(), (Power("EAST"),)))
    assert [write_order(one.order) for one in line.requests if hasattr(one, "order")] == ["A ELM - MOOR"]


@pytest.mark.usefixtures("_other_boards")
@pytest.mark.parametrize("name", ["delta", "lagoon"])
def test_every_order_in_codes_is_read_as_it_is_written(name: str) -> None:
    """Every legal order of one unit beside another, on boards of many kinds.

    They have codes of two to five characters, canals and islands.
    """
    map_ = load_map(name)
    power, other = map_.powers[:2]
    units, count = list(map_.units_by_text.values()), 0
    for unit in units:
        orders: list[Order] = [Hold(unit), *(Move(unit, to) for to in map_.neighbors(unit))]
        for helped in (one for one in units if one.province != unit.province):
            near = [to for to in map_.neighbors(helped) if province_of(to) in map_.reach(unit) - {unit.province}]
            supports = [Support(unit, helped, to) for to in near]
            if helped.province in map_.reach(unit):
                supports.append(Support(unit, helped))
            context = Context(map_, Position(Phase.parse("S1205M"), {unit: power, helped: other}, {}), (power,))
            for order in [*supports, *orders]:
                for written in (write_order(order), write_order(order).lower()):
                    (line,) = read(written, context)
                    assert [one.order for one in line.requests if isinstance(one, Give)] == [order], written
                    count += 1
            orders = []
    assert count > 200


@pytest.mark.usefixtures("_other_boards")
def test_a_game_may_begin_with_builds() -> None:
    settings = replace(Settings(), map="delta", rules=replace(STANDARD, players="2"))
    forming = replace(
        set_out("ardennes", settings, PersonId(1)), applicants=(Applicant(PersonId(2)), Applicant(PersonId(3)))
    )
    game = start(forming, datetime(2026, 11, 25, tzinfo=UTC), 1)
    assert (str(game.position.phase), game.deciding, game.has_begun) == ("W1200A", ("NORTH", "SOUTH"), False)
    assert {power: len(choice.options) for power, choice in game.decisions.items()} == {"NORTH": 2, "SOUTH": 2}
    assert game.seat(Power("HERMITS")).holder is None
    assert is_coming(Phase.parse("F1210M"), game)
    assert not is_coming(Phase.parse("S1215M"), game)
    closed = close(game, game.position.phase, game.clock.deadline or datetime(2026, 11, 26, tzinfo=UTC))
    assert closed is not None
    assert str(closed[0].position.phase) == "S1205M"


def test_a_line_is_adjudicated_on_a_board_of_the_operator(folder: Path) -> None:
    assert folder
    line = {"board": "dunes", "phase": "S0001M", "units": {"EAST": ["A ELM"]}, "orders": {"EAST": ["A ELM - FIR"]}}
    answer, is_read = adjudicate_line(json.dumps(line), reasons_on)
    assert is_read
    assert json.loads(answer)["why"]["A ELM"] == "void: Elm Hills does not border Fir Harbor"


def test_a_bad_board_is_refused_with_all_its_faults_and_the_others_work(folder: Path) -> None:
    make_board(folder / "broken")
    broken = folder / "broken" / "board.toml"
    broken.write_text(broken.read_text("utf-8").replace("victory_centers = 5", "victory_centers = 99"), "utf-8")
    make_board(folder / "standard")
    assert "dunes" in boards()
    assert "broken" not in boards()
    found = look_in(folder)
    assert found.good.keys() == {"dunes"}
    assert found.bad == {
        "broken": ("board.toml: victory_centers: is 99, but there are 6 supply centers",),
        "standard": ("a board standard is shipped; give this one another name",),
    }
    settings = Config(
        database=DatabaseSettings(url=f"sqlite:///{folder}/judge.sqlite3"), games=GamesSettings(boards=folder)
    )
    told = [one.told(Language.ENGLISH) for one in examine(settings)]
    for faults in found.bad.values():
        assert all(any(fault in line for line in told) for fault in faults)
    assert any(str(folder / "dunes") in line for line in told)


def test_a_game_whose_board_is_away_breaks_no_list(folder: Path) -> None:
    """The game comes back with its board; nothing else depends on it."""
    with closed_after(Store.open(url_in_memory())) as store:
        with store.work() as work:
            master = work.people.add("ada@players.test", "Ada", Language.ENGLISH, "UTC").id
            work.games.add(set_out("ardennes", Settings(), master))
            work.games.add(
                set_out("sahara", replace(Settings(), map="dunes", rules=replace(STANDARD, players="2")), master)
            )
            work.commit()
        lines = (folder / "dunes" / "board.toml").read_text("utf-8")
        for text, names in ((lines, ["ardennes", "sahara"]), ("broken", ["ardennes"]), (lines, ["ardennes", "sahara"])):
            (folder / "dunes" / "board.toml").write_text(text, "utf-8")
            load_map.cache_clear()  # as after a start
            use_boards_in(folder)
            with store.look() as work:
                assert [game.name for game in work.games.many(["ardennes", "sahara"])] == names


@pytest.mark.usefixtures("_forgotten")
def test_the_command_lists_checks_and_begins_boards(tmp_path: Path) -> None:
    run = CliRunner()
    listed = run.invoke(app, ["board", "list"])
    assert [line.split()[0] for line in listed.stdout.splitlines()[1:]] == list(boards())
    assert run.invoke(app, ["board", "new", str(tmp_path / "dunes")]).exit_code == 0
    assert run.invoke(app, ["board", "check", str(tmp_path / "dunes")]).exit_code == 0
    (tmp_path / "dunes" / "board.toml").write_text("name =", "utf-8")
    refused = run.invoke(app, ["board", "check", str(tmp_path / "dunes")])
    assert refused.exit_code == 1
    assert "board.toml: " in refused.output
    settings = tmp_path / "config.toml"
    settings.write_text(f'[games]\nboards = "{tmp_path}"\n', "utf-8")
    assert run.invoke(app, ["board", "list", "-c", str(settings)]).stderr.startswith("judge: dunes cannot be played: ")


def test_the_beginning_of_a_name_is_no_verb(folder: Path) -> None:
    make_board(folder / "hills")
    board = folder / "hills" / "board.toml"
    board.write_text(board.read_text("utf-8").replace("Ash Hills", "Hold Hills"), "utf-8")
    assert faults_of(folder / "hills") == ()
    lines = ("Army Elm Hills supports Army Moorland to hold", "A Hold Hills S Elm", "A Hold Hills holds")
    map_, east = load_map("hills"), Power("EAST")
    position = replace(map_.start(), units=dict.fromkeys(map(read_unit, ("A ELM", "A ASH", "A MOOR")), east))
    read_lines = read("\n".join(lines), Context(map_, position, (east,)))
    given = [write_order(one.order) for line in read_lines for one in line.requests if isinstance(one, Give)]
    assert given == ["A ELM S A MOOR", "A ASH S A ELM", "A ASH H"]


def test_a_coast_with_words_of_its_own_keeps_its_code(folder: Path) -> None:
    make_board(folder / "shores")
    names = folder / "shores" / "names.toml"
    names.write_text(names.read_text("utf-8") + '\n[coasts.NC]\nen = ["Long Beach"]\n', "utf-8")
    assert faults_of(folder / "shores") == ()
    map_ = load_map("shores")
    for written in ("F BAY - MOOR/NC", "F Bay - Moorland Long Beach", "f bay-moor (nc)"):
        (line,) = read(written, Context(map_))
        assert [write_order(one.order) for one in line.requests if isinstance(one, Give)] == ["F BAY - MOOR/NC"]


def test_a_board_has_letters_of_its_own() -> None:
    board = copy.deepcopy(tomllib.loads((HERE / "boards" / "lagoon" / "board.toml").read_text("utf-8")))
    board["powers"]["RED"]["letter"] = "X"
    assert read_map(board).letters == {"RED": "X", "BLUE": "Bl", "GREEN": "Gr"}


def test_a_board_extends_a_shipped_one_with_what_differs(folder: Path) -> None:
    (folder / "north").mkdir()
    text = 'name = "north"\nextends = "standard"\nvictory_centers = 20\n[powers.ITALY]\nunits = ["F ROM"]\n'
    (folder / "north" / "board.toml").write_text(text, "utf-8")
    (folder / "north" / "names.toml").write_text('[provinces.ROM]\nen = ["Eternal City"]\n', "utf-8")
    use_boards_in(folder)
    assert faults_of(folder / "north") == ()
    board, standard = load_map("north"), load_map()
    assert (board.victory_centers, board.army_borders) == (20, standard.army_borders)
    own = {unit.text for unit, power in board.start_units.items() if power == "ITALY"}
    assert own == {"F ROM"}
    assert len(board.start_units) == len(standard.start_units) - 2
    assert names_on("north")["provinces"]["ROM"]["en"] == ["Eternal City"]
    assert names_on("north")["provinces"]["ROM"]["ja"] == names_on("standard")["provinces"]["ROM"]["ja"]
    assert drawing_of("north") is not None
