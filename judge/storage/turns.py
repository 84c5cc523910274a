"""Turns: mails of one game, or of one sender, are worked one after another.

Mails of different turns are worked in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    String,
    and_,
    bindparam,
    case,
    exists,
    func,
    not_,
    or_,
    select,
    update,
)

from judge.storage import tables as t
from judge.storage.leases import is_free
from judge.storage.prepared import Prepared, Row
from judge.storage.states import WAITING_MAIL, InboxState, among
from judge.storage.waking import sender_of


def waits(mail: FromClause) -> ColumnElement[bool]:
    """Whether a mail has to be worked."""
    return among(mail.c.state, WAITING_MAIL)


_FIRST, _EARLIER = t.inbox.alias("first"), t.inbox.alias("earlier")
_TAKEN = t.inbox.alias("taken")
_MINE = t.inbox.alias("mine")
_AHEAD = select(func.min(_EARLIER.c.id)).where(_EARLIER.c.sender == _MINE.c.sender, waits(_EARLIER))
_LOOKED_AT = 200
"""Mails of a turn that are searched for the next one."""


def _taking(of_turn: Callable[[FromClause], Sequence[ColumnElement[bool]]]) -> Prepared:
    """Claim the next mail of a turn and begin an attempt, unless it is suspect.

    `was_begun` tells that an earlier attempt was lost. Earlier mail of the same sender comes first, whatever its turn.
    While another live worker has a mail of the turn, nothing is claimed: that worker goes on with the rest.
    """
    is_anothers = and_(_TAKEN.c.owner.is_not(None), not_(is_free(_TAKEN.c.owner, bindparam("worker", type_=String))))
    is_busy = exists().where(waits(_TAKEN), *of_turn(_TAKEN), is_anothers)
    heads = select(func.coalesce(_AHEAD.scalar_subquery(), _MINE.c.id))
    heads = heads.where(waits(_MINE), *of_turn(_MINE)).order_by(_MINE.c.id).limit(_LOOKED_AT)
    found = (
        select(_FIRST.c.id, _FIRST.c.begun)
        .where(_FIRST.c.id.in_(heads), is_free(_FIRST.c.owner, bindparam("worker", type_=String)))
        .where(not_(is_busy), or_(_FIRST.c.retry_at.is_(None), _FIRST.c.retry_at <= bindparam("now")))
        .order_by(_FIRST.c.id)
        .limit(1)
        .with_for_update(of=_FIRST, skip_locked=True)
        .cte("found")
    )
    begins = and_(t.inbox.c.state == InboxState.WAITING.value, not_(t.inbox.c.begun))
    values = {
        "owner": bindparam("worker"),
        "begun": or_(t.inbox.c.begun, begins),
        "attempts": t.inbox.c.attempts + case((begins, 1), else_=0),
    }
    taken = update(t.inbox).where(t.inbox.c.id == found.c.id).values(values)
    return Prepared(taken.returning(t.inbox, found.c.begun.label("was_begun")))


_NEXT_OF_GAME = _taking(lambda mail: [mail.c.turn == bindparam("of")])
_NEXT_OF_SENDER = _taking(lambda mail: [mail.c.turn.is_(None), mail.c.sender == bindparam("of")])
_NEXT_OF_NOBODY = _taking(lambda mail: [mail.c.turn.is_(None), mail.c.sender.is_(None)])


def next_of(
    connection: Connection, turn: str, worker: str, now: datetime, heed: Callable[[Sequence[Row]], object]
) -> None:
    """Claim the next mail of a turn; `was_begun` tells that an earlier attempt was lost."""
    sender = sender_of(turn)
    found = _NEXT_OF_GAME if sender is None else _NEXT_OF_SENDER if sender else _NEXT_OF_NOBODY
    found.ask_soon(connection, {"worker": worker, "now": now, "of": sender or turn}, heed)


def give_turn(connection: Connection, sender: str, game: str) -> bool:
    """Move a sender's waiting mail to a game's turn; False if there is none."""
    its = (t.inbox.c.sender == sender, t.inbox.c.turn.is_(None), waits(t.inbox))
    return connection.execute(update(t.inbox).where(*its).values(turn=game)).rowcount > 0
