"""README as a newcomer follows it: each command line is run as it stands.

`make test` itself is left out. Instead of port 2525 and var/, a free port and a folder of the test are used.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from tests.composers import editor_that
from tests.house import House, end
from tests.office import World, begun, text
from tests.wire import PATIENCE_SECONDS, wait_until

ROOT = Path(__file__).parent.parent
READMES = ("README.md", "README.ja.md")
needs_neomutt = pytest.mark.skipif(shutil.which("neomutt") is None, reason="neomutt is not installed")


def lines_of(readme: str) -> list[str]:
    """Return the command lines of a README, in their order."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / readme).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def lines_with(readme: str, words: str) -> list[str]:
    found = [line for line in lines_of(readme) if words in line]
    assert found
    return found


@pytest.mark.parametrize("readme", READMES)
def test_no_line_is_left_untried(readme: str) -> None:
    tried = [line for words in ("make ", "judge try", "judge demo", "neomutt") for line in lines_with(readme, words)]
    assert sorted(tried) == sorted(lines_of(readme))
    plain = [line.replace("HELP", "ヘルプ").replace(" --language ja", "") for line in lines_of(READMES[0])]
    assert [line.replace(" --language ja", "") for line in lines_of(READMES[1])] == plain


@pytest.mark.parametrize("line", lines_with(READMES[0], "make "))
def test_make_has_what_the_readme_names(line: str) -> None:
    done = subprocess.run([*line.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "judge serve" in done.stdout or "pytest" in done.stdout


def test_the_demonstration_is_there() -> None:
    (line,) = lines_with(READMES[0], "judge demo")
    assert "a whole game by real mail" in run(f"{line} --help", ROOT)


def run(line: str, folder: Path, typed: str = "") -> str:
    """Run a command line; return what it prints.

    `.venv/bin/judge` is replaced by the judge of this Python.
    """
    return subprocess.run(
        ["sh", "-c", line.replace(".venv/bin/judge", f"{sys.executable} -m judge")],
        cwd=folder, input=typed, capture_output=True, text=True, check=True, timeout=PATIENCE_SECONDS,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)},
    ).stdout  # fmt: skip


@pytest.mark.parametrize(
    ("readme", "typed", "said"),
    [
        (READMES[0], "A Par - Bur\nREADY\n.\nq\n", "A PAR - BUR is on file"),
        (READMES[1], "パリ陸軍をブルゴーニュへ移動\n完了\n.\nq\n", "命令を1件受け付けました"),
    ],
)
def test_one_can_try_it_alone(readme: str, typed: str, said: str, tmp_path: Path) -> None:
    *_, line = lines_with(readme, "judge try")
    assert said in "".join(run(line, tmp_path, typed).split("\n"))


# A mail and its answer


def samples_of(readme: str) -> list[str]:
    """Return the mails that a README shows, each followed by its answer."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", (ROOT / readme).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [block for kind, block in blocks if not kind]


@pytest.mark.parametrize(
    ("readme", "place", "name", "language"),
    [(READMES[0], 0, "cho", "en"), (READMES[0], 2, "dan", "ja"), (READMES[1], 0, "dan", "ja")],
)
def test_the_judge_answers_as_the_readme_shows(readme: str, place: int, name: str, language: str) -> None:
    mail, shown = samples_of(readme)[place : place + 2]
    world = begun(World(), "3 days")
    world.reply(name, f"SET LANGUAGE {language}")
    answer = text(world.reply(name, mail))
    assert "".join(shown.split()) in "".join(answer.split())  # line breaks do not matter


# By mail


@dataclass
class Machine:
    """A judge just started as by `make run`, and a person at a second terminal."""

    house: House
    folder: Path

    def here(self, line: str) -> str:
        return line.replace(":2525", f":{self.house.port}").replace("var/outgoing", str(self.folder / "outgoing"))

    def letters(self) -> list[str]:
        """Return the judge's letters, the newest last."""
        found: dict[str, tuple[float, str]] = {}
        for file in [file for part in ("new", "cur") for file in (self.folder / "outgoing" / part).glob("*")]:
            with suppress(FileNotFoundError):  # a mail program moves it on reading
                letter = text(message_from_bytes(file.read_bytes(), policy=default))
                found[file.name.partition(":")[0]] = file.stat().st_mtime, letter
        return [letter for _, letter in sorted(found.values())]


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    house = House(tmp_path)
    house.migrate()
    process = house.start()
    assert process.stdout is not None
    welcome = [process.stdout.readline() for _ in range(6)]
    try:
        made = Machine(house, tmp_path)
        for line in lines_with(READMES[0], "neomutt"):
            assert made.here(line) in "".join(welcome)  # the judge lists the same lines
        yield made
    finally:
        end(process)


@needs_neomutt
@pytest.mark.parametrize(("readme", "reply"), [(READMES[0], "LIST\n"), (READMES[1], "一覧\n")])
def test_the_first_mail_and_a_reply_by_neomutt(readme: str, reply: str, machine: Machine) -> None:
    first, read = lines_with(readme, "neomutt")
    (machine.folder / "Mail").mkdir()  # which neomutt would offer to make
    run(machine.here(first), machine.folder)
    wait_until(lambda: len(machine.letters()) == 1)
    assert "New here?" in machine.letters()[0] or "初めての方へ" in machine.letters()[0]
    editor = machine.folder / "editor"
    editor_that(editor, f'printf "%s" "{reply}" > "$1.new"; cat "$1" >> "$1.new"; mv "$1.new" "$1"')
    at_a_terminal(machine.here(read), machine, editor)
    assert "CREATE" in machine.letters()[1] or "作成" in machine.letters()[1]


def at_a_terminal(line: str, machine: Machine, editor: Path) -> None:
    """Type r, accept neomutt's three proposals, type y, and wait for an answer."""
    screen, terminal = pty.openpty()
    environment = {
        **os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": str(machine.folder),
        "EDITOR": str(editor), "VISUAL": str(editor),
    }  # fmt: skip
    with subprocess.Popen(["sh", "-c", f"exec {line}"], stdin=terminal, stdout=terminal, env=environment) as program:
        os.close(terminal)
        os.set_blocking(screen, False)
        seen = ""
        keys = [("r:Reply", b"r"), ("To: ", b"\r"), ("Subject: ", b"\r"), ("reply?", b"\r"), ("Security", b"y")]
        try:
            for shown, key in keys:
                seen = _until_seen(screen, shown, seen)
                os.write(screen, key)
            wait_until(lambda: _drained(screen) and len(machine.letters()) == 2)
        finally:
            program.kill()
    os.close(screen)


def _until_seen(screen: int, words: str, before: str) -> str:
    """Wait until words are on the screen; return what follows them."""
    seen = [before]

    def is_seen() -> bool:
        seen[0] += _drawn(screen)
        return words in seen[0]

    wait_until(is_seen)
    return seen[0].partition(words)[2]


def _drawn(screen: int) -> str:
    with suppress(OSError):
        return os.read(screen, 65536).decode("utf-8", "replace")
    return ""


def _drained(screen: int) -> bool:
    _drawn(screen)
    return True
