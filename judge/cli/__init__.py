"""The door: `judge serve` and the operator's other commands.

Exit codes: 0 done, 1 the answer is no, 2 usage or configuration, 75 a resource that cannot be had now (a full disk, a
busy port, a locked database) and may come back; each with one clear line on stderr.
"""

from __future__ import annotations

import os
import sys

import typer
from sqlalchemy.exc import OperationalError
from typer import TyperException

from judge.cli.games import games, hand_over, show
from judge.cli.mailboxes import inbox, outbox
from judge.cli.maps import map_command
from judge.cli.serve import serve
from judge.cli.site import site
from judge.cli.tools import (
    adjudicate,
    backup,
    doctor,
    inspect,
    migrate_command,
    rekey,
    restore,
    sample_report_command,
    version,
)
from judge.cli.verify import verify_command
from judge.errors import ConfigError, JudgeError, ResourceError

__all__ = ["app", "main"]

app = typer.Typer(
    help="A Diplomacy judge that lives in the mailbox.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(serve)
app.command(name="migrate")(migrate_command)
app.command()(adjudicate)
app.command()(inspect)
app.command(name="map")(map_command)
app.command()(games)
app.command()(show)
app.command(name="hand-over")(hand_over)
app.command()(doctor)
app.command()(backup)
app.command()(restore)
app.command()(rekey)
app.command(name="sample-report")(sample_report_command)
app.command(name="verify")(verify_command)
app.command()(site)
app.command()(version)
app.add_typer(inbox, name="inbox")
app.add_typer(outbox, name="outbox")


def main() -> None:
    """Run the command line; expected errors are one line, never a traceback."""
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
