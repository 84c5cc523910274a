"""Whole games and single commands as scripts of mails: see `tests/scripts.py` for how they are written."""

from __future__ import annotations

import pytest

from tests.scripts import Player, Script, scripts
from tests.views import secretive, templates_watched

SCRIPTS = list(scripts())


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.name for script in SCRIPTS])
def test_script(script: Script) -> None:
    player = Player()
    shown: list[object] = []
    with templates_watched(shown):
        for step in script.steps:
            try:
                player.play(step)
            except AssertionError as error:
                raise AssertionError(f"{script.name}.txt, line {step.number}: {step.text}\n{error}") from error
    assert shown
    assert not secretive(shown), "no template gets these"
