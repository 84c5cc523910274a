"""A browser without a window: Debian's `chromium`, as `.ci/run` installs it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

CHROMIUM = shutil.which("chromium")
_OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--virtual-time-budget=60000"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def seen(page: Path, folder: Path, *, width: int) -> str:
    """Return the page as it is after its scripts have run.

    The window has this width; `folder` holds a profile.
    """
    assert CHROMIUM is not None, "there is no chromium"
    options = (*_OPTIONS, f"--user-data-dir={folder}/profile", f"--window-size={width},900", "--dump-dom")
    done = subprocess.run([CHROMIUM, *options, page.as_uri()], capture_output=True, text=True, check=True, timeout=120)
    return done.stdout


def photographed(page: Path, folder: Path, picture: Path, size: tuple[int, int]) -> None:
    """Write a picture of a page in a window of this size.

    `folder` holds a profile.
    """
    assert CHROMIUM is not None, "there is no chromium"
    picture.parent.mkdir(parents=True, exist_ok=True)
    window = (f"--user-data-dir={folder}/profile", f"--window-size={size[0]},{size[1]}", "--hide-scrollbars")
    options = (*_OPTIONS, *window, f"--screenshot={picture}")
    subprocess.run([CHROMIUM, *options, page.as_uri()], capture_output=True, check=True, timeout=120)
