"""Collect every value that reaches a template, and walk through it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import wraps
from unittest.mock import patch

from jinja2 import Template
from jinja2.runtime import Macro
from msgspec import Struct

from judge.games.filed import FiledOrder, Planned, Replaced
from judge.games.game import Applicant, Game, Invitation, Seat
from judge.games.person import Person
from judge.reports.catalogs import Piece, Speech
from judge.rules.position import Position

SECRETIVE = (Game, Seat, FiledOrder, Planned, Replaced, Applicant, Invitation, Position, Person)
"""Types with more than their reader may know; templates get views instead."""


@contextmanager
def templates_watched(seen: list[object]) -> Iterator[None]:
    """Collect in `seen`, once each, the values given to templates, macros or messages."""
    known: dict[int, object] = {}
    call, render, say = Macro.__call__, Template.render, Speech._said

    def note(value: object) -> None:
        if id(value) not in known:
            known[id(value)] = value  # kept, to prevent the reuse of its id
            seen.append(value)

    @wraps(call)
    def called(self: Macro, *args: object, **named: object) -> object:
        for value in (*args, *named.values()):
            note(value)
        return call(self, *args, **named)

    @wraps(say)
    def said(self: Speech, pieces: Sequence[Piece], values: Mapping[str, object], thing: object) -> str:
        for value in (thing, *values.values()):
            note(value)
        return say(self, pieces, values, thing)

    @wraps(render)
    def rendered(self: Template, *args: object, **named: object) -> str:
        for value in (*args, *named.values()):
            note(value)
        return render(self, *args, **named)

    with (
        patch.object(Macro, "__call__", called),
        patch.object(Template, "render", rendered),
        patch.object(Speech, "_said", said),
    ):
        yield


def inside(value: object, way: str = "", known: set[int] | None = None) -> Iterator[tuple[str, object]]:
    """Yield a value and everything in it, each with its path.

    A value in `known` (by `id`) is not searched again.
    """
    yield way or type(value).__name__, value
    if known is not None:
        if id(value) in known:
            return
        known.add(id(value))
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from inside(getattr(value, name), f"{way or type(value).__name__}.{name}", known)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from inside(getattr(value, field.name), f"{way or type(value).__name__}.{field.name}", known)
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from inside(one, f"{way}[{key!r}]", known)
    elif isinstance(value, tuple | list | set | frozenset):
        for number, one in enumerate(value):
            yield from inside(one, f"{way}[{number}]", known)


def secretive(values: list[object]) -> set[str]:
    """Return the paths to values that no template may get."""
    known: set[int] = set()
    return {
        f"{way}: {type(one).__name__}"
        for value in values
        for way, one in inside(value, "", known)
        if isinstance(one, SECRETIVE)
    }
