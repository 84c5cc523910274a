"""The pictures of one phase, as eight reports in two languages need them: both maps in both languages, made once each.

Promises: what a phase adds to the board takes at most half of drawing the whole (the floor of the same run); both maps
of a language make at most 170 kB, so that a mail with them stays below 250 kB; a game of twenty phases as a moving
picture takes at most 3 s CPU and 2 MB.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from measure import cpu_ms, cpu_ms_in_turns, report
from phases import MAP, movement_phases

from judge.commands import Language
from judge.reports.pictures import Look, PictureView, played_view, png, position_view, replay
from judge.reports.pictures.compose import borders, ground, labels, scene_of
from judge.reports.pictures.drawing import drawing_of
from judge.reports.pictures.paint import painted, painted_plain
from judge.rules import adjudicate

PHASES = 20
MOST_OF_THE_WHOLE = 0.5
MOST_BYTES = 170_000
REPLAY_MS, REPLAY_BYTES = 3000.0, 2_000_000


def main() -> int:
    """Measure and print."""
    game = [adjudicate(MAP, position, orders) for position, orders in movement_phases(PHASES, units=30)]
    busiest = max(game, key=lambda one: len(one.verdicts))
    views = (played_view("standard", busiest), position_view("standard", busiest.position))
    looks = [Look(language) for language in Language]
    pictures = {(view.kind, look.language): png(view, look) for view in views for look in looks}
    cpu = cpu_ms(lambda: [png(view, look) for view in views for look in looks], 15)
    print(f"the maps of eight reports in two languages, {len(pictures)} pictures: {cpu:.0f} ms CPU")
    ratio = overlay_against_whole(views, looks[0])
    largest = max(
        sum(len(data or b"") for (_, language), data in pictures.items() if language is one) for one in Language
    )
    print(f"both maps of a language: {largest / 1000:.0f} kB; at most {MOST_BYTES / 1000:.0f}")
    frames = [played_view("standard", one) for one in game]
    taken = cpu_ms(lambda: replay(frames, Look()), 1)
    size = len(replay(frames, Look()) or b"")
    print(f"a replay of {len(frames)} phases: {taken:.0f} ms CPU, {size / 1000:.0f} kB; at most {REPLAY_MS:.0f}, 2000")
    kept = ratio <= MOST_OF_THE_WHOLE and largest <= MOST_BYTES and taken <= REPLAY_MS and size <= REPLAY_BYTES
    print("kept" if kept else "BROKEN")
    return 0 if kept else 1


def overlay_against_whole(views: Sequence[PictureView], look: Look) -> float:
    """What a phase costs on the board that is kept, beside drawing everything; both from the view to pixels."""
    drawing = drawing_of("standard")
    assert drawing is not None

    def overlay() -> None:
        for view in views:
            painted(scene_of(view, drawing, look), "standard", look)

    def whole() -> None:
        for view in views:
            for layer in (ground, borders, labels):
                layer.cache_clear()
            painted_plain(scene_of(view, drawing, look), "standard", look)

    figures = cpu_ms_in_turns({"overlay": overlay, "whole": whole}, 25)
    report("what a phase adds to two maps", figures["overlay"], "ms CPU", "both drawn whole", figures["whole"])
    return figures["overlay"] / figures["whole"]


if __name__ == "__main__":
    sys.exit(main())
