"""Read a sender's own words line by line into requests and faults."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from itertools import starmap
from typing import TypeGuard
from unicodedata import east_asian_width

from judge.commands import (
    Clear,
    Command,
    Correction,
    Doubted,
    ForPower,
    Give,
    OfPress,
    Perhaps,
    ShowOrders,
    Talk,
    WhatIf,
)
from judge.language.around import heard, is_heading
from judge.language.asking.answering import with_answers
from judge.language.asking.below import reason_on, with_shared_reasons, with_what_stands_below, with_wrong_corrections
from judge.language.asking.own_acts import is_for_the_master
from judge.language.context import Context, open_builds, own_units
from judge.language.faults import Fault, FaultKind
from judge.language.letters import asked_which, lines_for_the_judge
from judge.language.line import read_line, read_within
from judge.language.lines import ReadLine
from judge.language.meant_units import with_places
from judge.language.orders.sentences import is_unfilled
from judge.language.parts import carried_on, in_parts
from judge.language.words import is_japanese, normal_form
from judge.rules.orders import Build, Hold, MovementOrder, Order, Waive
from judge.rules.position import PhaseKind

_ARROW = re.compile(r"\s*(?:-+>|=+>|[→⇒➔➜➡⟶])")
_UNITS_OF_A_REQUEST, _UNITS_OF_A_FAULT = 500, 200
"""Costs in budget units: of carrying out a request, of answering a fault."""
_LEAST_BROKEN, _MOST_BROKEN = 56, 100
"""In columns: the length of lines that a mail program may have broken."""


def read(text: str, context: Context) -> tuple[ReadLine, ...]:
    """Read the sender's own words into lines; blank lines are left out.

    Line numbers count all lines from 1.
    If the budget is used up before the end, the last line returned is the first that was not read.
    """
    lines: list[ReadLine] = []
    reasons: dict[int, str] = {}
    plain = replace(context, hears_sentences=False)
    tried: list[tuple[ReadLine, ReadLine]] = []
    written = text.splitlines()
    place = 0
    while place < len(written):
        number, one = place + 1, written[place]
        place += 1
        if not one.strip():
            continue
        if context.budget.is_spent:
            lines.append(ReadLine(number, one, is_unread=True))
            break
        line = read_line(number, one, context)
        if line.faults and not line.is_guess:
            line = in_parts(line, context, tried)
            line = carried_on([above for above in lines[-1:] if above.number == number - 1], line, context)
        if reason := reason_on(one):
            reasons[number] = reason
        context.budget.charge(_UNITS_OF_A_REQUEST * len(line.requests) + _UNITS_OF_A_FAULT * len(line.faults))
        if lines and lines[-1].number == number - 1 and not (line.requests and lines[-1].requests):
            whole = _in_one_piece(lines[-1], line, context)
            if whole is not None:
                lines[-1] = whole
                continue
        if line.requests and isinstance(line.requests[-1], Give):  # an order ends with its line
            lines.append(line)
            continue
        below = with_what_stands_below(line, written[place:], lambda other: read_within(other, plain))
        letter = _as_letter(line, below.line, context)
        if below.used and context.budget.is_spent:
            lines.append(ReadLine(number, one, is_unread=True))
            break
        if isinstance(line.requests[-1] if line.requests else None, Correction) and below.used:
            reasons[place + 1] = reason_on(written[place])
        lines.append(letter)
        place += below.used
    lines = with_wrong_corrections(with_shared_reasons(lines, reasons))
    lines = [_as_heading(place, lines, context) for place in range(len(lines))]
    if any(map(_has_orders, lines)):
        lines = [one if _is_read_so(one, context) else _beside_orders(one, context) for one in lines]
    lines = _with_the_rest_held(lines, context)
    together = _with_the_others(_with_the_rest_waived(lines, context), context)
    left = [next((asked for one, asked in tried if one == line), line) for line in heard(together, context)]
    lists = {(line.number, one.order) for line in together for one in line.requests if _is_list(one)}
    found = [_without_doubted_lists(line, lists) for line in with_answers(left, context)]
    return tuple(with_places(line, context) if line.faults else line for line in found)


def _is_list(request: Command) -> TypeGuard[Give]:
    return isinstance(request, Give) and bool(request.otherwise)


def _without_doubted_lists(line: ReadLine, lists: Container[tuple[int, Order]]) -> ReadLine:
    """Return the line with faults for lists of preferences that other lines make doubtful.

    They are not asked about: a question is about single orders, and a yes would file only the first.
    """
    doubted = [one for one in line.requests if isinstance(one, Doubted) and (line.number, one.order) in lists]
    if not doubted:
        return line
    fault = Fault(FaultKind.PREFERENCES, line.number, 0, len(line.text), doubted[0].because)
    return replace(line, requests=tuple(one for one in line.requests if one not in doubted), faults=(fault,))


def _as_letter(heading: ReadLine, line: ReadLine, context: Context) -> ReadLine:
    """Return a letter without END as a question if it may address the judge."""
    letter = line.requests[-1] if line.requests else None
    if not isinstance(letter, OfPress) or not letter.ran_on:
        return line
    written = letter.text.splitlines()
    beside = heading.requests[-1]
    first = 1 if isinstance(beside, Talk) and beside.text and not letter.about else 0  # the text may begin in this line
    doubtful = [place for place in lines_for_the_judge(written, context) if place >= first]
    if not doubtful:
        return line
    plain = replace(context, hears_sentences=False)
    return asked_which(line, letter, written, doubtful, lambda text: read(text, plain), keeps_words=True)


def _has_orders(line: ReadLine) -> bool:
    return any(
        isinstance(request, Give | Doubted | ForPower) or (isinstance(request, Clear) and request.unit is not None)
        for request in line.requests
    )


def _as_heading(place: int, lines: list[ReadLine], context: Context) -> ReadLine:
    """Read a line above orders as a heading unless written as a command.

    Example: `Complete set of orders:`.
    """
    line, below = lines[place], lines[place + 1 : place + 2]
    if context.budget.is_spent:
        return line
    if not line.requests or _orders_of(line) or not below or not _orders_of(below[0]) or _is_for_others(line):
        return line
    if is_for_the_master(line.requests, normal_form(line.text)):
        return line
    plain = read_line(line.number, line.text, replace(context, hears_sentences=False))
    if plain.requests:
        return line
    return plain if is_heading(place, [*lines[:place], plain, *lines[place + 1 :]], context) else line


def _is_read_so(line: ReadLine, context: Context) -> bool:
    """Whether a line is read the same way beside orders.

    It is an order, talk, or a line to which lines below belong. If the budget is used up, no line is read again.
    """
    is_of_several = any(isinstance(one, Talk | OfPress | WhatIf) for one in line.requests)
    return _has_orders(line) or is_of_several or not (line.requests or line.faults) or context.budget.is_spent


def _beside_orders(line: ReadLine, context: Context) -> ReadLine:
    """Read a line again as one beside orders.

    Then a few words are a heading, a remark or a part of a signature.
    """
    return read_line(line.number, line.text, replace(context, is_beside_orders=True))


def _is_for_others(line: ReadLine) -> bool:
    return any(isinstance(one, Perhaps) and isinstance(one.command, Talk) for one in line.requests)


def _in_one_piece(line: ReadLine, following: ReadLine, context: Context) -> ReadLine | None:
    """Join a line with the next if a mail program broke an order in two.

    None if the lines together are no order.
    """
    if not (_may_be_broken(line.text) or (len(line.requests) <= 1 and _goes_on(line, following.text, context))):
        return None
    between = "" if is_japanese(line.text) else " "
    whole = read_line(line.number, f"{line.text.rstrip()}{between}{following.text.strip()}", context)
    orders = _orders_of(whole)
    if whole.faults or not orders or len(orders) != len(whole.requests) or whole.requests == line.requests:
        return None
    if len(orders) == 1:
        return whole if len(line.requests) <= 1 else None
    # One of several orders was broken: this line is incomplete, or the next line means nothing alone.
    is_broken = bool(line.faults) or (not following.requests and len(orders) == len(line.requests))
    return whole if is_broken else None


def _goes_on(line: ReadLine, following: str, context: Context) -> bool:
    """Whether a line names only a unit, and the next line begins with an arrow.

    Together they are the order for that unit.
    """
    if line.requests or _ARROW.match(following) is None:
        return False
    return is_unfilled(context.lexicon.words(normal_form(line.text).text))


def _may_be_broken(text: str) -> bool:
    columns = sum(2 if east_asian_width(character) in "WF" else 1 for character in text.rstrip())
    return _LEAST_BROKEN <= columns <= _MOST_BROKEN


def _with_the_rest_held(lines: list[ReadLine], context: Context) -> list[ReadLine]:
    """Return `the rest hold` as one hold for each unit without an order.

    This is done only if it is clear which units have an order.
    """
    place = next((place for place, line in enumerate(lines) if line.holds_rest), None)
    ordered = [one.order for line in lines for one in line.requests if isinstance(one, Give | Doubted)]
    is_unclear = any(line.faults and not line.holds_rest and not _has_orders(line) for line in lines)
    if place is None or not ordered or is_unclear:
        return lines
    given = {order.unit.province for order in ordered if isinstance(order, MovementOrder)}
    holds = [Give(Hold(unit)) for unit in own_units(context) if unit.province not in given]
    held = replace(lines[place], requests=(*lines[place].requests, *holds), faults=())
    return [*lines[:place], held, *lines[place + 1 :]]


def _with_the_others(lines: list[ReadLine], context: Context) -> list[ReadLine]:
    """Return lines about all units, such as `all hold`, narrowed to units without an order.

    If the mail gives no orders, `all hold` becomes one hold for each unit.
    """
    orders = [request.order for line in lines for request in line.requests if isinstance(request, Give)]
    given = {order.unit.province for order in orders if not isinstance(order, Waive)}
    if not orders:
        return [_with_every_unit(line, context) for line in lines]
    lines = list(starmap(_without_heading, zip(lines, [*lines[1:], None], strict=True)))
    left = {f"{unit} H" for unit in own_units(context) if unit.province not in given}

    def narrowed(fault: Fault) -> Fault:
        return replace(fault, candidates=tuple(one for one in fault.candidates if one in left))

    def with_those_meant(line: ReadLine) -> ReadLine:
        several = any(fault.kind is FaultKind.EVERY_UNIT for fault in line.faults)
        return replace(line, faults=tuple(map(narrowed, line.faults))) if several else line

    return list(map(with_those_meant, lines))


def _with_the_rest_waived(lines: list[ReadLine], context: Context) -> list[ReadLine]:
    """Replace `no builds` by the number of builds that it waives.

    These are the builds that the mail neither makes nor waives elsewhere; each further such line waives one.
    """
    due = open_builds(context)
    giving_up = [place for place, line in enumerate(lines) if due and _gives_up_all(line, context)]
    if not giving_up:
        return lines
    builds = {order.unit.province for line in lines for order in _orders_of(line) if isinstance(order, Build)}
    others = [line for place, line in enumerate(lines) if place not in giving_up]
    waived = sum(isinstance(order, Waive) for line in others for order in _orders_of(line))
    left = due - len(builds) - waived - (len(giving_up) - 1)
    result = list(lines)
    for place in giving_up:
        requests = [request for request in lines[place].requests if request != Give(Waive())]
        number = max(1, left) if place == giving_up[0] else 1
        result[place] = replace(lines[place], requests=(*requests, *(Give(Waive()),) * number))
    return result


def _gives_up_all(line: ReadLine, context: Context) -> bool:
    if Give(Waive()) not in line.requests:
        return False
    lexicon = context.lexicon
    words = lexicon.words(normal_form(line.text).text)
    return any(word.kind == "IDLE" or word.text in lexicon.waives_all for word in words)


def _orders_of(line: ReadLine) -> list[Order]:
    return [request.order for request in line.requests if isinstance(request, Give)]


def _without_heading(line: ReadLine, below: ReadLine | None) -> ReadLine:
    """Return `Orders` above an order as a heading instead of a question."""
    if below is None or not any(isinstance(request, Give) for request in below.requests):
        return line
    return replace(line, requests=tuple(r for r in line.requests if not isinstance(r, ShowOrders)))


def _with_every_unit(line: ReadLine, context: Context) -> ReadLine:
    """Return `all units hold` as one hold for each unit.

    The caller has checked that no line of the mail gives an order.
    """
    all_hold = [fault for fault in line.faults if fault.kind is FaultKind.EVERY_UNIT]
    if not all_hold or context.position is None or context.position.phase.kind is not PhaseKind.MOVEMENT:
        return line
    words = context.lexicon.words(normal_form(line.text).text)
    kinds = [word.kind for word in words if word.kind not in ("WO", "GA", "COLON", "COMMA", "SEP", "TO", "DE")]
    if sorted(kinds) != ["ALL", "HOLD"]:
        return line
    return replace(line, requests=tuple(Give(Hold(unit)) for unit in own_units(context)), faults=())
