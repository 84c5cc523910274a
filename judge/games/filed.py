"""Orders, plans, open questions and READY on file for a seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from judge.rules.orders import Order
from judge.rules.position import Phase, Power, Province


@dataclass(frozen=True, slots=True)
class FiledOrder:
    """An order on file for the open phase, or a later one."""

    order: Order
    line: str
    """The line as the player wrote it.

    If it was asked about, the line of the YES follows.
    """
    mail: int
    """The mail it came in; a later mail has a greater number."""
    otherwise: tuple[Order, ...] = ()
    """Orders to use if this one is not possible then, in order of preference."""

    @property
    def preferences(self) -> tuple[Order, ...]:
        """The order and those that may take its place, in order of preference."""
        return (self.order, *self.otherwise)


@dataclass(frozen=True, slots=True)
class Replaced:
    """An order that is no longer on file, and the mail that replaced it."""

    filed: FiledOrder
    by: int
    phase: Phase | None = None
    """The later phase it was planned for; None if it was for the open one."""


@dataclass(frozen=True, slots=True)
class Planned:
    """An order for a phase that is not open yet.

    Whether it is legal is checked when the phase opens.
    """

    phase: Phase
    filed: FiledOrder


@dataclass(frozen=True, slots=True)
class PlanDecided:
    """The result of a plan, once its phase is open or was skipped."""

    power: Power
    preferences: tuple[Order, ...]
    order: Order | None
    """The first preference that is possible, which is on file now."""
    is_needed: bool
    """False if the phase was skipped, or the retreating unit was not dislodged."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Orders that may not be meant.

    Earlier orders stay on file until the sender answers or gives another order.
    """

    number: int
    orders: tuple[str, ...]
    """In strict notation."""
    because: str
    """The words that make the orders doubtful."""
    mail: int
    group: int = 0
    """The line of the mail with these words."""
    phase: str = ""
    """The phase they were written for, if the mail names one."""
    written: tuple[tuple[str, str], ...] = ()
    """Each order with the line it was read from."""


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """An order line of the player that was refused and has not been replaced yet."""

    number: int
    """Numbered together with the open questions; NO and the number drops the line."""
    text: str
    """The line as written, shortened."""
    mail: int
    places: tuple[Province, ...] = ()
    """The provinces of the units the line may be for, if known.

    An order for one of them replaces the line.
    """


@dataclass(frozen=True, slots=True)
class Told:
    """Findings that an answer named as blocking READY; a later READY accepts them."""

    mail: int
    """The mail that was answered."""
    at: datetime
    """When the answer was written."""
    what: tuple[str, ...]
    """The marks of the findings (`judge.games.findings.marks`)."""


@dataclass(frozen=True, slots=True)
class OnFile:
    """Orders and plans of a player, with everything unsettled about them."""

    orders: tuple[FiledOrder, ...] = ()
    """For the open phase: the last order per unit, in order of arrival."""
    declined: tuple[Province, ...] = ()
    """Centers that the power leaves to their owners when ownership is next settled."""
    planned: tuple[Planned, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    """Orders replaced by the last mail that changed the orders."""
    changed_by: int = 0
    """The number of the mail that last changed the orders in this phase.

    It is 0 if that mail was undone, or if there was none.
    """
    questions: tuple[OpenQuestion, ...] = ()
    refused: tuple[RefusedLine, ...] = ()
    """Refused order lines for the open phase that have not been replaced."""
    ready: bool = False
    ready_by: int = 0
    """The mail that said READY although something still blocks it; 0 if none.

    READY does not count yet.
    """
    told: tuple[Told, ...] = ()
    """Answers given to the player while READY is noted but does not count."""
    accepted: tuple[str, ...] = ()
    """The marks that a later READY accepted."""
    waits: bool = False
    """The open phase may not close before its deadline."""
    waits_since: datetime | None = None
    is_late: bool = False
    """The deadline of the open phase passed before the player had sent anything."""

    @property
    def in_order_of_play(self) -> tuple[Planned, ...]:
        """The plans, those for the next phase first."""
        return tuple(sorted(self.planned, key=lambda plan: plan.phase.order_key))

    def not_ready(self) -> OnFile:
        """Return the file without READY."""
        return replace(self, ready=False, ready_by=0, told=(), accepted=())

    def with_orders(self, orders: tuple[FiledOrder, ...], mail: int) -> OnFile:
        """Return the file with other orders.

        UNDO can restore only what this mail replaces, not what earlier mails replaced.
        """
        gone = tuple(Replaced(filed, mail) for filed in self.orders if filed not in orders and filed.mail != mail)
        return replace(self, orders=orders, replaced=(*self._replaced_by(mail), *gone), changed_by=mail)

    def with_plans(self, planned: tuple[Planned, ...], mail: int) -> OnFile:
        """Return the file with other plans; see `with_orders`."""
        gone = [plan for plan in self.planned if plan not in planned and plan.filed.mail != mail]
        replaced = (*self._replaced_by(mail), *(Replaced(plan.filed, mail, plan.phase) for plan in gone))
        return replace(self, planned=planned, replaced=replaced, changed_by=mail)

    def without_lines(self, is_settled: Callable[[RefusedLine], bool]) -> OnFile:
        """Return the file without the refused lines that are settled."""
        return replace(self, refused=tuple(line for line in self.refused if not is_settled(line)))

    def _replaced_by(self, mail: int) -> tuple[Replaced, ...]:
        return tuple(one for one in self.replaced if one.by == mail)
