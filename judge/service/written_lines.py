"""The lines behind a reader's own orders, for `judge verify`.

A line is shown where it does not simply spell the order that was played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.language import Context
from judge.language.as_written import spells
from judge.rules.exchange import read_task
from judge.rules.notation import read_order
from judge.rules.position import Power
from judge.service.post.written import LONGEST


def told_lines(played: Mapping[str, Any], power: str, filed: Mapping[str, Any]) -> Iterator[str]:
    """Yield each played order of a power whose written line does not spell it.

    The lines come from the last receipt of the phase.
    """
    written = filed.get("written", {})
    given = [code for code in played["input"]["orders"].get(power, ()) if code in written]
    if not given:
        return
    task = read_task(dict(played["input"]))
    context = Context(task.map, task.position, (Power(power),), task.options, task.circumstances, hears_sentences=False)
    for code in given:
        if not spells(written[code][:LONGEST], read_order(code), context):
            line = " / ".join(written[code][:LONGEST].splitlines())
            yield f"{played['input']['phase']}: {power}: {code} was written as “{line}”"
