"""Check reports in fog against the full record, which comes when the game ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from judge.rules.exchange import read_task
from judge.rules.position import Power
from judge.rules.sight import Eyes
from judge.service.post.facts import orders_told, write_seen
from judge.service.post.past import played_as_seen

Facts: TypeAlias = Mapping[str, Any]


def in_one_row(facts: Facts) -> Sequence[Facts]:
    """Return the phases in the facts of a letter.

    The letter at the end of a game in fog brings all phases; any other letter brings only its own facts.
    """
    phases: Sequence[Facts] = facts["phases"] if facts.get("kind") == "whole" else (facts,)
    return phases


def what_is_wrong(seen: Facts, played: Sequence[Facts]) -> Iterator[str]:
    """Yield how a report in fog differs from the phases that were played."""
    of_the_start = seen["phase"] == "start"
    made = (seen["phase"], seen["at"])
    record = next((one for one in played if of_the_start or (one["input"]["phase"], one["at"]) == made), None)
    if record is None:
        yield f"{seen['phase']}: the phase of the report of {seen['at']} did not come with the end"
        return
    powers = tuple(map(Power, seen["powers"]))
    task = read_task(dict(record["input"]))
    told = {key: value for key, value in seen["position"].items() if key not in ("rules", "board")}
    if of_the_start:
        position = Eyes(task.map, powers, task.options.fog).position(task.position)
        if told != write_seen(position, powers):
            yield "the opening report did not tell what there was to see"
        return
    resolution = played_as_seen(task, powers)
    if told != write_seen(resolution.position, powers) or seen["orders"] != orders_told(resolution):
        yield f"{seen['phase']}: the report of {seen['at']} did not tell what there was to see"
    for power, sealed in record["filed"].items():
        if seen["filed"].get(power) != sealed["hash"]:
            yield f"{seen['phase']}: {power}: the seal in the report of {seen['at']} is not that of the orders played"
