"""Draw the pictures of one phase for eight reports: both maps in both languages.

Each is drawn once. Promises: drawing a phase onto the cached board takes at most two thirds of drawing everything (the
floor of the same run). Both maps of a language have at most 95 kB, which keeps a mail with them below 200 kB. A replay
of twenty phases as a moving picture takes at most a quarter longer than twenty maps drawn one by one, and has at most
500 kB.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from measure import Figure, Promise, cpu_ms, cpu_ms_of_rounds, report, run, share, times
from phases import MAP, movement_phases

from judge.commands import Language
from judge.reports.pictures import Look, PictureView, played_view, png, position_view, replay
from judge.reports.pictures.compose import borders, ground, labels, scene_of
from judge.reports.pictures.drawing import drawing_of
from judge.reports.pictures.paint import painted, painted_plain
from judge.rules import adjudicate

PHASES = 20
OVERLAY = Promise("what a phase adds to two maps, beside both drawn whole", most=0.66)
BOTH_MAPS = Promise("kB of both maps of a language", most=95)
REPLAY = Promise("a replay, beside as many maps", most=1.25)
REPLAY_SIZE = Promise("kB of a replay", most=500)


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    game = [adjudicate(MAP, position, orders) for position, orders in movement_phases(PHASES, units=30)]
    busiest = max(game, key=lambda one: len(one.verdicts))
    views = (played_view("standard", busiest), position_view("standard", busiest.position))
    looks = [Look(language) for language in Language]
    pictures = {(view.kind, look.language): png(view, look) for view in views for look in looks}
    cpu = cpu_ms(lambda: [png(view, look) for view in views for look in looks], times(15, rounds))
    print(f"the maps of eight reports in two languages, {len(pictures)} pictures: {cpu:.0f} ms CPU")
    ratio = overlay_against_whole(views, looks[0], times(25, rounds))
    largest = max(
        sum(len(data or b"") for (_, language), data in pictures.items() if language is one) for one in Language
    )
    frames = [played_view("standard", one) for one in game]
    acts = {"moving": lambda: replay(frames, Look()), "maps": lambda: [png(view, Look()) for view in frames]}
    taken = cpu_ms_of_rounds(acts, times(3, rounds))
    moving, maps = (statistics.median(taken[name]) for name in acts)
    report(f"a replay of {len(frames)} phases", moving, "ms CPU", "so many maps", maps)
    size = len(replay(frames, Look()) or b"")
    return [
        Figure(OVERLAY, ratio),
        Figure(BOTH_MAPS, largest / 1000),
        Figure(REPLAY, share(taken["moving"], taken["maps"])),
        Figure(REPLAY_SIZE, size / 1000),
    ]


def overlay_against_whole(views: Sequence[PictureView], look: Look, count: int) -> float:
    """Return the cost of a phase on the cached board, divided by drawing everything.

    Both go from the view to pixels.
    """
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

    rounds = cpu_ms_of_rounds({"overlay": overlay, "whole": whole}, count)
    medians = [statistics.median(taken) for taken in rounds.values()]
    report("what a phase adds to two maps", medians[0], "ms CPU", "both drawn whole", medians[1])
    return share(rounds["overlay"], rounds["whole"])


if __name__ == "__main__":
    run(measure)
