"""Pictures of letters: what one shows travels with the letter as a line of text, and is drawn when that is composed.

Closing a phase never waits for a picture, and one that cannot be drawn keeps no letter from leaving.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from judge.commands import Language, MapKind
from judge.games.game import Game
from judge.games.person import Person
from judge.mail.letters import Picture
from judge.reports.pictures import (
    LARGE,
    CentersChart,
    Labels,
    Look,
    PictureKind,
    PictureView,
    Theme,
    alt,
    filed_view,
    has_drawing,
    played_view,
    png,
    position_view,
    replay,
    svg,
)
from judge.reports.readers import Illustration
from judge.rules.adjudication import adjudicate
from judge.rules.exchange import Task, read_task, write_task
from judge.rules.orders import Order
from judge.rules.outcomes import Resolution
from judge.rules.position import Phase, Power
from judge.service.post.past import centers_by_year
from judge.storage import Work


class Shows(StrEnum):
    """What a picture is of."""

    PLAYED = "played"
    """The orders of a phase, and what became of them."""
    AFTER = "after"
    """Where everybody stands when it is over."""
    BEFORE = "before"
    """Where everybody stands while it is open."""
    SUPPOSED = "supposed"
    """What would become of its orders."""
    ON_FILE = "on-file"
    """Its orders, and nothing of what becomes of them."""
    REPLAY = "replay"
    """All phases up to one on record."""
    CHART = "chart"
    """The centers, year by year."""


@dataclass(frozen=True, slots=True)
class PictureSource:
    """All that is needed to draw a picture, now or later, to the same bytes."""

    shows: Shows
    game: str
    place: int | None = None
    """The phase on record that it shows, or the last one that it does."""
    task: Mapping[str, Any] | None = None
    """Of what is not on record: a line as `judge adjudicate` reads it."""
    theme: Theme = Theme.LIGHT
    to_enlarge: bool = False
    """As a file that can be enlarged at will, with the names of the provinces."""


Drawable: TypeAlias = PictureView | CentersChart | tuple[PictureView, ...]


def illustrated(work: Work, sources: Iterable[PictureSource], reader: Person) -> tuple[Illustration, ...]:
    """Pictures as a letter holds them, with what they show in words; none of a board without a drawing."""
    if reader.maps is MapKind.NONE:
        return ()
    theme, language, found = Theme(reader.maps), reader.language, []
    for source in sources:
        shown = shown_by(work, source)
        view = shown[-1] if isinstance(shown, tuple) else shown
        if has_drawing(view.board):
            found.append(_written(replace(source, theme=theme), language, alt(view, language)))
    return tuple(found)


def of_open_phase(game: Game) -> PictureSource:
    """Where everybody stands in the open phase, or stood at the end."""
    return PictureSource(Shows.BEFORE, game.name, task=write_task(game.position, {}, game.settings.rules))


def of_orders(game: Game, orders: Mapping[Power, Sequence[Order]]) -> PictureSource:
    """Orders on file."""
    return PictureSource(Shows.ON_FILE, game.name, task=write_task(game.position, orders, game.settings.rules))


def of_outcome(game: Game, resolution: Resolution) -> PictureSource:
    """What would become of orders."""
    orders: dict[Power, list[Order]] = {}
    for verdict in resolution.verdicts:
        if verdict.given:
            orders.setdefault(verdict.power, []).append(verdict.order)
    task = write_task(game.position, orders, game.settings.rules, game.circumstances)
    return PictureSource(Shows.SUPPOSED, game.name, task=task)


def of_closed_phase(work: Work, game: Game, phase: Phase) -> PictureSource | None:
    """The orders of a phase, and what became of them; None if it was not closed."""
    places = [closed.place for closed in work.records.phases(game.name) if closed.phase == phase]
    return PictureSource(Shows.PLAYED, game.name, places[-1]) if places else None


def of_last_phase(work: Work, game: Game) -> tuple[PictureSource, ...]:
    """The phase that was just put on record: its orders, and where everybody stands after it."""
    closed = work.records.latest(game.name)
    assert closed is not None  # it was just put on record
    return tuple(PictureSource(shows, game.name, closed.place) for shows in (Shows.PLAYED, Shows.AFTER))


def of_whole_game(work: Work, game: Game) -> tuple[PictureSource, ...]:
    """The game as one moving picture, and its centers; nothing before a phase was closed."""
    closed = work.records.latest(game.name)
    if closed is None:
        return ()
    return tuple(PictureSource(one, game.name, closed.place) for one in (Shows.REPLAY, Shows.CHART))


# As text, and back


def _written(source: PictureSource, language: Language, in_words: str) -> Illustration:
    values = {"shows": source.shows, "game": source.game, "place": source.place, "task": source.task}
    looks = {"theme": source.theme, "to_enlarge": source.to_enlarge, "language": language}
    text = json.dumps(values | looks, ensure_ascii=False)
    name = f"{source.game}-{source.shows}"
    cid = f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}@pictures"
    return Illustration(cid, in_words, text, f"{name}.svg" if source.to_enlarge else "")


def _read(picture: Picture) -> tuple[PictureSource, Language]:
    values = json.loads(picture.source)
    language = Language(values.pop("language"))
    return PictureSource(**values | {"shows": Shows(values["shows"]), "theme": Theme(values["theme"])}), language


def language_of(picture: Picture) -> Language:
    """The language of the person who gets a picture."""
    return _read(picture)[1]


# Drawing


def drawable(work: Work, picture: Picture) -> tuple[Drawable, Look, bool]:
    """What a picture of a letter shows and how, and whether it is to be enlarged; the store is not asked again."""
    source, language = _read(picture)
    look = Look(language, source.theme)
    if source.to_enlarge:
        look = replace(look, labels=Labels.NAMES, width=LARGE)
    return shown_by(work, source), look, source.to_enlarge


def drawn(shown: Drawable, look: Look, to_enlarge: bool) -> bytes | None:  # noqa: FBT001 - as it comes from above
    """The picture as bytes; None where the board has no drawing."""
    if isinstance(shown, tuple):
        return replay(shown, look)
    if to_enlarge:
        text = svg(shown, look)
        return None if text is None else text.encode()
    return png(shown, look)


def shown_by(work: Work, source: PictureSource) -> Drawable:
    """What a picture shows."""
    match source.shows:
        case Shows.REPLAY:
            return _replayed(work, source)
        case Shows.CHART:
            game = work.games.get(source.game)
            assert game is not None  # what is on record stays there
            return CentersChart(game.settings.map, centers_by_year(work, game), source.game)
        case _:
            return _board(source, _task(work, source))


def _board(source: PictureSource, task: Task) -> PictureView:
    """The board of a task, before or after what was ordered."""
    name = task.map.name
    match source.shows:
        case Shows.ON_FILE:
            orders = {power: tuple(given) for power, given in task.orders.items()}
            return filed_view(name, task.position, orders, source.game)
        case Shows.PLAYED:
            return played_view(name, _resolution(task), source.game)
        case Shows.SUPPOSED:
            return played_view(name, _resolution(task), source.game, PictureKind.SUPPOSED)
        case Shows.AFTER:
            return position_view(name, _resolution(task).position, source.game)
        case _:
            return position_view(name, task.position, source.game)


def _task(work: Work, source: PictureSource) -> Task:
    if source.task is not None:
        return read_task(dict(source.task))
    assert source.place is not None  # what has no task of its own is on record
    return read_task(work.records.at(source.game, source.place).record["input"])


def _resolution(task: Task) -> Resolution:
    return adjudicate(task.map, task.position, task.orders, task.options, task.circumstances)


def _replayed(work: Work, source: PictureSource) -> tuple[PictureView, ...]:
    """The start, the orders of each phase, and where everybody stood at the end."""
    tasks = [read_task(closed.record["input"]) for closed in work.records.phases(source.game)]
    if not tasks:
        return ()
    board, first, last = tasks[0].map.name, tasks[0], _resolution(tasks[-1])
    return (
        position_view(board, first.position, source.game),
        *(played_view(board, _resolution(task), source.game) for task in tasks),
        position_view(board, last.position, source.game),
    )
