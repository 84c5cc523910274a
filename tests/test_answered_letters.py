"""Every letter that asks something is answered in every way: see `tests/answered.py` for the tables."""

from __future__ import annotations

import pytest

from tests.answered import WAYS, Asking, Way, check, letters_that_ask, scene_of

LETTERS = letters_that_ask()
CASES = [(asking, way) for asking in LETTERS for way in asking.ways]


@pytest.mark.parametrize(("asking", "way"), CASES, ids=[f"{asking.name}-{way.name}" for asking, way in CASES])
def test_an_answer_has_its_effect(asking: Asking, way: Way) -> None:
    assert way.answers
    wrong = []
    for answer in way.answers:
        player = scene_of(asking)
        try:
            check(player, way, answer)
        except AssertionError as error:
            wrong.append(f"{asking.file}.txt, line {answer.number}: {answer.text}\n{error}")
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("asking", LETTERS, ids=[one.name for one in LETTERS])
def test_every_letter_is_answered_in_every_way(asking: Asking) -> None:
    assert {way.name for way in asking.ways} == set(WAYS)
