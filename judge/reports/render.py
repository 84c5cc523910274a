"""Views and templates put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from judge.commands import Language
from judge.games.events import GameStarted, Lacking, PhaseClosed
from judge.games.game import Person, PersonId
from judge.reports.readers import NoticeKind, Reader, Receipt, Rendered
from judge.rules.orders import Order
from judge.rules.outcomes import Outcome


def phase_reports(
    event: GameStarted | PhaseClosed,
    readers: Sequence[Reader],
    people: Mapping[PersonId, Person],
    lacking: tuple[Lacking, ...],
    now: datetime,
    *,
    phases_played: int | None = None,
) -> Mapping[PersonId, Rendered]:
    """The opening report, the report of a phase or the summary of a finished game, for each reader."""
    raise NotImplementedError


def reply(receipt: Receipt, now: datetime) -> Rendered:
    """The receipt of one mail."""
    raise NotImplementedError


def notice(
    kind: NoticeKind, language: Language, *, zone: str = "UTC", now: datetime | None = None, **values: object
) -> Rendered:
    """A mail that is neither report nor receipt; `NoticeKind` says which values its wording needs."""
    raise NotImplementedError


def why(outcome: Outcome, language: Language, map_name: str = "standard") -> str:
    """The reason as a clause, without full stop."""
    raise NotImplementedError


def order_sentence(order: Order, language: Language, map_name: str = "standard") -> str:
    """The order in words."""
    raise NotImplementedError
