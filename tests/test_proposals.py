"""The judge proposes every command as a sentence, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.commands import Command, Language, Perhaps
from judge.language import Context, read
from judge.language.asking.phrases import load_phrases
from judge.reports.proposed import proposed
from judge.reports.wording import wording_in
from judge.rules.map import load_map
from judge.rules.position import Power
from tests.database import store_in_memory
from tests.office import World, begun, text

TABLE = Path(__file__).parent / "proposals" / "commands.txt"
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def _rows() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each line that asks for a command, with its sentences by language."""
    rows: dict[str, dict[str, str]] = {}
    for line in TABLE.read_text("utf-8").splitlines():
        if line.startswith("    "):
            language, _, sentence = line.strip().partition(": ")
            rows[list(rows)[-1]][language] = sentence
        elif line.strip() and not line.startswith("#"):
            rows[line] = {}
    assert rows, TABLE
    return iter(rows.items())


def _command(line: str) -> Command:
    (request,) = (request for one in read(line.replace(" / ", "\n"), Context(load_map())) for request in one.requests)
    return request.command if isinstance(request, Perhaps) else request


@pytest.mark.parametrize(("line", "sentences"), list(_rows()), ids=[line for line, _ in _rows()])
def test_a_proposal_is_a_sentence(line: str, sentences: dict[str, str]) -> None:
    command = _command(line)
    assert {one.value: proposed(wording_in(one), command, NOON, "Europe/Berlin") for one in Language} == sentences


def test_every_command_is_in_the_table() -> None:
    listed = {type(_command(line)) for line, _ in _rows()}
    kinds = {entry.makes for entry in load_phrases().entries}
    assert {one.__name__ for one in kinds - listed if not one.card.steers} == set()


def test_what_may_be_meant_is_told_in_the_language_of_its_reader() -> None:
    (line,) = read("もうメールを送らないでください", Context(load_map(), powers=(Power("FRANCE"),)))
    told = [wording_in(Language("en")).meant(one) for one in line.faults[0].candidates]
    assert [one.partition(" (")[0] for one in told] == ["SET MAIL DIGEST", "SET MAPS NONE", "RESIGN"]
    assert all(one.isascii() or "’" in one for one in told)


def test_an_absence_is_proposed_with_its_days() -> None:
    asked = begun(World(store_in_memory())).reply("cho", "I'm at a conference from Monday to Thursday")
    assert "Did you mean: you are away from Mon 30 Nov 2026 through Thu 3 Dec 2026?" in " ".join(text(asked).split())
