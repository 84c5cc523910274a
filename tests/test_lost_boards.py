"""An operator's board breaks: no mail is lost, and other games go on.

Once it is mended everything is read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import Message
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from judge.boards.making import make_board
from judge.boards.operators import use_boards_in
from judge.games import Game
from judge.names import names_on
from judge.reports.pictures.drawing import drawing_of
from judge.resources import look_for_boards
from judge.rules import Power, load_map, write_order
from tests.office import OPERATOR, World, text

CACHED = (load_map, names_on, drawing_of)


def forget() -> None:
    """Clear the cached boards, as in a judge that has just started."""
    for cached in CACHED:
        cached.cache_clear()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Yield a folder with a board of the operator."""
    make_board(tmp_path / "dunes")
    use_boards_in(tmp_path)
    yield tmp_path
    look_for_boards(dict)
    forget()


@pytest.fixture
def world(folder: Path) -> World:
    """Return two games that have just started, one on the operator's board.

    Ada plays in both.
    """
    assert folder.is_dir()
    world = World()
    world.signed("gil", "CREATE sahara\nboard: dunes\ndeadline: 2 days\nassignment: registration-order")
    world.signed("hal", "CREATE ardennes\nboard: isthmus\ndeadline: 2 days\nassignment: registration-order")
    world.signed("ada", "JOIN sahara EAST\nJOIN ardennes NORDIA")
    world.signed("ben", "JOIN sahara\nJOIN ardennes")
    world.settle()
    world.box.letters = []
    assert find(world, "sahara").is_running
    assert find(world, "ardennes").is_running
    return world


def find(world: World, name: str) -> Game:
    with world.parts.store.work() as work:
        game = work.games.get(name)
    assert game is not None
    return game


def filed(world: World, game: str, power: str) -> list[str]:
    return [write_order(one.order) for one in find(world, game).seat(Power(power)).filed.orders]


def send(world: World, body: str) -> list[Message]:
    """Send a mail of Ada's; return the answers."""
    world.mail("ada", body, Authentication_Results="mx.test; dmarc=pass header.from=players.test")
    return world.box.take("ada")


BREAKS: dict[str, Callable[[Path], object]] = {
    "no-toml": lambda board: (board / "board.toml").write_text("name =", "utf-8"),
    "no-utf-8": lambda board: (board / "board.toml").write_bytes(b"\xff\xfe"),
    "no-provinces": lambda board: (board / "board.toml").write_text('name = "dunes"\n', "utf-8"),
    "away": lambda board: board.rename(board.with_name("elsewhere")),
    "names": lambda board: (board / "names.toml").write_text("[powers", "utf-8"),
    "drawing": lambda board: (board / "drawing.json").write_text("{", "utf-8"),
}


def mend(folder: Path, kept: dict[str, bytes]) -> None:
    (folder / "dunes").mkdir(exist_ok=True)
    (folder / "dunes" / "drawing.json").unlink(missing_ok=True)
    for name, content in kept.items():
        (folder / "dunes" / name).write_bytes(content)


def start_again(world: World, folder: Path) -> None:
    forget()
    use_boards_in(folder)
    world.parts.intake.heed_boards()


def pass_deadline(world: World, game: str) -> None:
    deadline = find(world, game).clock.deadline
    assert deadline is not None
    world.now = max(world.now, deadline + timedelta(minutes=1))
    world.settle()


@pytest.mark.parametrize("breaks", BREAKS)
@pytest.mark.parametrize("starts", [True, False], ids=["started-again", "running"])
def test_a_board_breaks_and_is_mended(breaks: str, world: World, folder: Path, *, starts: bool) -> None:
    """A judge that starts with a broken board waits for it.

    It needs no restart once the board is mended.
    """
    kept = {path.name: path.read_bytes() for path in (folder / "dunes").iterdir()}
    BREAKS[breaks](folder / "dunes")
    if starts:
        start_again(world, folder)
    answers = send(world, "GAME sahara\nA ELM - MOOR")
    told = [text(letter) for to, letter in world.box.letters if to == OPERATOR]
    assert len(answers) == 1
    assert filed(world, "sahara", "EAST") == ([] if starts else ["A ELM - MOOR"])
    assert ("waits, because the board of its game cannot be read" in text(answers[0])) == starts
    assert ["the board 'dunes' cannot be read" in one for one in told] == [True] * starts
    # The other games go on: a mail, and the deadline of both.
    assert send(world, "GAME ardennes\nF NHV - NOS")
    assert filed(world, "ardennes", "NORDIA") == ["F NHV - NOS"]
    pass_deadline(world, "ardennes")
    assert str(find(world, "ardennes").position.phase) == "F1901M"
    assert str(find(world, "sahara").position.phase) == ("S0001M" if starts else "F0001M")
    # Once the board is mended, the mail counts as of its arrival.
    mend(folder, kept)
    world.parts.intake.heed_boards()
    world.box.letters = []
    world.settle()
    if starts:
        assert any("is on file" in text(letter) for letter in world.box.take("ada"))
    assert str(find(world, "sahara").position.phase) == "F0001M"
    assert "A MOOR" in [unit.text for unit in find(world, "sahara").position.units]


def test_a_board_that_is_added_or_mended_is_taken_up_without_a_start(folder: Path) -> None:
    world = World(boards=folder)

    def founded(name: str, board: str) -> bool:
        """Whether a game can be created on a board, after the next regular look."""
        world.parts.intake.heed_boards()
        world.signed("gil", f"CREATE {name}\nboard: {board}")
        with world.parts.store.work() as work:
            return work.games.get(name) is not None

    structlog.reset_defaults()
    with capture_logs() as logs:
        assert not founded("sahara", "steppe")
        make_board(folder / "steppe")
        written = (folder / "steppe" / "board.toml").read_bytes()
        (folder / "steppe" / "board.toml").write_text("name =", "utf-8")
        assert not founded("sahara", "steppe")
        assert not founded("sahara", "steppe")
        (folder / "steppe" / "board.toml").write_bytes(written)
        assert founded("sahara", "steppe")
        make_board(folder / "taiga")
        assert founded("siberia", "taiga")
    told = [(one["event"], one["board"]) for one in logs if "board" in one]
    assert told == [("board is not played on", "steppe"), ("board is mended", "steppe")]
