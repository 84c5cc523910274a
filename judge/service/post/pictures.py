"""Pictures of letters.

A picture is queued with its letter as a line of JSON, and is drawn when the letter is composed.
Closing a phase never waits for a drawing. A picture that cannot be drawn never holds up a letter.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from judge.commands import Language, MapKind
from judge.games.game import Game
from judge.games.person import Person
from judge.games.sight import must_be_a_view
from judge.mail.letters import Picture
from judge.reports.pictures import (
    FRONT,
    LARGE,
    Board,
    CentersChart,
    Labels,
    Look,
    PictureKind,
    PictureView,
    Theme,
    alt,
    alt_of_front,
    board_of,
    filed_view,
    has_drawing,
    played_view,
    png,
    position_view,
    replay,
    svg,
)
from judge.reports.readers import Illustration
from judge.resources import board_extended, boards
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.exchange import Task, read_task, write_task
from judge.rules.map import load_map
from judge.rules.orders import Order
from judge.rules.outcomes import Resolution
from judge.rules.position import Phase, PhaseKind, Power
from judge.service.post.past import centers_by_year, played_as_seen
from judge.storage import Work

_SMALL = 400
"""The width in pixels of a board among others.

A letter with all boards stays small.
"""
_SHARP = 1440
"""The width of pictures that are kept: two pixels for each one in a letter."""


class Shows(StrEnum):
    """What a picture shows."""

    PLAYED = "played"
    """The orders of a phase, and their outcome."""
    FRONT = "front"
    """The part of the played orders where the reader's units stand beside others."""
    AFTER = "after"
    """The position after the phase."""
    BEFORE = "before"
    """The position while the phase is open."""
    SUPPOSED = "supposed"
    """The outcome that the orders would have."""
    ON_FILE = "on-file"
    """The orders on file, without their outcome."""
    END = "end"
    """The position at the end of the game, in high resolution."""
    REPLAY = "replay"
    """All phases up to one on record."""
    CHART = "chart"
    """The centers, year by year."""
    BOARD = "board"
    """The start position of a board that a game can be played on."""


@dataclass(frozen=True, slots=True)
class PictureSource:
    """All data to draw a picture, now or later, to the same bytes."""

    shows: Shows
    game: str
    """The name of the game, or of the board."""
    place: int | None = None
    """The phase on record to show, or the last one of several."""
    task: Mapping[str, Any] | None = None
    """An input line of `judge adjudicate`, for a phase not on record."""
    seen_by: tuple[Power, ...] | None = None
    """The powers whose player sees the phases on record, in fog.

    None shows all of them.
    """
    theme: Theme = Theme.LIGHT
    to_enlarge: bool = False
    """Whether to draw a scalable file with the names of the provinces."""
    powers: tuple[Power, ...] = ()
    """The powers whose front is shown."""


Shown: TypeAlias = PictureView | CentersChart | tuple[PictureView, ...]


@dataclass(frozen=True)
class Drawable:
    """What a picture shows, in any language; drawing it needs no database."""

    shown: Shown
    look: Look
    """The look, without a language."""
    to_enlarge: bool

    @cached_property
    def board(self) -> Board | None:
        """The board of a map, drawn once for all pictures of it.

        None if the map has no drawing.
        """
        return board_of(self.shown, self.look) if isinstance(self.shown, PictureView) else None


View: TypeAlias = PictureView | CentersChart
"""What the alternative text of a picture describes."""


def illustrated(work: Work, sources: Iterable[PictureSource], reader: Person) -> tuple[Illustration, ...]:
    """Return pictures for a letter, with alternative text.

    A board without a drawing has none.
    """
    return () if reader.maps is MapKind.NONE else illustrations(viewed(work, sources), reader)


def viewed(work: Work, sources: Iterable[PictureSource]) -> tuple[tuple[PictureSource, View], ...]:
    """Return pictures with what they show; none for a board without a drawing."""
    shown = [(source, shown_by(work, source)) for source in sources]
    views = [(source, one[-1] if isinstance(one, tuple) else one) for source, one in shown]
    return tuple((source, view) for source, view in views if has_drawing(view.board))


def illustrations(pictures: Iterable[tuple[PictureSource, View]], reader: Person) -> tuple[Illustration, ...]:
    """Return the pictures for one reader."""
    if reader.maps is MapKind.NONE:
        return ()
    theme, language = Theme(reader.maps), reader.language
    return tuple(
        _written(replace(source, theme=theme), language, _in_words(source, view, language)) for source, view in pictures
    )


def _in_words(source: PictureSource, view: View, language: Language) -> str:
    if isinstance(view, PictureView) and source.shows is Shows.FRONT:
        return alt_of_front(view, source.powers, language)
    return alt(view, language)


def of_open_phase(game: Game) -> PictureSource:
    """Return the position in the open phase, or at the end of the game."""
    must_be_a_view(game)
    return PictureSource(Shows.BEFORE, game.name, task=_open_phase(game, {}))


def of_orders(game: Game, orders: Mapping[Power, Sequence[Order]]) -> PictureSource:
    """Return the picture of orders on file."""
    must_be_a_view(game)
    return PictureSource(Shows.ON_FILE, game.name, task=_open_phase(game, orders))


def of_outcome(game: Game, resolution: Resolution) -> PictureSource:
    """Return the picture of the outcome that orders would have."""
    orders: dict[Power, list[Order]] = {}
    for verdict in resolution.verdicts:
        if verdict.given:
            orders.setdefault(verdict.power, []).append(verdict.order)
    task = _open_phase(game, orders, game.circumstances)
    return PictureSource(Shows.SUPPOSED, game.name, task=task)


def _open_phase(
    game: Game, orders: Mapping[Power, Sequence[Order]], circumstances: Circumstances = NORMAL
) -> Mapping[str, Any]:
    """Return the open phase with orders, as an input line of `judge adjudicate`."""
    return {"board": game.settings.map} | write_task(game.position, orders, game.settings.rules, circumstances)


def of_closed_phase(work: Work, game: Game, phase: Phase) -> PictureSource | None:
    """Return the orders of a phase and their outcome; None if it was not closed."""
    places = [closed.place for closed in work.records.phases(game.name) if closed.phase == phase]
    return PictureSource(Shows.PLAYED, game.name, places[-1], seen_by=_seers(game)) if places else None


def _seers(game: Game) -> tuple[Power, ...] | None:
    must_be_a_view(game)
    return game.sight.powers if game.sight is not None else None


def of_last_phase(work: Work, game: Game) -> tuple[PictureSource, ...]:
    """Return the pictures of the phase that was just put on record.

    They are its orders, and the position after it if the first picture does not show that already.
    Builds and removals are drawn on the board as it is afterwards. Disbanded units are crossed out on it.
    """
    closed = work.records.latest(game.name)
    assert closed is not None  # it was just put on record
    played = played_as_seen(read_task(closed.record["input"]), _seers(game))
    before, after = played.before, played.position
    assert before is not None  # an adjudicated phase had a position
    is_same = (before.units, before.dislodged, before.centers) == (after.units, after.dislodged, after.centers)
    has_no_retreat = before.phase.kind is PhaseKind.RETREAT and after.units.keys() <= before.units.keys()
    is_shown = is_same or has_no_retreat or before.phase.kind is PhaseKind.ADJUSTMENT
    shows = (Shows.PLAYED,) if is_shown else (Shows.PLAYED, Shows.AFTER)
    return tuple(PictureSource(one, game.name, closed.place, seen_by=_seers(game)) for one in shows)


def of_whole_game(work: Work, game: Game) -> tuple[PictureSource, ...]:
    """Return an animated replay of the game, and its centers.

    Nothing before a phase was closed.
    """
    return _of_all_phases(work, game, Shows.REPLAY, Shows.CHART)


def of_end(work: Work, game: Game) -> tuple[PictureSource, ...]:
    """Return the position at the end, and the centers year by year."""
    return replace(of_open_phase(game), shows=Shows.END), *_of_all_phases(work, game, Shows.CHART)


def _of_all_phases(work: Work, game: Game, *shows: Shows) -> tuple[PictureSource, ...]:
    closed = work.records.latest(game.name)
    if closed is None:
        return ()
    return tuple(PictureSource(one, game.name, closed.place, seen_by=_seers(game)) for one in shows)


def of_boards() -> Iterator[PictureSource]:
    """Yield the boards, except those that look like another one."""
    yield from (PictureSource(Shows.BOARD, name) for name in boards() if not board_extended(name))


def front_of(
    pictures: Iterable[tuple[PictureSource, View]], powers: Sequence[Power], reader: Person
) -> tuple[Illustration, ...]:
    """Return the front of these powers in the orders that were played.

    Return nothing if their units stand beside no others.
    """
    fronts = (
        (replace(source, shows=Shows.FRONT, powers=tuple(powers)), view)
        for source, view in pictures
        if source.shows is Shows.PLAYED and _has_front(view, powers)
    )
    return illustrations(fronts, reader)


def _has_front(view: View, powers: Sequence[Power]) -> bool:
    board = board_of(view, Look()) if isinstance(view, PictureView) else None
    return board is not None and board.has_front(powers)


# To JSON, and back


def _written(source: PictureSource, language: Language, in_words: str) -> Illustration:
    values = {"shows": source.shows, "game": source.game, "place": source.place, "task": source.task}
    looks = {"theme": source.theme, "to_enlarge": source.to_enlarge, "language": language}
    of_some = {"seen_by": source.seen_by, "powers": source.powers or None}
    some = {name: powers for name, powers in of_some.items() if powers is not None}
    text = json.dumps(values | looks | some, ensure_ascii=False)
    name = f"{source.game}-{source.shows}"
    cid = f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}@pictures"
    filename, is_bright = f"{name}.svg" if source.to_enlarge else "", source.theme is Theme.LIGHT
    shown = Illustration(cid, in_words, text, filename, is_bright=is_bright)
    if source.shows is Shows.FRONT:
        return replace(shown, width=FRONT[0], is_detail=True)
    return replace(shown, width=_SMALL) if source.shows is Shows.BOARD else shown


def _read(picture: Picture) -> tuple[PictureSource, Language]:
    values = json.loads(picture.source)
    language = Language(values.pop("language"))
    for name in {"seen_by", "powers"} & values.keys():
        values[name] = tuple(values[name])
    return PictureSource(**values | {"shows": Shows(values["shows"]), "theme": Theme(values["theme"])}), language


def language_of(picture: Picture) -> Language:
    """Return the language of the reader a picture is for."""
    return _read(picture)[1]


def board_shown(picture: Picture) -> str:
    """Return a key shared by the pictures of one board.

    These pictures differ only in their language, or in the powers whose front they show.
    """
    values = json.loads(picture.source)
    del values["language"]
    if values.pop("powers", None):
        values["shows"] = Shows.PLAYED
    return json.dumps(values)


# Drawing


def drawable(work: Work, picture: Picture) -> Drawable:
    """Return what a picture shows."""
    source, _ = _read(picture)
    look = Look(theme=source.theme)
    if source.to_enlarge:
        look = replace(look, labels=Labels.NAMES, width=LARGE)
    elif source.shows is Shows.BOARD:
        look = replace(look, width=_SMALL)
    elif source.shows in (Shows.END, Shows.CHART):
        look = replace(look, width=_SHARP)
    return Drawable(shown_by(work, source), look, source.to_enlarge)


def drawn(drawable: Drawable, picture: Picture) -> bytes | None:
    """Draw the picture; return its bytes, or None if the board has no drawing."""
    source, language = _read(picture)
    shown, look = drawable.shown, replace(drawable.look, language=language)
    if isinstance(shown, tuple):
        return replay(shown, look)
    if drawable.to_enlarge:
        text = svg(shown, look)
        return None if text is None else text.encode()
    if isinstance(shown, CentersChart):
        return png(shown, look)
    if drawable.board is None:
        return None
    return drawable.board.front_png(source.powers) if source.powers else drawable.board.png(language)


def shown_by(work: Work, source: PictureSource) -> Shown:
    """Read what a picture shows."""
    match source.shows:
        case Shows.REPLAY:
            return _replayed(work, source)
        case Shows.CHART:
            game = work.games.get(source.game)
            assert game is not None  # games on record are never removed
            return CentersChart(game.settings.map, centers_by_year(work, game, source.seen_by), source.game)
        case Shows.BOARD:
            return position_view(source.game, load_map(source.game).start(), source.game)
        case _:
            return _board(source, _task(work, source))


def _board(source: PictureSource, task: Task) -> PictureView:
    """Return the board of a task, before or after its orders."""
    name = task.map.name
    match source.shows:
        case Shows.ON_FILE:
            orders = {power: tuple(given) for power, given in task.orders.items()}
            return filed_view(name, task.position, orders, source.game)
        case Shows.PLAYED | Shows.FRONT:
            return played_view(name, played_as_seen(task, source.seen_by), source.game)
        case Shows.SUPPOSED:
            return played_view(name, played_as_seen(task, None), source.game, PictureKind.SUPPOSED)
        case Shows.AFTER:
            return position_view(name, played_as_seen(task, source.seen_by).position, source.game)
        case _:
            return position_view(name, task.position, source.game)


def _task(work: Work, source: PictureSource) -> Task:
    if source.task is not None:
        return read_task(dict(source.task))
    assert source.place is not None  # a source without a task shows a phase on record
    return read_task(work.records.at(source.game, source.place).record["input"])


def _replayed(work: Work, source: PictureSource) -> tuple[PictureView, ...]:
    """Return the start, the orders of each phase, and the position at the end."""
    tasks = [read_task(closed.record["input"]) for closed in work.records.phases(source.game)]
    if not tasks:
        return ()
    board, played = tasks[0].map.name, [played_as_seen(task, source.seen_by) for task in tasks]
    return (
        position_view(board, played[0].before or tasks[0].position, source.game),
        *(played_view(board, one, source.game) for one in played),
        position_view(board, played[-1].position, source.game),
    )
