"""The man page, built from the help of `judge` and each command."""

from __future__ import annotations

from collections.abc import Iterator

import typer
from typer.core import TyperGroup
from typer.main import get_command

from judge import __version__

_HEAD = """.TH JUDGE 1 "{released}" "judge {version}" "Judge of Diplomacy by mail"
.SH NAME
judge \\- a Diplomacy judge that lives in the mailbox
.SH SYNOPSIS
.B judge
.RI [ options ]
.I command
.RI [ arguments ]"""
_FOOT = """.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
The answer is no.
.TP
.B 2
Usage, or settings that will not mend themselves.
.TP
.B 75
Something cannot be had now, and may come back: a full disk, a busy port, a locked database."""


def man_page(app: typer.Typer, released: str) -> str:
    """Return the whole page as roff; `released` is the date of the latest release."""
    head = _HEAD.format(released=released, version=__version__)
    return "\n".join([head, *_commands(get_command(app), "judge"), _FOOT, ""])


def _commands(command: object, path: str) -> Iterator[str]:
    assert isinstance(command, TyperGroup)
    yield ".SH COMMANDS" if path == "judge" else f".SH COMMANDS OF {path.upper()}"
    groups = []
    for name, one in command.commands.items():
        if isinstance(one, TyperGroup):
            groups.append((one, f"{path} {name}"))
        with one.make_context(f"{path} {name}", [], resilient_parsing=True) as context:
            usage = " ".join([f"{path} {name}", *one.collect_usage_pieces(context)])
            yield from (".SS", _roff(usage), _roff(one.help or ""))
            for parameter in one.get_params(context):
                record = parameter.get_help_record(context)
                if record and not parameter.is_eager:
                    names, said = record
                    yield from (".TP", f".B {_roff(names)}", _roff(said))
    for group, its_path in groups:
        yield from _commands(group, its_path)


def _roff(text: str) -> str:
    """Escape text for roff: no line starts a request, no hyphen allows a line break."""
    escaped = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped
