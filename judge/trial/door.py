"""The command `judge try`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from judge.boards.operators import known_board
from judge.commands import Language
from judge.config import load_config
from judge.setup import say


def try_it(
    keep: Annotated[Path | None, typer.Option(help="A folder for the game, to go on with it another day.")] = None,
    mail: Annotated[
        str, typer.Option(help="A mail program (neomutt, mutt), or `terminal` for none; else as the settings say.")
    ] = "",
    language: Annotated[Language, typer.Option(help="The language you are written to in.")] = Language.ENGLISH,
    board: Annotated[str | None, typer.Option(help="A board; `judge board list` names them.")] = None,
) -> None:
    """Play at once, on this machine alone, against robots.

    You are one power: France on the standard board.
    """
    if board is not None:
        known_board(board)
    if sys.stderr.isatty():
        print(say(language, "table_is_laid"), file=sys.stderr, flush=True)
    from judge.trial.table import Table  # noqa: PLC0415 - other commands need not import a whole judge
    from judge.trial.terminal import in_the_terminal  # noqa: PLC0415

    program = mail or load_config().trial.mail_program
    is_found = program != "terminal" and shutil.which(program.split()[0]) is not None
    if mail and not is_found and mail != "terminal":
        from judge.reports.wording import wording_in  # noqa: PLC0415

        print(wording_in(language).speech.message("no-program", name=program), file=sys.stderr)
    folder = keep or Path(tempfile.mkdtemp(prefix="judge-try-"))
    folder.mkdir(parents=True, exist_ok=True)
    table = Table(folder.resolve(), language, board, draws=is_found)
    with (folder / "judge.log").open("a", encoding="utf-8") as log:
        if is_found:
            from judge.trial.program import in_a_mail_program  # noqa: PLC0415

            in_a_mail_program(table, program, log)
        else:
            in_the_terminal(table, sys.stdin, log)
    if keep is None:
        shutil.rmtree(folder, ignore_errors=True)
    else:
        print(say(language, "game_is_kept", folder=keep))
