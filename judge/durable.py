"""Rename files so that they survive a power cut."""

from __future__ import annotations

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Sync a folder to disk: a renamed file is only then certain to keep its new name."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def move(origin: Path, target: Path) -> None:
    """Rename a file and sync its folder to disk."""
    origin.replace(target)
    sync_folder(target.parent)
