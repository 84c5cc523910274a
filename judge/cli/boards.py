"""`judge board`: list the boards, check or draw one, begin a new one."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Annotated

import typer
from typer import Exit, Option

from judge.boards.making import make_board
from judge.boards.operators import look_in
from judge.cli.common import ConfigFile, given_config, refuse
from judge.cli.terminal import AsJson, Column, show_rows
from judge.names import names_on
from judge.resources import boards
from judge.rules.map import load_map, read_map

board = typer.Typer(no_args_is_help=True, help="The boards: list them, check or draw one, begin a new one.")

_BOARDS = (
    Column("board", "board"),
    Column("players", "players"),
    Column("provinces", "provinces", is_number=True),
    Column("centers", "centers", is_number=True),
    Column("about", "about", gives_way=True),
)
Folder = Annotated[Path, typer.Argument(help="The folder of the board.")]


@board.command(name="list")
def board_list(config: ConfigFile = None, as_json: AsJson = False) -> None:
    """List the boards for games: those that are shipped, and those in your folder."""
    folder = given_config(config).games.boards
    show_rows(_BOARDS, [_row(name) for name in boards()], as_json=as_json)
    for name, faults in look_in(folder).bad.items():
        print(f"judge: {name} cannot be played: {'; '.join(faults)}", file=sys.stderr)


def _row(name: str) -> dict[str, object]:
    map_, names = load_map(name), names_on(name)
    return {
        "board": name,
        "players": ", ".join(sorted(map_.setups)),
        "provinces": len(map_.provinces),
        "centers": len(map_.supply_centers),
        "about": names["about"]["en"] or names["board"]["en"],
    }


@board.command()
def check(folder: Folder) -> None:
    """List all faults of a board, changing nothing."""
    from judge.boards.faults import faults_of  # noqa: PLC0415 - slow to import

    faults = faults_of(folder)
    for fault in faults:
        print(fault)
    if faults:
        print(f"judge: the board in {folder} has {len(faults)} fault{'s' if len(faults) > 1 else ''}", file=sys.stderr)
        raise Exit(1)
    print(f"The board in {folder} can be played.")


@board.command()
def new(folder: Folder) -> None:
    """Write a small board for two with comments, as a start for your own."""
    for path in make_board(folder):
        print(f"{path} is written.")
    print(f"Change it, and then: judge board check {folder}")


@board.command()
def draw(
    folder: Folder,
    output: Annotated[Path | None, Option("--output", "-o", help="drawing.json in the folder if not given.")] = None,
) -> None:
    """Draw a schematic picture of a board from its borders; needs the extra `boards`."""
    try:
        from judge.schematic.schematic import drawing, written  # noqa: PLC0415 - only here, and an extra
    except ImportError as error:
        refuse(f"drawing a board needs {error.name}: install the extra boards")
    board = tomllib.loads((folder / "board.toml").read_text("utf-8"))
    if "extends" in board:
        refuse(f"the board in {folder} has the drawing of the board that it extends, {board['extends']}")
    try:
        made = written(drawing(read_map(board), board.get("compass", {})))
    except (KeyError, TypeError, ValueError) as error:
        refuse(f"the board in {folder} cannot be drawn, see judge board check: {error}")
    (output or folder / "drawing.json").write_text(made, "utf-8")
