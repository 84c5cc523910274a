"""`judge map` draws lines of `judge adjudicate` or a stored game to a file."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from judge.cli import main
from judge.reports.clauses import reasons_on
from judge.rules.exchange import adjudicate_line
from tests.drawings import MOVEMENT, RETREAT, WINTER
from tests.office import World, playing, world

__all__ = ["playing", "world"]


class Desk:
    """The command line, with lines on its standard input."""

    def __init__(self, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        self.caught = capfdbinary
        self.monkeypatch = monkeypatch

    def __call__(self, *words: object, lines: list[Any] | None = None) -> tuple[int, bytes, str]:
        """Run the command; return exit code, output and complaint."""
        text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines or [])
        self.monkeypatch.setattr(sys, "argv", ["judge", "map", *map(str, words)])
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        said, complaint = self.caught.readouterr()
        return code, said, complaint.decode()


@pytest.fixture
def desk(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(capfdbinary, monkeypatch)


def _result(line: dict[str, Any]) -> str:
    return adjudicate_line(json.dumps(line), reasons_on)[0]


@pytest.mark.parametrize(
    ("lines", "words", "found"),
    [
        ([MOVEMENT], (), b'id="order-BUD" class="move failed bounce"'),
        ([MOVEMENT], ("--show", "position"), b"<title>F SPA/SC</title>"),
        ([_result(MOVEMENT)], (), b"Map of Winter 1902"),
        ([_result(RETREAT)], ("--language", "ja"), "地図: 1903年冬".encode()),
        ([MOVEMENT, RETREAT, WINTER], ("--phase", "F1903R"), b'id="dislodged-MUN"'),
        ([MOVEMENT, WINTER], (), b'id="unit-BRE" class="unit fleet of-FRANCE built"'),
        ([MOVEMENT], ("--style", "large", "--language", "ja"), "コンスタンティノープル</text>".encode()),
        ([MOVEMENT], ("--style", "dark"), b'fill="#15181b"'),
    ],
    ids=["orders", "position", "result", "japanese", "phase", "last", "names", "dark"],
)
def test_a_line_is_drawn(desk: Desk, lines: list[Any], words: tuple[str, ...], found: bytes) -> None:
    code, said, complaint = desk(*words, lines=lines)
    assert (code, complaint) == (0, "")
    assert said.startswith(b"<svg ")
    assert found in said


def test_the_start_of_a_board_is_drawn(desk: Desk, tmp_path: Path) -> None:
    code, said, complaint = desk("--board", "isthmus")
    assert (code, complaint) == (0, "")
    assert b"<title>F NHV</title>" in said
    code, said, complaint = desk("--board", "nowhere")
    assert (code, said) == (2, b"")
    assert "nowhere" in complaint
    bare = tmp_path / "line.jsonl"
    bare.write_text(json.dumps({"phase": "S1901M", "units": {"NORDIA": ["A PIN"]}}), "utf-8")
    assert b"<title>A PIN</title>" in desk(bare, "--board", "isthmus")[1]


def test_the_name_of_the_file_says_which_form(desk: Desk, tmp_path: Path) -> None:
    given = tmp_path / "game.jsonl"
    given.write_text("\n".join(map(json.dumps, (MOVEMENT, RETREAT, WINTER))), "utf-8")
    for name, form, frames in (("map.png", "PNG", 1), ("map.gif", "GIF", 3)):
        assert desk(given, "-o", tmp_path / name)[0] == 0
        with Image.open(tmp_path / name) as image:
            assert (image.format, getattr(image, "n_frames", 1)) == (form, frames)


@pytest.fixture
def game(playing: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """Return a game with a year played, in the database that the command opens."""
    store = playing.parts.store
    opened = SimpleNamespace(look=store.work, close=lambda: None)
    monkeypatch.setattr("judge.storage.Store", SimpleNamespace(open=lambda _: opened))
    monkeypatch.setattr("judge.cli.maps.given_config", lambda _: playing.parts.config)
    playing.reply("ada", "A VIE - TRI\nF TRI - ALB")
    for _ in range(2):
        playing.pass_deadline()
    playing.collect_reports()
    return playing


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ((), b'<title id="alt">Map of ardennes, '),
        (("--phase", "S1901M"), b'id="order-VIE" class="move"'),
        (("--show", "orders"), b"orders played"),
        (("--show", "chart"), b'id="centers-FRANCE"'),
    ],
    ids=["position", "phase", "orders", "chart"],
)
def test_a_game_is_drawn(desk: Desk, game: World, words: tuple[str, ...], found: bytes) -> None:
    assert game.game().name == "ardennes"
    code, said, complaint = desk("--game", "Ardennes", *words)
    assert (code, complaint) == (0, "")
    assert found in said


def test_a_replay_shows_every_phase_that_is_over_and_the_position(desk: Desk, game: World, tmp_path: Path) -> None:
    with game.parts.store.work() as work:
        closed = len(work.records.phases("ardennes"))
    assert desk("--game", "ardennes", "-o", tmp_path / "game.gif")[0] == 0
    with Image.open(tmp_path / "game.gif") as image:
        assert getattr(image, "n_frames", 1) == closed + 1 > 2


def test_what_is_on_file_in_an_open_phase_is_not_drawn(desk: Desk, game: World) -> None:
    game.reply("ada", "A TRI - VEN\nA BUD - SER\nF ALB - GRE")
    for words in ((), ("--show", "orders"), ("--phase", str(game.game().position.phase))):
        assert b"A TRI - VEN" not in desk("--game", "ardennes", *words)[1]


def test_a_game_that_is_not_there_is_said_in_a_line(desk: Desk, game: World) -> None:
    assert game.game().is_running
    assert desk("--game", "nowhere") == (1, b"", "judge: there is no game 'nowhere'\n")
    assert desk("--game", "ardennes", "--phase", "S1950M") == (1, b"", "judge: ardennes has no phase S1950M\n")


@pytest.mark.parametrize(
    ("lines", "words", "code", "complaint"),
    [
        ([], (), 1, "there is no line"),
        ([MOVEMENT], ("--phase", "S1901M"), 1, "no line is about S1901M"),
        (["{"], (), 2, "line 1: not a line of JSON"),
        (["[]"], (), 2, "line 1: not an object of JSON"),
        ([{"phase": "S1901M", "units": {"FRANCE": ["F PAR"]}}], (), 2, "PAR"),
        ([MOVEMENT], ("-o", "map.jpg"), 2, "not as .jpg"),
        ([MOVEMENT], ("-o", "/nowhere/map.png"), 2, "/nowhere/map.png cannot be written"),
        ([MOVEMENT], ("--show", "chart"), 2, "needs --game"),
        (None, ("/nowhere/game.jsonl",), 2, "/nowhere/game.jsonl cannot be read"),
    ],
    ids=["nothing", "no-phase", "no-json", "no-object", "impossible", "form", "no-folder", "no-game", "no-file"],
)
def test_what_cannot_be_drawn_is_said_in_a_line(
    desk: Desk, lines: list[Any] | None, words: tuple[str, ...], code: int, complaint: str
) -> None:
    ended, said, complained = desk(*words, lines=lines)
    assert (ended, said, complained.count("\n")) == (code, b"", 1)
    assert complaint in complained
