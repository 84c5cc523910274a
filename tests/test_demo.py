"""`judge demo` does what its script says, or says that it does not.

The whole game is played by `.ci/run`.
"""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from judge.demo import play_demo
from judge.demo.post_office import PostOffice, by_maildir, utc_now
from judge.demo.script import SHIPPED, read_script
from judge.errors import InstallationError
from judge.rules import adjudicate, load_map
from judge.service.engine.clock import Clock, set_ahead
from tests.wire import PATIENCE_SECONDS


def demo(folder: Path, script: str) -> subprocess.Popen[str]:
    (folder / "script.txt").write_text(script, "utf-8")
    command = [sys.executable, "-m", "judge", "demo", "--keep", str(folder / "kept")]
    return subprocess.Popen(
        [*command, "--script", str(folder / "script.txt")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def opening(turn: str) -> str:
    """Return the shipped script up to a phase."""
    script = SHIPPED.read_text("utf-8")
    return script[: script.index(f"\n{turn}\n")]


def test_a_mailbox_somebody_else_is_just_making_takes_mail(tmp_path: Path) -> None:
    (tmp_path / "cho").mkdir()
    office = PostOffice(tmp_path)
    office.start()
    office.box("cho@players.test").add(b"Subject: one\n\n")
    by_maildir(tmp_path / "cho", "judge@example.org", b"Subject: two\n\n")
    assert {mail["Subject"] for mail in office.unseen("cho@players.test", set())} == {"one", "two"}
    office.stop()


def test_who_reads_the_clock_as_it_is_set_finds_no_other_time(tmp_path: Path) -> None:
    """A half-written file would set the clock, and deadlines, back for a moment."""
    ahead = tmp_path / "clock-offset"
    set_ahead(ahead, 60)
    with ahead.open(encoding="utf-8") as begun:
        set_ahead(ahead, 86_400)
        assert float(begun.read()) == 60
    assert Clock(ahead)() - utc_now() > timedelta(hours=23)


@pytest.mark.long
def test_the_demonstration_goes_as_its_script_says_or_fails(tmp_path: Path) -> None:
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    right.mkdir()
    wrong.mkdir()
    changed = opening("F1901M").replace("FRANCE: A BUR", "FRANCE: A GAS")
    trials = demo(right, opening("W1901A")), demo(wrong, changed)
    output, complaints = trials[0].communicate(timeout=PATIENCE_SECONDS)
    assert (trials[0].returncode, complaints) == (0, "")
    assert "F1901M played" in output
    assert "France    6 centers  3 units" in output
    output, complaints = trials[1].communicate(timeout=PATIENCE_SECONDS)
    assert trials[1].returncode == 1
    assert complaints.startswith("The demonstration failed: after S1901M")


def test_the_shipped_script_agrees_with_the_rules() -> None:
    script, position = read_script(), load_map().start()
    for name, phase in script.phases.items():
        assert str(position.phase) == name
        resolution = adjudicate(load_map(), position, phase.orders)
        assert dict(resolution.position.units) == phase.after, name
        position = resolution.position
    assert resolution.winner == script.winner


def test_without_pymap_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymap", None)
    with pytest.raises(InstallationError, match=r"pip install .*\[demo\]"):
        play_demo()
