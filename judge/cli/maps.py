"""`judge map`: the players' maps as files."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from judge.boards.operators import known_board
from judge.cli.common import ConfigFile, given_config, refuse
from judge.commands import Language
from judge.errors import ConfigError
from judge.reports.pictures import (
    LARGE,
    CentersChart,
    Labels,
    Look,
    PictureView,
    Theme,
    played_view,
    png,
    position_view,
    replay,
    svg,
)
from judge.rules import adjudicate
from judge.rules.exchange import Task, read_task
from judge.rules.map import load_map
from judge.rules.position import GameOver


class Shown(StrEnum):
    """What a map shows."""

    ORDERS = "orders"
    POSITION = "position"
    CHART = "chart"


class Style(StrEnum):
    """A style of a map."""

    DARK = "dark"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class _Asked:
    """The options that choose what to draw."""

    file: Path | None
    game: str | None
    phase: str | None
    show: Shown | None
    board: str | None


def map_command(  # noqa: PLR0913 - one for each option
    file: Annotated[Path | None, typer.Argument(help="Lines as `judge adjudicate` reads or writes them.")] = None,
    *,
    game: Annotated[str | None, Option(help="A game of the database instead of a file.")] = None,
    phase: Annotated[str | None, Option(help="Of the game or of the lines, as F1903M; the last if not given.")] = None,
    show: Annotated[Shown | None, Option(help="Orders with what became of them, where there are any.")] = None,
    output: Annotated[Path, Option("--output", "-o", help="map.svg, map.png, or map.gif: all phases.")] = Path("-"),
    language: Annotated[Language, Option(help="Of the names and words.")] = Language.ENGLISH,
    style: Annotated[list[Style] | None, Option(help="dark; large: with names; may be given twice.")] = None,
    board: Annotated[str | None, Option(help="Of lines that name none; without file and game, its start.")] = None,
    config: ConfigFile = None,
) -> None:
    """Draw a map: a position, a phase's orders, a whole game, or centers by year."""
    asked = _Asked(file, game, phase, show, board)
    views = _of_a_game(asked, config) if game is not None else _of_lines(asked)
    _write(_drawn(views, _look(language, style or ()), output.suffix.lower()), output)


def _look(language: Language, style: Collection[Style]) -> Look:
    look = Look(language, Theme.DARK if Style.DARK in style else Theme.LIGHT)
    return replace(look, labels=Labels.NAMES, width=LARGE) if Style.LARGE in style else look


def _drawn(views: Sequence[PictureView | CentersChart], look: Look, suffix: str) -> bytes:
    """Draw in the format of the file; all views as GIF, else the last."""
    made: bytes | str | None
    match suffix:
        case ".gif":
            made = replay([view for view in views if isinstance(view, PictureView)], look)
        case ".png":
            made = png(views[-1], look)
        case ".svg" | "":
            made = svg(views[-1], look)
        case _:
            raise ConfigError((f"a map is written as .svg, .png or .gif, not as {suffix}",))
    if made is None:
        refuse("there is no drawing of this board")
    return made.encode("utf-8") if isinstance(made, str) else made


def _write(data: bytes, output: Path) -> None:
    if str(output) == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        raise ConfigError((f"{output} cannot be written: {error.strerror}",)) from error


# Lines of `judge adjudicate`


def _of_lines(asked: _Asked) -> Sequence[PictureView]:
    """Return one view for each line."""
    if asked.show is Shown.CHART:
        raise ConfigError(("a chart of centers needs --game",))
    if asked.board is not None:
        known_board(asked.board)
    if asked.board is not None and asked.file is None:
        return [position_view(asked.board, load_map(asked.board).start())]
    tasks = [_task(line, number, asked.board) for number, line in enumerate(_lines(asked.file), start=1)]
    views = [_view(task, asked.show) for task in tasks if asked.phase in (None, str(task.position.phase))]
    if not views:
        refuse(f"no line is about {asked.phase}" if asked.phase else "there is no line")
    return views


def _lines(file: Path | None) -> list[str]:
    try:
        text = file.read_text("utf-8-sig") if file else sys.stdin.read()
    except (OSError, ValueError) as error:
        raise ConfigError((f"{file or 'standard input'} cannot be read: {error}",)) from error
    return [line for line in text.split("\n") if line.strip()]


def _task(text: str, number: int, board: str | None) -> Task:
    """Read a line of input, or a line of results: its resulting position, without orders."""
    try:
        line: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError((f"line {number}: not a line of JSON: {error}",)) from error
    if not isinstance(line, dict):
        raise ConfigError((f"line {number}: not an object of JSON",))
    if board is not None:
        line = {"board": board} | line
    if "next" in line:
        over = line["next"] == GameOver.COMPLETED.value
        line = line | {"phase": line.get("phase") if over else line["next"], "orders": {}}
    return read_task(line)


def _view(task: Task, show: Shown | None, title: str = "") -> PictureView:
    """Show the orders if there are any, unless the position is asked for."""
    if show is Shown.POSITION or (show is None and not any(task.orders.values())):
        return position_view(task.map.name, task.position, title)
    resolution = adjudicate(task.map, task.position, task.orders, task.options, task.circumstances)
    return played_view(task.map.name, resolution, title)


# Games of the database


def _of_a_game(asked: _Asked, config: Path | None) -> Sequence[PictureView | CentersChart]:
    """Return every closed phase that counts, then the current position: public facts only."""
    assert asked.game is not None
    # slow to import, and lines need no database
    from judge.service.post.past import centers_by_year  # noqa: PLC0415
    from judge.storage import Store  # noqa: PLC0415

    with closing(Store.open(given_config(config).database.url)) as store, store.look() as work:
        game = work.games.get(asked.game.lower())
        if game is None:
            refuse(f"there is no game {asked.game!r}")
        if asked.show is Shown.CHART:
            return [CentersChart(game.settings.map, centers_by_year(work, game), game.name)]
        past = [read_task(closed.record["input"]) for closed in work.records.phases(game.name)]
        views = [_view(task, asked.show or Shown.ORDERS, game.name) for task in past]
        if asked.show is not Shown.ORDERS:
            views.append(position_view(game.settings.map, game.position, game.name))
    views = [view for view in views if asked.phase in (None, str(view.phase))]
    if not views:
        refuse(f"{game.name} has no phase {asked.phase}" if asked.phase else f"no phase of {game.name} is over yet")
    return views
