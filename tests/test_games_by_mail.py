"""Whole games and single commands as scripts of mails (see `tests/scripts.py`)."""

from __future__ import annotations

import pytest

from judge.cli.verify import saved
from judge.service.chain import verify
from judge.service.signatures import check_signatures
from tests.facts import against_the_schema, facts_by_reader
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
    for reader, found in facts_by_reader(player.world.box).items():
        assert [wrong for facts in found for wrong in against_the_schema(facts)] == [], reader
        assert [finding.said for finding in verify(found) if finding.is_fault] == [], reader
        mails = [one for to, letter in player.world.box.kept if to == reader for one in saved(letter)]
        checked = list(check_signatures(one for one in mails if one.signature or "kind" in one.facts[0]))
        assert [finding.said for finding in checked if finding.is_fault] == [], reader
        assert not any("not signed" in finding.said for finding in checked), reader
