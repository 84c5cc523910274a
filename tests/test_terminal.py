"""The operator's commands at a terminal and in a pipe, and the man page.

`python -m tests.test_terminal` writes the man page anew.
"""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge import __version__
from judge.__main__ import app, main
from judge.cli.manual import man_page
from judge.cli.terminal import Column, show_rows, with_progress

ROOT = Path(__file__).parent.parent
MAN_PAGE = ROOT / "docs" / "man" / "judge.1"
RELEASE = re.compile(r"^## (\d+\.\d+\.\d+) – (\d{4}-\d{2}-\d{2})$", re.MULTILINE)
COLUMNS = (Column("id", "N", is_number=True), Column("when", "when"), Column("said", "said", gives_way=True))
ROWS = (
    {"id": 1, "when": datetime(2026, 11, 22, 9, 5, tzinfo=UTC), "said": "ミュンヘン陸軍をベルリンへ移動 " * 8},
    {"id": 12, "when": None, "said": "\x1b[31mred\x07"},
)
_CONTROL = re.compile("\x1b\\[[0-9;]*m")


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["judge", *words])
    try:
        main()
    except SystemExit as leaving:
        return int(leaving.code or 0)
    return 0


def on_a_terminal(act: Callable[[], object], width: int) -> list[str]:
    """Return what a terminal of that width shows, line by line."""
    read, write = pty.openpty()
    before, columns = sys.stdout, os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(width)
    try:
        with os.fdopen(write, "w", encoding="utf-8") as terminal:
            sys.stdout = terminal
            act()
            terminal.write("\0")
            terminal.flush()
            seen = b""
            while b"\0" not in seen:
                seen += os.read(read, 100_000)
        return _CONTROL.sub("", seen.decode()).split("\r\n")[:-1]
    finally:
        sys.stdout = before
        os.close(read)
        os.environ.pop("COLUMNS") if columns is None else os.environ.update(COLUMNS=columns)


def test_a_pipe_gets_all_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    show_rows(COLUMNS, ROWS, as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["N", "when", "said"]
    assert lines[1] == f" 1  2026-11-22 09:05  {' '.join(['ミュンヘン陸軍をベルリンへ移動'] * 8)}"
    assert lines[2] == "12  -                 �[31mred�"


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_table_fits_its_terminal(width: int) -> None:
    lines = on_a_terminal(lambda: show_rows(COLUMNS, ROWS, as_json=False), width)
    assert len(lines) == 3
    assert all(sum(2 if ord(c) > 0x2E7F else 1 for c in line) <= width for line in lines)
    assert "2026-11-22 09:05" in lines[1]
    assert lines[1].endswith("…")


def test_programs_get_all_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    show_rows(COLUMNS[:1], ROWS, as_json=True)
    first, second = json.loads(capsys.readouterr().out)
    assert (first["id"], first["when"]) == (1, "2026-11-22T09:05:00+00:00")
    assert second["said"] == ROWS[1]["said"]


def test_a_pipe_sees_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(with_progress(range(3), "counting")) == [0, 1, 2]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (("--version",), __version__),
        (("version",), __version__),
        (("config",), "# Every setting with its default"),
        (("games", "-h"), "Usage:"),
    ],
)
def test_what_is_asked_of_the_program_itself(
    words: tuple[str, ...], begins: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHELL", "/bin/bash")
    assert run(monkeypatch, *words) == 0
    assert capsys.readouterr().out.strip().startswith(begins)


def test_units_are_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "config", "--units", str(tmp_path / "units")) == 0
    written = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert {file.name for file in written} == {file.name for file in (ROOT / "docs" / "systemd").iterdir()}
    assert all(file.read_bytes() == (ROOT / "docs" / "systemd" / file.name).read_bytes() for file in written)
    written[0].write_text("mine", "utf-8")
    assert run(monkeypatch, "config", "--units", str(tmp_path / "units")) == 2
    assert written[0].read_text("utf-8") == "mine"
    assert "is there already, and may be yours" in capsys.readouterr().err


def releases() -> list[tuple[str, str]]:
    """Return version and day of each release, the latest first."""
    return RELEASE.findall((ROOT / "CHANGELOG.md").read_text("utf-8"))


def test_the_man_page_says_what_the_help_says() -> None:
    assert MAN_PAGE.read_text("utf-8") == man_page(app, releases()[0][1]), "python -m tests.test_terminal"


def test_every_release_has_its_day_and_the_latest_is_ours() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings == ["Unreleased", *(f"{version} – {day}" for version, day in releases())]
    assert releases()[0][0] == __version__


if __name__ == "__main__":
    MAN_PAGE.write_text(man_page(app, releases()[0][1]), "utf-8")


@pytest.mark.parametrize(
    ("command", "left_out"),
    [
        ("judge.cli", "judge.rules judge.games jinja2 pydantic sqlalchemy cryptography"),
        ("judge.cli.many", "judge.games judge.language judge.commands jinja2 pydantic sqlalchemy aiosmtpd PIL"),
        ("judge.cli.games", "judge.reports judge.service judge.language jinja2 alembic cryptography"),
        ("judge.cli.database", "judge.reports judge.language jinja2 alembic"),
        ("judge.cli.maps", "sqlalchemy judge.storage judge.service"),
        ("judge.cli.inspect", "sqlalchemy judge.storage judge.reports"),
    ],
)
def test_a_command_imports_only_what_it_needs(command: str, left_out: str) -> None:
    script = f"import sys, {command}; print(*sorted({{*{left_out.split()}}} & sys.modules.keys()))"
    assert (
        subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split() == []
    )
