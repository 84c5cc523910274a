"""What is on file for a seat: orders, plans, open questions and READY."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from judge.rules.orders import Order
from judge.rules.position import Phase, Province


@dataclass(frozen=True, slots=True)
class FiledOrder:
    """An order on file for the open phase, or a later one."""

    order: Order
    line: str
    """The line as the player wrote it."""
    mail: int
    """The mail it came in; a later mail has a greater number."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """An order that is no longer on file, and the mail that replaced it."""

    filed: FiledOrder
    by: int
    phase: Phase | None = None
    """The later phase it was planned for; None if it was for the open one."""


@dataclass(frozen=True, slots=True)
class Planned:
    """An order for a phase that is not open yet; whether it is possible is checked when the phase opens."""

    phase: Phase
    filed: FiledOrder


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Orders that may not be meant: what was on file stays until their sender answers, or gives another order."""

    number: int
    orders: tuple[str, ...]
    """In strict notation."""
    because: str
    """The words that make them doubtful."""
    mail: int
    group: int = 0
    """The line of that mail with these words."""
    phase: str = ""
    """The phase they were written for, if the mail names one."""


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """An order line of the player that was refused, and that nothing has replaced yet."""

    number: int
    """In one row with the open questions: NO and the number drops it."""
    text: str
    """As it was written, shortened."""
    mail: int
    places: tuple[Province, ...] = ()
    """The provinces of the units it may be for, as far as known: an order for one of these replaces it."""


@dataclass(frozen=True, slots=True)
class Told:
    """What kept READY from counting when a mail was answered: a later READY accepts it."""

    mail: int
    """The mail that was answered."""
    at: datetime
    """When the answer was written."""
    what: tuple[str, ...]
    """The marks of `judge.games.unsettled`."""


@dataclass(frozen=True, slots=True)
class OnFile:
    """What a player has sent for the open phase and later ones, and what about it is still unsettled."""

    orders: tuple[FiledOrder, ...] = ()
    """For the open phase: the last order per unit, in the order they came."""
    declined: tuple[Province, ...] = ()
    """Centers the power leaves to their owners when ownership is settled next."""
    planned: tuple[Planned, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    """By the last mail that changed the orders."""
    changed_by: int = 0
    """That mail; 0 if it was undone, or none came for this phase."""
    questions: tuple[OpenQuestion, ...] = ()
    refused: tuple[RefusedLine, ...] = ()
    """Order lines for the open phase that were refused, and not replaced yet."""
    ready: bool = False
    ready_by: int = 0
    """The mail since which READY is noted but does not count, because something blocks it; 0 if none."""
    told: tuple[Told, ...] = ()
    """What the player was told while READY is noted."""
    accepted: tuple[str, ...] = ()
    """The marks that a later READY accepted."""
    waits: bool = False
    """The open phase may not close before its deadline."""
    waits_since: datetime | None = None
    is_late: bool = False
    """The deadline of the open phase was over before the player had sent anything."""

    def not_ready(self) -> OnFile:
        """The same without READY."""
        return replace(self, ready=False, ready_by=0, told=(), accepted=())

    def with_orders(self, orders: tuple[FiledOrder, ...], mail: int) -> OnFile:
        """Other orders on file; UNDO can bring back what this mail replaces, but not what earlier mails replaced."""
        gone = tuple(Replaced(filed, mail) for filed in self.orders if filed not in orders and filed.mail != mail)
        return replace(self, orders=orders, replaced=(*self._replaced_by(mail), *gone), changed_by=mail)

    def with_plans(self, planned: tuple[Planned, ...], mail: int) -> OnFile:
        """Other plans on file; see `with_orders`."""
        gone = [plan for plan in self.planned if plan not in planned and plan.filed.mail != mail]
        replaced = (*self._replaced_by(mail), *(Replaced(plan.filed, mail, plan.phase) for plan in gone))
        return replace(self, planned=planned, replaced=replaced, changed_by=mail)

    def without_lines(self, is_settled: Callable[[RefusedLine], bool]) -> OnFile:
        """The same without the refused lines that are settled."""
        return replace(self, refused=tuple(line for line in self.refused if not is_settled(line)))

    def _replaced_by(self, mail: int) -> tuple[Replaced, ...]:
        return tuple(one for one in self.replaced if one.by == mail)
