"""Describe the observations of a test mail in lines for the operator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judge.setup.round_trip import FORGED, Found, Trip


@dataclass(frozen=True, slots=True)
class Line:
    """One observation: a sentence of `templates/setup.toml`, and its values."""

    sentence: str
    values: dict[str, object]
    is_good: bool = True


def lines_of(trip: Trip, folder: str, seconds: float) -> Iterator[Line]:
    """Yield all observations; `folder` is the one the judge reads, `seconds` the time waited."""
    if trip.waiting:
        yield Line("somebodys", {"count": trip.waiting, "folder": folder})
    yield _arrival(trip, folder, seconds)
    yield _plus(trip, folder)
    if trip.plain is not None:
        yield from _on_its_way(trip, trip.plain)
    if trip.sent_folder:
        yield Line("copies", {"folder": trip.sent_folder})
    if not trip.can_idle:
        yield Line("no_idle", {})


def _arrival(trip: Trip, folder: str, seconds: float) -> Line:
    if trip.plain is None:
        return Line("nothing_arrived", {"address": trip.address, "seconds": f"{seconds:g}"}, is_good=False)
    if trip.plain.folder != folder:
        return _elsewhere(trip.address, trip.plain, folder)
    return Line("arrived", {"address": trip.address, "seconds": f"{trip.plain.seconds:.0f}"})


def _plus(trip: Trip, folder: str) -> Line:
    values: dict[str, object] = {"address": trip.plus_address, "said": trip.refused}
    if trip.refused:
        return Line("plus_refused", values, is_good=False)
    if trip.plus is None:
        return Line("plus_lost", values, is_good=False)
    if trip.plus.folder != folder:
        return _elsewhere(trip.plus_address, trip.plus, folder)
    if not trip.plus.tells_plus:
        return Line("plus_hidden", values, is_good=False)
    return Line("plus_arrived", values)


def _elsewhere(address: str, found: Found, folder: str) -> Line:
    return Line("elsewhere", {"address": address, "folder": found.folder, "read": folder}, is_good=False)


def _on_its_way(trip: Trip, plain: Found) -> Iterator[Line]:
    if plain.from_address != trip.address.lower():
        yield Line("from_rewritten", {"address": plain.from_address}, is_good=False)
    if plain.envelope_from and plain.envelope_from != trip.envelope_from.lower():
        yield Line("sender_rewritten", {"address": plain.envelope_from})
    elif plain.envelope_from:
        yield Line("sender_kept", {})
    if plain.authserv_id in ("", FORGED):
        yield Line("no_results", {})
    else:
        yield Line("results", {"name": plain.authserv_id})
