"""Files that survive a power cut, and files for their owner alone."""

from __future__ import annotations

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Sync a folder to disk, which makes a rename in it durable."""
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
    """Make a folder that only its owner may enter, if it is missing.

    This is independent of the umask.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def as_private(path: str, flags: int) -> int:
    """Open a file for `open(opener=…)`; only its owner may use a new one.

    This is independent of the umask.
    """
    return os.open(path, flags, 0o600)


def touch_private(file: Path) -> None:
    """Make a file that only its owner may use, if it is missing.

    This is independent of the umask. An existing file stays as it is.
    """
    os.close(as_private(os.fspath(file), os.O_CREAT | os.O_RDONLY))
