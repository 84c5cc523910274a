"""Files that are still there after a power cut."""

from __future__ import annotations

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk: a file that was renamed is only then where it is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def move(origin: Path, target: Path) -> None:
    """Rename a file, and have the new name on the disk when this returns."""
    origin.replace(target)
    sync_folder(target.parent)
