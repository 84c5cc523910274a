"""Store common text of a unit of work's letters once, as a packing base."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update

from judge.mail.letters import Outgoing
from judge.storage import tables as t
from judge.storage.packing import pack
from judge.storage.prepared import Prepared

_WORTH_WHILE = 2_000
"""Bytes; shorter letters take little room anyway."""
_LOOKED_AT = 6
"""Letters without a base that a new letter is compared with."""
_SAMPLES = 32
"""Lines of a letter that are compared with another letter."""
_BASE = Prepared(insert(t.shared).values(content=bindparam("content")).returning(t.shared.c.id))
_LEANS_NOW = update(t.outbox).where(t.outbox.c.message_id == bindparam("of_letter"))
_UNUSED = ~exists().where(t.outbox.c.shared == t.shared.c.id)


class Sharing:
    """The letters of one unit of work, as they are queued.

    A base holds only lines that occur in letters to two persons, hence nothing that is for one alone.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._alone: list[_Letter] = []
        self._bases: list[_Base] = []

    def packed(self, letters: Sequence[tuple[Outgoing, bytes]]) -> Sequence[Mapping[str, Any]]:
        """Return the columns of the next letters, packed with a base if they resemble others."""
        stored = [*self._alone]
        mine = [_Letter(letter.message_id, letter.recipient, content) for letter, content in letters]
        for one in mine:
            self._look_for_a_base(one)
        for one in stored:
            if one.base is not None:
                self._connection.execute(_LEANS_NOW.values(one.columns()), {"of_letter": one.message_id})
        return [one.columns() for one in mine]

    def _look_for_a_base(self, mine: _Letter) -> None:
        if len(mine.content) < _WORTH_WHILE:
            return
        mine.base = next((base for base in self._bases if _are_alike(mine.content, base.lines)), None)
        if mine.base is not None:
            return
        for other in self._alone:
            if other.recipient != mine.recipient and _are_alike(mine.content, other.lines):
                self._alone.remove(other)
                mine.base = other.base = self._base_of(other, mine)
                return
        self._alone = [*self._alone[1 - _LOOKED_AT :], mine]

    def _base_of(self, one: _Letter, other: _Letter) -> _Base:
        """Store the lines that two letters have in common as a base."""
        lines = one.lines & other.lines
        content = b"".join(line for line in one.content.splitlines(keepends=True) if line in lines)
        id_ = int(_BASE.value(self._connection, {"content": pack(content)}))
        self._bases.append(_Base(id_, content, lines))
        return self._bases[-1]


@dataclass(frozen=True, slots=True)
class _Base:
    id: int
    content: bytes
    lines: AbstractSet[bytes]


class _Letter:
    def __init__(self, message_id: str, recipient: str, content: bytes) -> None:
        self.message_id = message_id
        self.recipient = recipient
        self.content = content
        self.base: _Base | None = None

    @cached_property
    def lines(self) -> AbstractSet[bytes]:
        return frozenset(self.content.splitlines(keepends=True))

    def columns(self) -> Mapping[str, Any]:
        if self.base is None:
            return {"packed": pack(self.content), "shared": None}
        return {"packed": pack(self.content, self.base.content), "shared": self.base.id}


def _are_alike(letter: bytes, others: AbstractSet[bytes]) -> bool:
    """Whether more than half of the sampled lines of a letter occur in another.

    Each sample is the line around a place in the letter.
    """
    found = 0
    for place in range(0, len(letter), len(letter) // _SAMPLES):
        start = letter.rfind(b"\n", 0, place) + 1
        found += letter[start : letter.find(b"\n", start) + 1] in others
    return 2 * found > _SAMPLES


SHARED = select(t.shared.c.content).where(t.shared.c.id == t.outbox.c.shared).scalar_subquery().label("base")
"""The base of a letter, as a column beside its own."""


def forget_unused(connection: Connection, ids: Collection[int | None]) -> None:
    """Delete those of these bases that no letter uses any more."""
    connection.execute(delete(t.shared).where(t.shared.c.id.in_({id_ for id_ in ids if id_ is not None}), _UNUSED))
