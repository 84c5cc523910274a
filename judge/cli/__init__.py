"""The command line: `judge serve` and the operator's other commands.

Exit codes: 0 done, 1 the answer is no, 2 usage or configuration, 75 a resource is unavailable for now (a full disk, a
busy port, a locked database). Errors are one clear line on stderr. A command is imported when it is called: some need
a database and a mail server's libraries, others only the rules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer import TyperException
from typer.core import TyperGroup
from typer.main import get_command

from judge import __version__
from judge.errors import ConfigError, JudgeError, ResourceError
from judge.resources import look_for_boards

__all__ = ["app", "main"]

_COMMANDS: Mapping[str, Mapping[str, str]] = {
    "A judge": {
        "setup": "judge.cli.setup:setup",
        "serve": "judge.cli.serve:serve",
        "config": "judge.cli.settings_file:config_command",
        "doctor": "judge.cli.doctor:doctor",
        "migrate": "judge.cli.database:migrate_command",
        "upgrade": "judge.cli.database:upgrade_command",
        "backup": "judge.cli.database:backup",
        "restore": "judge.cli.database:restore",
        "rekey": "judge.cli.database:rekey",
        "signing-key": "judge.cli.database:signing_key",
    },
    "Its games": {
        "games": "judge.cli.games:games",
        "show": "judge.cli.games:show",
        "hand-over": "judge.cli.games:hand_over",
        "site": "judge.cli.site:site",
    },
    "Its mail": {"inbox": "judge.cli.mailboxes:inbox", "outbox": "judge.cli.mailboxes:outbox"},
    "Without a judge": {
        "adjudicate": "judge.cli.many:adjudicate",
        "inspect": "judge.cli.inspect:inspect",
        "map": "judge.cli.maps:map_command",
        "verify": "judge.cli.verify:verify_command",
        "sample-report": "judge.cli.sample:sample_report_command",
        "demo": "judge.demo.door:demo",
        "try": "judge.trial.door:try_it",
        "version": "judge.cli:version",
    },
    "Boards": {"board": "judge.cli.boards:board"},
}


class _Commands(Mapping[str, Any]):
    """All commands by name; each is imported when it is asked for."""

    def __init__(self) -> None:
        self.places = {
            name: (panel, place) for panel, commands in _COMMANDS.items() for name, place in commands.items()
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - typer does not export its class of commands
        panel, place = self.places[name]
        module, _, function = place.partition(":")
        found = getattr(import_module(module), function)
        parent = typer.Typer(add_completion=False)
        if isinstance(found, typer.Typer):
            parent.add_typer(found, name=name, rich_help_panel=panel)
            group = get_command(parent)
            assert isinstance(group, TyperGroup)
            return group.commands[name]
        parent.command(name=name, rich_help_panel=panel)(found)
        return get_command(parent)


class _Group(TyperGroup):
    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - typer's own settings
        super().__init__(**settings)
        self.commands = _Commands()  # type: ignore[assignment]  # commands are added above, and nowhere else

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - typer does not export what it hands over
        return list(self.commands)


app = typer.Typer(
    cls=_Group,
    help="A Diplomacy judge that lives in the mailbox.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def version() -> None:
    """Print the version."""
    print(__version__)


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


def _boards() -> Mapping[str, Path]:
    from judge.cli.common import find_boards  # noqa: PLC0415 - the settings are read when a board is looked for

    return find_boards()


def main() -> None:
    """Run the command line; expected errors are one line, never a traceback."""
    look_for_boards(cache(_boards))
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
    except OSError as error:
        _give_up(error)
    except Exception as error:
        from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - slow to import, and only a database raises it

        if not isinstance(error, OperationalError):
            raise
        _give_up(error.orig or error)
    if code:
        sys.exit(code)


def _give_up(error: BaseException) -> NoReturn:
    print(f"judge: {' '.join(str(error).split()) or type(error).__name__}", file=sys.stderr)
    sys.exit(os.EX_TEMPFAIL)
