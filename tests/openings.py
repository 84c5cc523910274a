"""Openings of games, played once and then copied.

Tests that begin in the same way share them. A judge that starts on a copy of a store goes on like the one that wrote
it: the store holds all it knows.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any

from tests.database import IS_POSTGRESQL, content_of, fill

if TYPE_CHECKING:
    from tests.office import Judge

CHANCE = (Random(1), Random(1))
"""Sources of bytes and bits instead of real secrets.

Each test begins with the same ones.
"""
_OWN = ("parts", "box", "world", "folder", "url")
"""The attributes that stay as they are."""
_opened: dict[tuple[object, ...], _Opened] = {}


@dataclass(frozen=True)
class _Opened:
    """A game after its opening."""

    content: bytes
    """What the store holds."""
    chance: tuple[Any, ...]
    beside: tuple[dict[str, object], ...]
    """The attributes of the other objects that the opening changed."""


def once(judge: Judge, opening: str, play: Callable[[], None], *beside: object) -> None:
    """Play an opening, or copy its outcome.

    It is copied if an opening of this name was played from the same state before.
    `beside` are the objects that it changes besides the store.
    """
    if IS_POSTGRESQL:
        play()
        return
    changed = (judge, *beside)
    before = sha256(content_of(judge.parts.store)).digest()
    key = (opening, before, judge.configured(), judge.now, *(one.getstate() for one in CHANCE))
    found = _opened.get(key)
    if found is None:
        play()
        chance = tuple(one.getstate() for one in CHANCE)
        _opened[key] = _Opened(content_of(judge.parts.store), chance, tuple(map(_attributes, changed)))
        return
    fill(judge.parts.store, found.content)
    for random, state in zip(CHANCE, found.chance, strict=True):
        random.setstate(state)
    for one, attributes in zip(changed, found.beside, strict=True):
        vars(one).update({name: copy(value) for name, value in attributes.items()})


def _attributes(one: object) -> dict[str, object]:
    """Return the attributes of an object that an opening changes.

    Lists and dictionaries are copied, not what is in them.
    """
    return {name: copy(value) for name, value in vars(one).items() if name not in _OWN}
