"""Seat, phase and unit of an order, and what the order settles on file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.games import refusals
from judge.games.context import MailContext
from judge.games.filed import OnFile
from judge.games.game import Game, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.rules.notation import read_order
from judge.rules.orders import (
    AdjustmentOrder,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    RetreatOrder,
    Support,
    Waive,
)
from judge.rules.position import Phase, PhaseKind, Province, Season


def subject_of(order: Order) -> Province | None:
    """Return the province of the unit an order is for; None for a waived build."""
    match order:
        case Waive():
            return None
        case Hold(unit) | Move(unit) | Support(unit) | Convoy(unit) | Retreat(unit) | Disband(unit) | Build(unit):
            return unit.province


def belongs_to(kind: PhaseKind, order: Order) -> bool:
    """Whether orders of this type are given in phases of that kind."""
    match kind:
        case PhaseKind.MOVEMENT:
            return isinstance(order, MovementOrder)
        case PhaseKind.RETREAT:
            return isinstance(order, RetreatOrder)
        case PhaseKind.ADJUSTMENT:
            return isinstance(order, AdjustmentOrder)


def belong_to(kind: PhaseKind, preferences: Sequence[Order]) -> bool:
    """Whether orders, one or several in order of preference, are for phases of that kind.

    Several units to disband are for an adjustment phase: a retreat is always about one unit.
    """
    if kind is PhaseKind.RETREAT and len({subject_of(order) for order in preferences}) > 1:
        return False
    return all(belongs_to(kind, order) for order in preferences)


def planned_for(preferences: Sequence[Order], open_: Phase, meant: Phase | None) -> Phase | None:
    """Return the later phase that orders are for; None for the open one.

    Retreats, builds and removals that name no phase and come early are for the next retreat or winter phase.
    """
    if meant is not None and meant != open_:
        return meant
    retreats = replace(open_, kind=PhaseKind.RETREAT)
    if open_.kind is PhaseKind.MOVEMENT and belong_to(retreats.kind, preferences):
        return retreats
    if open_.kind is not PhaseKind.ADJUSTMENT and belong_to(PhaseKind.ADJUSTMENT, preferences):
        return Phase(Season.WINTER, open_.year, PhaseKind.ADJUSTMENT)
    return None


def seats_meant(game: Game, person: PersonId, context: MailContext) -> tuple[Seat, ...] | Handled:
    """Return the seats the sender may give orders for, or why there are none."""
    if context.ordering is not None:
        return (game.seat(context.ordering.power),)
    seats = game.seats_of(person)
    if context.power is not None and context.power not in {seat.power for seat in seats}:
        return refused(game, refusals.NotYourPower(context.power))
    return seats


def settled_by(filed: OnFile, order: Order, mail: int) -> OnFile:
    """Return the file without older questions and refused lines about an order's unit."""
    place = subject_of(order)
    if place is None or not (filed.questions or filed.refused):
        return filed
    left = not_asked_about(filed, place, before=mail)
    return left.without_lines(lambda line: line.mail <= mail and place in line.places)


def not_asked_about(filed: OnFile, place: Province, before: int | None = None) -> OnFile:
    """Return the file without questions about the unit in a place.

    With `before`, only questions of mails before that one are dropped.
    """
    left = [
        replace(question, orders=tuple(code for code in question.orders if subject_of(read_order(code)) != place))
        if before is None or question.mail < before
        else question
        for question in filed.questions
    ]
    return replace(filed, questions=tuple(question for question in left if question.orders))
