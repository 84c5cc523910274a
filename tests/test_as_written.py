"""Which lines only spell their order, and who may read the other lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.games import GameState, PersonId
from judge.games.terms import PressRule
from judge.language import Context
from judge.language.as_written import spells
from judge.rules import Power, load_map, read_order
from judge.service.post.written import may_read_lines_of
from tests.opened import MASTER, opened

FRANCE, GERMANY = Power("FRANCE"), Power("GERMANY")
CASES = [
    ("A PAR - BUR", "A PAR - BUR", True),
    (" a par-bur ", "A PAR - BUR", True),
    ("Army Paris to Burgundy", "A PAR - BUR", True),
    ("パリ陸軍をブルゴーニュへ移動", "A PAR - BUR", True),
    ("Armee Paris nach Burgund", "A PAR - BUR", True),
    ("A Par - Bur, A Mar H", "A MAR H", True),
    ("German A Par - Bur", "A PAR - BUR", False),
    ("A Par - Pic", "A PAR - BUR", False),
    ("If Ben agrees: A Par - Bur", "A PAR - BUR", False),
    ("Everything holds", "A PAR H", True),
    ("A Par - Bur\nYES", "A PAR - BUR", False),
    ("A Par - Burgun", "A PAR - BUR", True),
    ("Burgundy it is, from Paris", "A PAR - BUR", False),
]


@pytest.mark.parametrize(("line", "order", "is_spelling"), CASES)
def test_a_line_spells_its_order(line: str, order: str, is_spelling: bool) -> None:  # noqa: FBT001 - a parameter
    board = load_map()
    context = Context(board, board.start(), (FRANCE,), hears_sentences=False)
    assert spells(line, read_order(order), context) is is_spelling


def test_who_may_read_the_lines_of_a_power() -> None:
    game = opened()
    holder, other = game.seat(FRANCE).holder, game.seat(GERMANY).holder
    assert holder is not None
    assert other is not None
    anonymous = replace(game, settings=replace(game.settings, anonymous=True))
    silent = replace(game, settings=replace(game.settings, press=PressRule.NONE))
    people = (holder, other, MASTER, PersonId(999))
    for secret in (anonymous, silent):
        readers = [reader for reader in people if may_read_lines_of(secret, FRANCE, reader)]
        assert readers == [holder, MASTER]
        assert may_read_lines_of(replace(secret, state=GameState.FINISHED), FRANCE, other)
    assert may_read_lines_of(game, FRANCE, other)
