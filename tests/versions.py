"""The version of the judge after this one, with one more migration."""

from __future__ import annotations

import shutil
from pathlib import Path

from judge.storage.migrate import head_revision

_ROOT = Path(__file__).parent.parent
_PROGRAM = ("judge", "grammar", "templates", "migrations", "pyproject.toml", "config.example.toml")
_STEP = """
from alembic import op

revision = "{revision}"
down_revision = "{before}"
branch_labels = None
depends_on = None
kind = "{kind}"


def upgrade() -> None:
    op.execute("ALTER TABLE game ADD COLUMN weather text")
"""


def add_step(migrations: Path, kind: str) -> str:
    """Add a migration of a kind to a copy of the folder; return its revision."""
    before = head_revision()
    revision = f"{int(before) + 1:04}"
    step = _STEP.format(revision=revision, before=before, kind=kind)
    (migrations / "versions" / f"{revision}_weather.py").write_text(step, "utf-8")
    return revision


def next_version(folder: Path) -> Path:
    """Return a copy of the whole program, with one more migration."""
    folder.mkdir()
    for name in _PROGRAM:
        origin = _ROOT / name
        (shutil.copytree if origin.is_dir() else shutil.copy)(origin, folder / name)
    add_step(folder / "migrations", "expand")
    return folder
