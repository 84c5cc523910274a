"""The command line: `judge serve` and the operator's other commands.

Exit codes: 0 done, 1 the answer is no, 2 usage or configuration, 75 a resource is unavailable for now (a full disk, a
busy port, a locked database). Errors are one clear line on stderr.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated

import typer
from sqlalchemy.exc import OperationalError
from typer import TyperException

from judge.cli.boards import board
from judge.cli.common import find_boards
from judge.cli.games import games, hand_over, show
from judge.cli.mailboxes import inbox, outbox
from judge.cli.maps import map_command
from judge.cli.serve import serve
from judge.cli.setup import setup
from judge.cli.site import site
from judge.cli.tools import (
    adjudicate,
    backup,
    config_command,
    doctor,
    inspect,
    migrate_command,
    rekey,
    restore,
    sample_report_command,
    signing_key,
    upgrade_command,
    version,
)
from judge.cli.verify import verify_command
from judge.errors import ConfigError, JudgeError, ResourceError
from judge.resources import look_for_boards

__all__ = ["app", "main"]

app = typer.Typer(
    help="A Diplomacy judge that lives in the mailbox.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        version()
        raise typer.Exit


@app.callback()
def judge(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """A Diplomacy judge that lives in the mailbox."""


_COMMANDS: Mapping[str, Mapping[str, Callable[..., None]]] = {
    "A judge": {
        "setup": setup,
        "serve": serve,
        "config": config_command,
        "doctor": doctor,
        "migrate": migrate_command,
        "upgrade": upgrade_command,
        "backup": backup,
        "restore": restore,
        "rekey": rekey,
        "signing-key": signing_key,
    },
    "Its games": {"games": games, "show": show, "hand-over": hand_over, "site": site},
    "Without a judge": {
        "adjudicate": adjudicate,
        "inspect": inspect,
        "map": map_command,
        "verify": verify_command,
        "sample-report": sample_report_command,
        "version": version,
    },
}
for _panel, _commands in _COMMANDS.items():
    for _name, _command in _commands.items():
        app.command(name=_name, rich_help_panel=_panel)(_command)
app.add_typer(board, name="board", rich_help_panel="Boards")
app.add_typer(inbox, name="inbox", rich_help_panel="Its mail")
app.add_typer(outbox, name="outbox", rich_help_panel="Its mail")


def main() -> None:
    """Run the command line; expected errors are one line, never a traceback."""
    look_for_boards(cache(find_boards))
    try:
        code = app(standalone_mode=False)
    except ConfigError as error:
        for fault in error.faults:
            print(f"judge: {fault}", file=sys.stderr)
        sys.exit(2)
    except ResourceError as error:
        print(f"judge: {error}", file=sys.stderr)
        sys.exit(os.EX_TEMPFAIL)
    except JudgeError as error:
        print(f"judge: {error}", file=sys.stderr)
        sys.exit(2)
    except TyperException as error:
        said = " ".join(str(getattr(error, "format_message", error.__str__)()).split())
        print(f"judge: {said or 'a command is needed'}", file=sys.stderr)
        sys.exit(2)
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(1)
    except (OSError, OperationalError) as error:
        print(f"judge: {_in_a_line(error)}", file=sys.stderr)
        sys.exit(os.EX_TEMPFAIL)
    if code:
        sys.exit(code)


def _in_a_line(error: OSError | OperationalError) -> str:
    said = error.orig if isinstance(error, OperationalError) else error
    return " ".join(str(said).split()) or type(error).__name__
