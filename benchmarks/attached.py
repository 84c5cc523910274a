"""Redraw pictures that are attached to press, smaller and without metadata.

Promise: the pictures of one mail, whatever they are, cost at most a fixed multiple of opening and saving one
photograph of 12 megapixels with Pillow (the floor of the same run).
"""

from __future__ import annotations

import statistics
from functools import partial
from io import BytesIO

from measure import Figure, Promise, cpu_ms_of_rounds, report, run, share, times
from PIL import Image

from judge.mail.passing_on import passed_on
from tests.photographs import ROWS

ROUNDS = 5
DEAREST = Promise("the dearest pictures of a mail, beside one photograph opened and saved", most=3.2)


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    (photograph,) = ROWS["a photograph"].attached()
    acts = {name: partial(passed_on, row.attached()) for name, row in ROWS.items()}
    taken = cpu_ms_of_rounds({"": partial(_opened_and_saved, photograph.content), **acts}, times(ROUNDS, rounds))
    floor = taken.pop("")
    for name, cost in taken.items():
        report(name, statistics.median(cost), "ms CPU", "a photograph opened and saved", statistics.median(floor))
    return [Figure(DEAREST, max(share(cost, floor) for cost in taken.values()))]


def _opened_and_saved(content: bytes) -> None:
    with Image.open(BytesIO(content)) as image:
        image.save(BytesIO(), "JPEG")


if __name__ == "__main__":
    run(measure)
