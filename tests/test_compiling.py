"""Compiled templates are kept for the next process, and never change the words.

This holds in whatever state their folder is.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.commands import Language
from judge.reports.wording import Wording


def said() -> str:
    wording = Wording(Language.ENGLISH, "standard", in_words=True)
    return wording.say("missing_orders", "hold") + str(wording.html_words.missing_orders("hold"))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of compiled templates, with all that the words above need."""
    place = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(place))
        said()
    (folder,) = place.iterdir()
    return folder


@pytest.fixture
def folder(compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that folder for one test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return shutil.copytree(compiled, tmp_path / compiled.name)


def nothing(_: Path) -> None:
    pass


def emptied(folder: Path) -> None:
    for file in folder.iterdir():
        file.write_bytes(b"")


def cut_short(folder: Path) -> None:
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes()[:40])


def cut_in_the_code(folder: Path) -> None:
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes()[:200])


def garbled(folder: Path) -> None:
    for file in folder.iterdir():
        content = file.read_bytes()
        file.write_bytes(content[:20] + b"\xff" * 40 + content[60:])


def gone(folder: Path) -> None:
    shutil.rmtree(folder)


def somebody_elses(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to(folder.parent / "elsewhere")


@pytest.mark.parametrize("spoil", [nothing, emptied, cut_short, cut_in_the_code, garbled, gone, somebody_elses])
def test_whatever_became_of_the_folder_the_words_are_the_same(folder: Path, spoil: Callable[[Path], None]) -> None:
    before = said()
    spoil(folder)
    assert said() == before
    assert not (folder.parent / "elsewhere").exists()


def test_what_was_compiled_once_is_not_compiled_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {file.suffix for file in folder.iterdir()} == {".cache"}
    monkeypatch.setattr("jinja2.Environment._generate", None)
    assert said()
