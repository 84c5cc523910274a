"""One movement deadline of a full game: adjudicated, text and HTML for 8 readers in two languages, queued.

Promise: at most 15 ms CPU. The floor is the adjudication alone.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from games import NOON, full_game, judge_in, people
from measure import cpu_ms, report

from judge.commands import Give
from judge.games import Game, MailContext, close, handle
from judge.games.game import GameState
from judge.rules import load_map, read_order

ORDERS = "A PAR - BUR,A MAR S A PAR - BUR,F BRE - MAO,A MUN - BUR,F KIE - DEN,A BER - KIE,F LON - NTH,A VEN - TRI,A WAR - GAL"


def with_orders(game: Game) -> Game:
    """Orders on file for several powers."""
    for text in ORDERS.split(","):
        order = read_order(text)
        power = next(power for unit, power in game.position.units.items() if text.startswith(str(unit)))
        holder = game.seat(power).holder
        assert holder is not None
        game = handle(game, holder, Give(order), MailContext(1, text, NOON), NOON).game
    return game


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        parts = judge_in(Path(folder))
        names = [f"game-{number}" for number in range(60)]
        with parts.store.work() as work:
            crowd = people(work, "crowd")
            for name in names:
                game = with_orders(full_game(parts, work, name, crowd))
                work.games.save(_closing(game))
            work.commit()
        waiting = iter(names)
        deadline = cpu_ms(lambda: parts.closing.close(next(waiting)), len(names))
        alone = cpu_ms(lambda: close(game, game.position.phase, NOON), 200)
        assert game.state is GameState.ACTIVE
        assert len(load_map().powers) == 7
        report("a movement deadline with 8 reports", deadline, "ms CPU", "adjudication alone", alone)
        parts.store.close()


def _closing(game: Game) -> Game:
    from dataclasses import replace

    return replace(game, closing_since=NOON)


if __name__ == "__main__":
    main()
