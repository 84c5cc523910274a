"""What letters of one unit of work have in common: it is stored once, and each letter packed with it at hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, select, update

from judge.mail.letters import Outgoing
from judge.storage import tables as t
from judge.storage.packing import pack

_WORTH_WHILE = 2_000
"""Bytes; what is shorter takes little room anyway."""
_LOOKED_AT = 6
"""Letters that have nothing to lean on yet."""
_STORED = insert(t.shared).returning(t.shared.c.id)
_UNUSED = ~exists().where(t.outbox.c.shared == t.shared.c.id)


class Sharing:
    """The letters of one unit of work, as they are queued.

    A base is made of lines that stand in letters to two people, so that it holds nothing that is for one alone.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._alone: list[_Letter] = []
        self._bases: list[tuple[int, Sequence[bytes]]] = []

    def packed(self, letter: Outgoing, content: bytes) -> Mapping[str, Any]:
        """The columns of a letter, which leans on what it has in common with others."""
        if len(content) < _WORTH_WHILE:
            return _columns(content)
        mine = _Letter(letter.message_id, letter.recipient, content)
        for id_, lines in self._bases:
            if _is_enough(_common(lines, mine), content):
                return _columns(content, lines, id_)
        for other in self._alone:
            common = _common(other.lines, mine)
            if other.recipient != mine.recipient and _is_enough(common, content):
                self._alone.remove(other)
                return self._leaning(mine, other, common)
        self._alone = [*self._alone[1 - _LOOKED_AT :], mine]
        return _columns(content)

    def _leaning(self, mine: _Letter, other: _Letter, common: Sequence[bytes]) -> Mapping[str, Any]:
        """The columns of a letter, and from now on of another, which lean on the lines they have in common."""
        id_ = self._connection.execute(_STORED, {"content": pack(b"".join(common))}).scalar_one()
        self._bases.append((id_, common))
        stored = update(t.outbox).where(t.outbox.c.message_id == other.message_id)
        self._connection.execute(stored.values(_columns(other.content, common, id_)))
        return _columns(mine.content, common, id_)


class _Letter:
    def __init__(self, message_id: str, recipient: str, content: bytes) -> None:
        self.message_id = message_id
        self.recipient = recipient
        self.content = content
        self.lines = content.splitlines(keepends=True)
        self.all_lines = frozenset(self.lines)


def _columns(content: bytes, base: Sequence[bytes] = (), id_: int | None = None) -> Mapping[str, Any]:
    return {"packed": pack(content, b"".join(base)), "shared": id_}


def _common(lines: Sequence[bytes], letter: _Letter) -> Sequence[bytes]:
    return [line for line in lines if line in letter.all_lines]


def _is_enough(common: Sequence[bytes], letter: bytes) -> bool:
    """Whether it is more than half of the letter."""
    return 2 * sum(map(len, common)) > len(letter)


SHARED = select(t.shared.c.content).where(t.shared.c.id == t.outbox.c.shared).scalar_subquery().label("base")
"""A column beside those of a letter: what it leans on."""


def forget_unused(connection: Connection, ids: Collection[int | None]) -> None:
    """Those of these bases are gone on which no letter leans any more."""
    connection.execute(delete(t.shared).where(t.shared.c.id.in_({id_ for id_ in ids if id_ is not None}), _UNUSED))
