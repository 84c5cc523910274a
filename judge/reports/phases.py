"""The reports of a phase.

The common part is rendered once per language. Each reader's own part is put around it.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import cast

from markupsafe import Markup

from judge.commands import Broadcast, Press
from judge.games.events import GameEnded, GameStarted, PhaseClosed
from judge.games.game import Game
from judge.games.person import Person, PersonId
from judge.games.press import why_shut
from judge.games.votes import living
from judge.reports.buttons import buttons_for, taps_for
from judge.reports.columns import flowed
from judge.reports.layout import Block, as_text, blocks
from judge.reports.places import codes_once, without_codes
from judge.reports.readers import Illustration, Reader, Rendered, details, in_the_letter
from judge.reports.sections import NO_RETROSPECT, Retrospect, YearOfCenters
from judge.reports.story import own_view
from judge.reports.views import PublicView, hearing_view, public_view, seat_views, time_view
from judge.reports.wording import Wording, one_blank_line, wording_beside_a_map
from judge.rules.orders import Hold, Order
from judge.rules.outcomes import Verdict
from judge.rules.position import Power

NO_ILLUSTRATIONS: Mapping[PersonId, tuple[Illustration, ...]] = MappingProxyType({})
_SEVERAL = 2
_YEARS_BESIDE = 12
"""The most columns of years that a phone can show."""


def phase_reports(
    event: GameStarted | PhaseClosed | GameEnded,
    readers: Sequence[Reader],
    people: Mapping[PersonId, Person],
    now: datetime,
    retrospect: Retrospect = NO_RETROSPECT,
    illustrations: Mapping[PersonId, tuple[Illustration, ...]] = NO_ILLUSTRATIONS,
) -> Sequence[Rendered]:
    """Return one report for each reader, in the order of `readers`.

    It is the opening report, the report of a phase or the summary of a finished game. Only the summary has a
    `retrospect`. What everyone may know is rendered once per language, in names and in codes.
    """
    view = public_view(event, people)
    alive = living(event.game) if event.game.is_running else event.game.map.powers
    told = {
        "view": view,
        "settings": event.game.settings,
        "retrospect": retrospect,
        "last": event.phase if isinstance(event, PhaseClosed) else event.game.position.phase,
    }
    common: dict[Wording, _Common] = {}
    reports = []
    for reader in readers:
        wording = wording_beside_a_map(reader.person, event.game.settings.map)
        if wording not in common:
            common[wording] = _common(wording, view, told, retrospect.years)
        results = _results(wording, view, reader)
        idle = _idle(view, reader)
        powers = tuple(power for power in reader.powers if power in alive)
        time = time_view(event.game, reader, now)
        own = {
            **told,
            "game": event.game.name,
            "seats": seat_views(event.game, reader),
            "time": time,
            "powers": powers,
            # A reader with all powers does not need their names repeated.
            "named_powers": powers if len(powers) < max(len(alive), _SEVERAL) else (),
            "own": [(power, told_of) for power, told_of in results if power not in idle],
            "idle": idle,
            "plans": _plans(event, powers),
            "brings_facts": reader.person.preferences.facts,
            "hearing": hearing_view(event.game, reader),
            "addresses": reader.addresses,
            "talk": wording.say_from("reports", "talk", *_way_to_talk(event.game, reader, now)),
            "crowned": view.winner is not None and bool({*reader.powers} & {*view.sharers, view.winner}),
            "images": in_the_letter(illustrations.get(reader.person.id, ())),
            "details": details(illustrations.get(reader.person.id, ())),
            "buttons": buttons_for(event.game, reader, wording, singly=False),
            "taps": taps_for(event.game, reader, wording),
            "mine": own_view(event, reader.powers) if isinstance(event, PhaseClosed) else None,
        }
        report = _report(wording, own, common[wording])
        hints = event.game.is_running and time.hints_zone
        pictures = illustrations.get(reader.person.id, ())
        reports.append(replace(report, illustrations=pictures, hints_zone=hints))
    return reports


def _plans(
    event: GameStarted | PhaseClosed | GameEnded, powers: Container[Power]
) -> Mapping[str, Sequence[Sequence[Order]]]:
    """Return message → the reader's orders, given ahead of time, that the message tells."""
    found: dict[str, list[Sequence[Order]]] = {"plans-filed": [], "plans-left-out": [], "plans-not-needed": []}
    for plan in event.plans if isinstance(event, PhaseClosed) else ():
        if plan.power in powers and plan.order is not None:
            found["plans-filed"].append((plan.order,))
        elif plan.power in powers:
            found["plans-left-out" if plan.is_needed else "plans-not-needed"].append(plan.preferences)
    return {name: plans for name, plans in found.items() if plans}


def _results(wording: Wording, view: PublicView, reader: Reader) -> list[tuple[Power, list[tuple[Verdict, str]]]]:
    """Return the outcomes of a reader's own orders, in words."""
    kind = view.ended.kind if view.ended else None
    rows = [row for row in view.rows if row.power in reader.powers and row.verdicts]
    return [(row.power, [(v, wording.say_from("reports", "result", v, kind)) for v in row.verdicts]) for row in rows]


def _idle(view: PublicView, reader: Reader) -> tuple[Power, ...]:
    """Return those of a reader's several powers whose units all held without orders.

    None of their units was affected by others. It is empty for fewer than two such powers.
    """
    found = tuple(
        row.power
        for row in view.rows
        if row.power in reader.powers
        and row.verdicts
        and all(isinstance(v.order, Hold) and not v.given and not v.outcomes for v in row.verdicts)
    )
    return found if len(found) >= _SEVERAL else ()


@dataclass(frozen=True, slots=True)
class _Common:
    """The parts that all readers of a language share, as text and as HTML."""

    orders: Mapping[Power, tuple[str, str]]
    text: Mapping[str, str]
    html: Mapping[str, Markup]


def _common(wording: Wording, view: PublicView, told: Mapping[str, object], years: Sequence[YearOfCenters]) -> _Common:
    orders = {row.power: wording.orders_of(row.power, row.verdicts, view.ended) for row in view.rows if row.verdicts}
    lines, table = _years(wording, view, years)
    text = wording.in_text("public", {"view": view, "years": lines})
    html = Markup(wording.in_html("public", {"view": view, "years": table}))  # noqa: S704 - rendered by our template
    parts = wording.parts("common", {**told, "public": text}, {**told, "public": html})
    return _Common(
        {power: (_piece(as_text), as_html) for power, (as_text, as_html) in orders.items()},
        {name: _piece(part) for name, part in parts[0].items()},
        {name: Markup(part.strip()) for name, part in parts[1].items()},  # noqa: S704 - the same
    )


def _piece(text: str) -> str:
    """Return a part of a text without blank lines around it."""
    return one_blank_line(text).strip("\n")


def _years(wording: Wording, view: PublicView, years: Sequence[YearOfCenters]) -> tuple[list[str], tuple[Block, ...]]:
    """Return the centers of every power by year, as text lines and as tables."""
    if not years:
        return [], ()
    tables = []
    for begin in range(0, len(years), _YEARS_BESIDE):
        part = years[begin : begin + _YEARS_BESIDE]
        head = ["", *("" if one is years[0] else f"{one.year % 100:02}" for one in part)]
        rows = [[wording.power(row.power), *(str(one.centers.get(row.power, 0)) for one in part)] for row in view.rows]
        tables.append("\n".join("\t".join(row) for row in (head, *rows)))
    written = "\n\n".join(tables)
    return as_text(written).split("\n"), blocks(written)


def _report(wording: Wording, own: Mapping[str, object], common: _Common) -> Rendered:
    powers = cast("Sequence[Power]", own["powers"])
    others = [both for power, both in common.orders.items() if power not in powers]
    orders = "\n\n".join(text for text, _ in others), Markup("\n".join(html for _, html in others))  # noqa: S704
    # Folded after all parts are joined: the width of a line depends on the codes in it.
    addresses = as_text(wording.say_from("sections", "section", own["addresses"])) if own["addresses"] else ""
    text = wording.in_text("report", {**own, "common": common.text, "orders": orders[0], "addresses": addresses})
    html = wording.in_html("report", {**own, "common": common.html, "orders": orders[1]})
    return Rendered(
        without_codes(wording.say_from("reports", "subject", own)),
        flowed(codes_once(text)),
        codes_once(html),
        wording.say_from("reports", "sender", own["game"]),
    )


def _way_to_talk(game: Game, reader: Reader, now: datetime) -> tuple[str, tuple[Power, ...]]:
    """Return how a reader can write to the others now, and to which powers.

    It is "private", "public" or "".
    """
    others = tuple(seat.power for seat in game.seats if seat.holder is not None and seat.power not in reader.powers)
    if not game.is_running or not reader.powers or not others:
        return "", ()
    for how, command in (("private", Press(others)), ("public", Broadcast())):
        if why_shut(game, reader.person.id, command, now) is None:
            return how, others
    return "", ()
