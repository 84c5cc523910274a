"""The command `judge demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Exit


def demo(
    keep: Annotated[Path | None, typer.Option(help="A folder for the mailboxes; a temporary one if not given.")] = None,
    script: Annotated[Path | None, typer.Option(hidden=True, help="Another script than the one we ship.")] = None,
) -> None:
    """Play a whole game by real mail on this machine."""
    from judge.demo.play import play_demo  # noqa: PLC0415 - other commands need not import its servers

    raise Exit(play_demo(keep, script))
