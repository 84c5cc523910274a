"""Finished games as files for programs follow their schema, and name people by consent only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from judge.games.choices import ScoreSystem
from judge.reports.clauses import reasons_on
from judge.rules.exchange import adjudicate_line
from judge.service.archive import archived_games, write_site
from tests.office import World, begun

SCHEMA = Path(__file__).parent.parent / "docs" / "archive.schema.json"
ONLY_OF_A_GAME = ("format", "phases", "statements", "messages")
NAMES = ("Ada", "Ben", "Cho", "Dan", "Eva", "Fay", "Gus", "Gil")


@pytest.fixture(scope="module")
def world() -> World:
    """A game that was drawn after a phase.

    France and the master want to be named; Germany changed its mind.
    """
    world = begun(World())
    for name in ("cho", "dan", "gil"):
        world.signed(name, "SET PUBLIC name")
    world.signed("dan", "SET PUBLIC none")
    world.reply("cho", "A Par - Bur")
    world.reply("dan", "A Mun - Bur")
    world.pass_deadline()
    world.collect_reports()
    for name in ("ada", "ben", "cho", "dan", "eva", "fay", "gus"):
        world.signed(name, "DRAW")
    return world


def written(world: World, folder: Path) -> dict[str, Any]:
    """File → what it holds."""
    write_site(folder, archived_games(world.parts.store, world.now))
    files = [folder / "games.json", *(folder / "games").iterdir()]
    return {path.relative_to(folder).as_posix(): json.loads(path.read_text("utf-8")) for path in files}


def test_they_are_as_their_schema_has_them(world: World, tmp_path: Path) -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    found = written(world, tmp_path / "site")
    assert set(found) == {"games.json", "games/ardennes.json"}
    for content in found.values():
        faults = Draft202012Validator(schema, format_checker=FormatChecker()).iter_errors(content)
        assert [f"{fault.json_path}: {fault.message[:200]}" for fault in faults] == []


def test_a_game_can_be_played_again_and_is_scored_by_every_system(world: World, tmp_path: Path) -> None:
    found = written(world, tmp_path / "site")
    game = found["games/ardennes.json"]
    (summary,) = found["games.json"]["games"]
    assert summary == {name: value for name, value in game.items() if name not in ONLY_OF_A_GAME}
    assert (game["how"], game["count"], game["last"], game["winner"]) == ("draw", 1, "S1901M", None)
    assert len(game["sharers"]) == 7
    (phase,) = game["phases"]
    assert phase["input"]["orders"]["FRANCE"] == ["A PAR - BUR"]
    again = json.loads(adjudicate_line(json.dumps(phase["input"]), reasons_on)[0])
    assert again["units"] == phase["output"]["units"]
    for seat in game["seats"]:
        assert set(seat["scores"]) == {one.value for one in ScoreSystem} - {"none"}
        assert seat["scores"]["draw-size"] == pytest.approx(100 / 7, abs=0.001)
        assert seat["by"] == "person"
    for system in game["seats"][0]["scores"]:
        assert sum(seat["scores"][system] for seat in game["seats"]) == pytest.approx(100, abs=0.01)


def names_in(folder: Path) -> set[str]:
    """Names of people in any page or file of a site, but for its documents."""
    files = [path for path in folder.rglob("*.*") if path.suffix in (".html", ".json") and path.parent.name != "docs"]
    text = "\n".join(path.read_text("utf-8") for path in files)
    return {name for name in NAMES if name in text}


def test_a_person_is_named_who_wants_to_be_and_nobody_once_erased(world: World, tmp_path: Path) -> None:
    found = written(world, tmp_path / "site")["games/ardennes.json"]
    players = {seat["power"]: seat["player"] for seat in found["seats"]}
    assert players.pop("FRANCE")["name"] == "Cho"
    assert set(players.values()) == {None}
    assert found["master"]["name"] == "Gil"
    assert names_in(tmp_path / "site") == {"Cho", "Gil"}
    assert "France: Cho" in (tmp_path / "site/en/ardennes/index.html").read_text("utf-8")
    world.signed("gil", "SET PUBLIC none")
    world.signed("cho", "ERASE ME")
    written(world, tmp_path / "site")
    assert names_in(tmp_path / "site") == set()
