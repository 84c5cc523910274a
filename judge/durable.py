"""Files that survive a power cut, and files for their owner alone."""

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


def make_private(folder: Path) -> None:
    """Make a folder, if it is missing, that only its owner may enter, whatever the umask."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def as_private(path: str, flags: int) -> int:
    """Open a file for `open(opener=…)`; a new one is for its owner alone, whatever the umask."""
    return os.open(path, flags, 0o600)


def touch_private(file: Path) -> None:
    """Make a file, if it is missing, for its owner alone, whatever the umask; one that is there stays as it is."""
    os.close(as_private(os.fspath(file), os.O_CREAT | os.O_RDONLY))
