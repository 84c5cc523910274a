"""`judge try`: a year against robots in a terminal, and a turn in neomutt."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import pytest

from judge.commands import Language
from judge.games import GameState
from judge.resources import boards
from judge.rules import load_map
from judge.rules.map import USUAL_BOARD
from judge.storage import Store
from judge.trial.table import GAME, Table
from judge.trial.terminal import mails
from tests.composers import editor_that, has_neomutt
from tests.soak import long_but
from tests.wire import PATIENCE_SECONDS, wait_until

YEAR = """\
A Par - Bur
A Mar - Spa
READY
.
A Spa - Por
READY
.
READY
.
WHO
.
q
"""
"""A year of input: READY counts at once though orders are missing.

README says the same. The fleet's order is missing in the first phase, and all orders in the last.
"""


def command(folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "judge", "try", "--keep", str(folder), *options]


def test_a_year_is_played_in_the_terminal(tmp_path: Path) -> None:
    played = tried(tmp_path, "--mail", "no-such-program", typed=YEAR)
    assert played.returncode == 0, played.stderr
    assert "There is no mail program “no-such-program” here, so you play in this terminal." in played.stderr
    for words in ("[try] Orders: France, Spring 1901", "A PAR - BUR is on file", "Played by robots: Austria, England"):
        assert words in played.stdout
    for words in ("[try] Orders: France, Fall 1901", "France, Winter 1901"):
        assert words in played.stdout
    assert "does not count yet" not in played.stdout
    assert re.search(r"Germany +robot", played.stdout)
    store = Store.open(f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    with store.work() as work:
        game = work.games.get(GAME)
    store.close()
    assert game is not None
    assert game.state is GameState.ACTIVE
    assert all(seat.filed.orders or seat.holder for seat in game.seats if game.position.units_of(seat.power))


def test_the_game_is_found_again_in_its_folder_and_in_japanese(tmp_path: Path) -> None:
    table = Table(tmp_path, Language("ja"), draws=False)
    for _ in range(2):
        parts = table.open()
        with parts.store.work() as work:
            game = work.games.get(GAME)
            assert game is not None
            (person,) = work.people.many(game.members).values()
        parts.store.close()
    assert (person.language, person.name) == (Language("ja"), "あなた")
    letters = [path.read_bytes() for path in (tmp_path / "inbox" / "new").glob("*")]
    assert len(letters) == 1  # the report alone


def tried(folder: Path, *options: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(folder, "--mail", "terminal", *options),
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )


@pytest.mark.parametrize("board", long_but({USUAL_BOARD}, boards()))
def test_any_board_is_tried(board: str, tmp_path: Path) -> None:
    played = tried(tmp_path, "--board", board, typed="READY\n.\nSTATUS\n.\nq\n")
    assert (played.returncode, played.stderr) == (0, "")
    with closing(Store.open(f"sqlite:///{tmp_path / 'judge.sqlite3'}")) as store, store.look() as work:
        game = work.games.get(GAME)
    assert game is not None
    assert game.settings.map == board
    assert game.position.phase != load_map(board).start().phase


@pytest.mark.long
def test_a_game_stays_on_its_board(tmp_path: Path) -> None:
    assert tried(tmp_path, "--board", "pure").returncode == 0
    assert "VIE" in tried(tmp_path).stdout
    other = tried(tmp_path, "--board", "isthmus")
    assert (other.returncode, other.stderr) == (2, f"judge: the game in {tmp_path} is on the board 'pure'\n")
    nowhere = tried(tmp_path, "--board", "atlantis")
    assert nowhere.returncode == 2
    assert nowhere.stderr.startswith("judge: there is no board 'atlantis'; there is ancient-mediterranean, ")


TYPED = [
    ("a\nb\n.\nc\n.\n", ["a\nb", "c"]),
    ("a\n.\nq\nb\n.\n", ["a"]),
    ("a\nq\n.\n", ["a\nq"]),
    ("a\n", ["a"]),
    ("", []),
]


@pytest.mark.parametrize(("typed", "sent"), TYPED)
def test_a_dot_ends_a_mail_and_q_the_session(typed: str, sent: list[str], tmp_path: Path) -> None:
    (tmp_path / "typed").write_text(typed, "utf-8")
    with (tmp_path / "typed").open(encoding="utf-8") as lines:
        assert list(mails(lines)) == sent


@pytest.mark.soak
@pytest.mark.skipif(not has_neomutt(), reason="neomutt is not installed")
def test_neomutt_opens_the_mailbox_and_its_answer_is_an_order(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor_that(editor, 'printf "A Par - Bur\\n" > "$1"')
    folder = tmp_path / "game"
    screen, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "EDITOR": str(editor), "VISUAL": str(editor)}
    program = subprocess.Popen(
        command(folder, "--mail", "neomutt"), stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    )
    os.close(terminal)
    os.set_blocking(screen, False)
    try:
        _until(screen, lambda: list((folder / "outgoing" / "cur").glob("*")) != [], b"ry")
        _until(screen, lambda: _is_filed(folder), b"")
        _until(screen, lambda: program.poll() is not None, b"q")
    finally:
        program.kill()
        program.wait()
        os.close(screen)
    assert program.returncode == 0


def _is_filed(folder: Path) -> bool:
    """Whether a letter says that orders are on file; neomutt may be moving a letter."""
    for path in [path for part in ("new", "cur") for path in (folder / "inbox" / part).glob("*")]:
        with suppress(FileNotFoundError):
            if b"on file" in path.read_bytes():
                return True
    return False


def _until(screen: int, holds: Callable[[], bool], keys: bytes) -> None:
    """Type the keys now and then, and read the screen, until a condition holds."""
    turns = count(1)

    def is_so() -> bool:
        with suppress(OSError):
            if next(turns) % 100 == 0:
                os.write(screen, keys)
            os.read(screen, 65536)
        return holds()

    wait_until(is_so)
