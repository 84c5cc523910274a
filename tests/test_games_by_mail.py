"""Whole games and single commands as scripts of mails: see `tests/scripts.py` for how they are written."""

from __future__ import annotations

import pytest

from tests.scripts import Player, Script, scripts

SCRIPTS = list(scripts())


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.name for script in SCRIPTS])
def test_script(script: Script) -> None:
    player = Player()
    for step in script.steps:
        try:
            player.play(step)
        except AssertionError as error:
            raise AssertionError(f"{script.name}.txt, line {step.number}: {step.text}\n{error}") from error
