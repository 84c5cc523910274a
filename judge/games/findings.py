"""Findings about the orders of a power, and whether each keeps READY from counting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from judge.games.contradictions import Contradiction
from judge.games.filed import OpenQuestion, RefusedLine
from judge.games.terms import Settings
from judge.rules.notation import write_order
from judge.rules.orders import Order
from judge.rules.outcomes import Illegal
from judge.rules.position import PhaseKind, Power, Unit


@dataclass(frozen=True, slots=True)
class Unanswered:
    """An unanswered question about an order of the open phase. Blocks READY."""

    question: OpenQuestion


@dataclass(frozen=True, slots=True)
class NotTaken:
    """An order line that was not taken and not replaced since. Blocks READY.

    It was refused or not understood.
    """

    line: RefusedLine


@dataclass(frozen=True, slots=True)
class Impossible:
    """An order on file is void whatever others order. Blocks READY."""

    order: Order
    why: Illegal


@dataclass(frozen=True, slots=True)
class Lacking:
    """Orders are missing.

    Missing removals always block READY. Other orders block it only if the game requires them for READY.
    """

    power: Power
    units: tuple[Unit, ...]
    """Units without an order in a movement or retreat phase.

    In an adjustment phase these are the units that could still be removed.
    """
    count: int = 0
    """Adjustment phase: builds (positive) or removals (negative) still to be ordered."""
    kind: PhaseKind = PhaseKind.MOVEMENT
    """The kind of the open phase: units without an order hold, or are disbanded."""
    by_rule: tuple[Unit, ...] = ()
    """The units that are removed by rule if no other removal is ordered."""


Finding: TypeAlias = Unanswered | NotTaken | Impossible | Lacking | Contradiction


def blocks(finding: Finding, settings: Settings) -> bool:
    """Whether a finding keeps READY from counting; otherwise it is only mentioned."""
    match finding:
        case Unanswered() | NotTaken() | Impossible():
            return True
        case Lacking(count=count):
            return count < 0 or not settings.ready_incomplete
        case Contradiction():
            return False
        case _:
            assert_never(finding)


def marks(finding: Finding) -> tuple[str, ...]:
    """The strings that identify a finding while it lasts; one for each missing order."""
    match finding:
        case Unanswered(question):
            return (f"question {question.mail} {question.group} {question.number}",)
        case NotTaken(line):
            return (f"line {line.mail} {line.number}",)
        case Impossible(order):
            return (f"impossible {write_order(order)}",)
        case Lacking(count=0, units=units):
            return tuple(f"order {unit}" for unit in units)
        case Lacking(count=count, by_rule=by_rule) if count < 0:
            return tuple(f"removal {unit}" for unit in by_rule)
        case Lacking(count=count):
            return tuple(f"build {number}" for number in range(1, count + 1))
        case Contradiction():
            return ()
        case _:
            assert_never(finding)
