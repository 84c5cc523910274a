"""A whole game by mail on each shipped board, and all uses of it."""

from __future__ import annotations

import json
from dataclasses import replace
from email.message import Message
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

from judge.commands import Language
from judge.games import GameState
from judge.names import names_on
from judge.reports.pictures.drawing import drawing_of
from judge.resources import boards
from judge.rules import load_map, read_order
from judge.rules.map import USUAL_BOARD
from judge.service.archive import archived_games, write_site
from judge.service.chain import verify
from tests.command_line import judge
from tests.facts import against_the_schema, facts_by_reader
from tests.office import World, address, bring, text
from tests.scripts import Player
from tests.soak import long_but
from tests.whole_games import MASTER, WholeGame
from tests.writers import in_english

HERE = Path(__file__).parent
TO_THE_END = {"ancient-mediterranean": 10, "hundred": 27, "isthmus": 2, "pure": 23}
"""Board → the seed with which robots soon win.

On the other boards a short game is played, and in soak a long one.
"""
PROMISED = 0.995
PHASES = 400
OWN = "delta"
"""A board of the operator, in the folder that the settings name."""
EVERY = pytest.mark.parametrize("board", long_but({USUAL_BOARD, "isthmus", OWN}, [*boards(), OWN]))


@pytest.fixture(autouse=True)
def _settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands find the board as they find an operator's boards."""
    file = tmp_path_factory.mktemp("settings") / "config.toml"
    file.write_text(f'[games]\nboards = "{HERE / "boards"}"\n', "utf-8")
    monkeypatch.setenv("JUDGE_CONFIG", str(file))


@cache
def played(board: str) -> WholeGame:
    """Return a finished game."""
    game = WholeGame(board, TO_THE_END.get(board, 0))
    if board not in TO_THE_END:
        game.settings = (f"short game: {game.map.first_year + game.map.years_per_turn}",)
    game.start()
    game.play(PHASES)
    return game


def records(game: WholeGame) -> list[dict[str, Any]]:
    """Return the record of each phase."""
    with game.table.world.parts.store.look() as work:
        return [dict(closed.record) for closed in work.records.phases("ardennes")]


@EVERY
def test_a_game_by_mail_is_played_to_its_end(board: str) -> None:
    game = played(board)
    after = game.table.found()
    assert after.state is GameState.FINISHED
    assert len(records(game)) >= 3
    assert game.written - game.unread >= PROMISED * game.written
    won = max(len(after.position.centers_of(power)) for power in game.map.powers) >= game.map.victory_centers
    assert won == (board in TO_THE_END)


@pytest.mark.soak
@pytest.mark.parametrize("board", sorted(set(boards()) - set(TO_THE_END)))
def test_a_long_game_by_mail_is_played_until_somebody_wins(board: str) -> None:
    game = WholeGame(board)
    game.start()
    game.play(PHASES)
    assert game.written - game.unread >= PROMISED * game.written


@pytest.mark.parametrize("board", long_but({USUAL_BOARD, "isthmus"}, boards()))
def test_the_last_letter_shows_the_end_sharp_and_stays_small(board: str) -> None:
    game, last = played(board), records(played(board))[-1]["input"]["phase"]
    world = game.table.world.apart(draws=True, site="https://club.test/archive")
    again = replace(game, table=Player(world))
    again.mail(MASTER, ">", f"ROLLBACK {last} BECAUSE the end is looked at once more")
    assert world.game().is_running
    world.box.kept.clear()
    again.mail(MASTER, ">", f"PROCESS {last}")
    assert world.game().state is GameState.FINISHED
    letters = [letter for _, letter in world.box.kept if letter["Auto-Submitted"] == "auto-generated"]
    assert len(letters) > len(game.players)
    for letter in letters:
        assert len(letter.as_bytes()) <= 600_000
        pictures = [part for part in letter.walk() if part.get_content_maintype() == "image"]
        assert {part.get_content_subtype() for part in pictures} == {"png"}
        assert [_size(part)[0] for part in pictures] == [1440, 1440]
        assert "https://club.test/archive/" in text(letter)


def _size(part: Message) -> tuple[int, int]:
    """Return width and height of a picture."""
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    with Image.open(BytesIO(content)) as image:
        return image.size


@EVERY
def test_the_facts_of_the_game_are_checked(board: str, tmp_path: Path) -> None:
    game = played(board)
    for found in facts_by_reader(game.table.world.box).values():
        assert [wrong for facts in found for wrong in against_the_schema(facts)] == []
    for name in list(game.players.values())[:2]:
        folder = tmp_path / name
        folder.mkdir()
        for number, (to, letter) in enumerate(game.table.world.box.kept):
            if to == address(name):
                (folder / f"{number}.eml").write_bytes(letter.as_bytes())
        checked = judge("verify", str(folder))
        assert (checked.returncode, checked.stderr) == (0, ""), checked.stderr
        assert "ardennes" in checked.stdout


@EVERY
@pytest.mark.parametrize("line", ["HISTORY", "SUMMARY", "REPLAY", "MAP", "STATUS", "RULES", "WHO", "LOG", "TABLE"])
def test_whatever_is_asked_of_it_is_answered_in_every_language(board: str, line: str) -> None:
    game = played(board)
    for name in list(game.players.values())[:4]:
        game.mail(name, ">", line)
        (letter,) = game.table.letters[name]
        assert len(text(letter).splitlines()) > 5
        assert str(letter["Auto-Submitted"]) == "auto-replied"


@EVERY
def test_it_goes_on_at_another_judge(board: str) -> None:
    game = played(board)
    game.mail(MASTER, ">", "EXPORT")
    (letter,) = game.table.letters[MASTER]
    (content,) = [part for part in letter.walk() if part.get_content_type() == "application/json"]
    written = content.get_payload(decode=True)
    assert isinstance(written, bytes)
    new = World()
    bring(new, written)
    assert new.game().position == game.table.found().position
    assert new.game().settings == game.table.found().settings


@EVERY
def test_its_phases_are_played_again_and_drawn(board: str, tmp_path: Path) -> None:
    kept = records(played(board))
    lines = "".join(json.dumps(record["input"]) + "\n" for record in kept)
    again = judge("adjudicate", given=lines)
    assert (again.returncode, again.stderr) == (0, "")
    for record, line in zip(kept, again.stdout.splitlines(), strict=True):
        result = json.loads(line)
        for key in ("units", "centers", "results", "next"):
            assert result[key] == record["output"][key]
    if drawing_of(board) is None:
        return
    last = tmp_path / "last"
    last.write_text("".join(lines.splitlines(keepends=True)[-2:]))
    for suffix in ("svg", "png", "gif"):
        drawn = judge("map", str(last), "--output", str(tmp_path / f"map.{suffix}"))
        assert (drawn.returncode, drawn.stderr) == (0, "")
        assert (tmp_path / f"map.{suffix}").stat().st_size > 5000


@EVERY
def test_its_archive_has_pages_and_maps(board: str, tmp_path: Path) -> None:
    world = played(board).table.world
    written = write_site(tmp_path, archived_games(world.parts.store, world.now))
    has_map = drawing_of(board) is not None
    assert (written.games, written.drawn) == (1, 1)
    titles = names_on(board)["board"]
    for language in Language:
        for page in ("index.html", "ardennes/index.html"):
            title = titles.get(language.value, titles["en"])
            assert (title in (tmp_path / language.value / page).read_text("utf-8")) == (board != USUAL_BOARD)
    final = tmp_path / "maps" / "ardennes" / "end.png"
    assert (final.exists() and final.stat().st_size > 5000) == has_map


@EVERY
def test_a_mail_of_the_game_is_inspected(board: str, tmp_path: Path) -> None:
    writer = in_english(Random(0), board=board)
    record = next(one for one in records(played(board)) if one["input"]["phase"].endswith("M"))
    power, orders = next((power, orders) for power, orders in record["input"]["orders"].items() if orders)
    body = "\n".join(writer.write(read_order(order)) for order in orders)
    mail = tmp_path / "mail.eml"
    mail.write_text(f"From: ada@players.test\nMessage-ID: <1@players.test>\n\n{body}\n")
    context = tmp_path / "context.jsonl"
    context.write_text(json.dumps({"file": "mail.eml", "power": power, "position": record["input"]}) + "\n")
    for options in (("--context", str(context)), ("--board", board)):
        told = judge("inspect", str(mail), *options)
        assert told.returncode == 0, told.stderr
        if options[0] == "--context" or load_map(board).start().units_of(power):
            assert sorted(json.loads(told.stdout)["orders"]) == sorted(orders)


def test_mails_with_the_former_names_of_options_are_verified() -> None:
    """Those names contained numbers of the standard board."""
    facts = [dict(one) for one in facts_by_reader(played("isthmus").table.world.box)[address("aa")]]
    former = {"profile": "standard", "victory_measure": "18-centers", "draw_rule": "armistice-23"}
    for one in facts:
        if "input" in one:
            one["input"] = one["input"] | {"rules": former}
    assert sum("input" in one for one in facts) > 4
    found = list(verify(facts))
    assert found
    assert [finding.said for finding in found if finding.is_fault] == []
