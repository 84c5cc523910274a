"""What mail programs make of a mailto link.

neomutt itself is run; Roundcube is imitated from its source.
"""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from email.message import EmailMessage
from itertools import count
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, unquote

from tests.wire import PATIENCE_SECONDS, wait_until

SENDER = "cho@players.test"
Fill: TypeAlias = Callable[[str], str]
"""Edits the text of a draft as its sender would."""
# abort_unmodified: neomutt compares a draft's time in whole seconds, and takes a quick edit for none.
_RC = """\
set from="{sender}"
set realname="Cho"
set use_from=yes
set edit_headers=yes
set autoedit=yes
set abort_unmodified=no
set abort_nosubject=no
set editor="{folder}/editor"
set sendmail="{folder}/sendmail"
set charset="utf-8"
set record=""
set folder="{folder}"
set postponed="{folder}/postponed"
"""


def has_neomutt() -> bool:
    return shutil.which("neomutt") is not None


def by_neomutt(href: str, fill: Fill, folder: Path) -> bytes:
    """Return the mail that neomutt sends, started with the link.

    Its editor replaces the text of the draft by what `fill` makes of it.
    """
    draft, edited, sent = (folder / name for name in ("draft", "edited", "sent"))
    waits = f"while ! [ -e {edited} ]; do sleep 0.05; done"
    _script(folder / "editor", f'cat "$1" > {draft}.part && mv {draft}.part {draft}; {waits}; cat {edited} > "$1"')
    _script(folder / "sendmail", f"cat > {sent}.part && mv {sent}.part {sent}")
    (folder / "rc").write_text(_RC.format(sender=SENDER, folder=folder), "utf-8")
    screen, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
    command = ["neomutt", "-n", "-F", str(folder / "rc"), href]
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment) as program:
        os.close(terminal)
        try:
            _until(screen, draft.exists)
            head, _, body = draft.read_bytes().decode().partition("\n\n")
            (folder / "filled").write_bytes(f"{head}\n\n{fill(body)}".encode())
            (folder / "filled").rename(edited)
            _until(screen, sent.exists, b"y")  # y sends; keys typed before the editor is left may be lost
            program.wait(timeout=PATIENCE_SECONDS)
        finally:
            program.kill()
    os.close(screen)
    return sent.read_bytes()


def editor_that(path: Path, does: str) -> None:
    """Write a script that edits a draft for neomutt.

    neomutt tells an edited draft by its time, and a quick edit could seem to be none. The script changes the time, too.
    """
    _script(path, f'{does}; touch -d yesterday "$1"')


def _script(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
    path.chmod(0o755)


def _until(screen: int, holds: Callable[[], bool], key: bytes = b"") -> None:
    """Read what the program draws until a condition holds.

    Unread output would block the program. If `key` is given it is typed now and then.
    """
    os.set_blocking(screen, False)
    turns = count()

    def is_so() -> bool:
        with suppress(OSError):  # nothing is drawn, or the program has ended
            if key and next(turns) % 25 == 0:
                os.write(screen, key)
            os.read(screen, 65536)
        return holds()

    wait_until(is_so)


def by_roundcube(href: str, fill: Fill, _: Path) -> bytes:
    """Write plain text: + is no blank in the link, format=flowed, a signature below."""
    message = _begun(href)
    lines = fill(_asked(href, "body")).replace("\r\n", "\n").rstrip("\n")
    message.set_content(f"{lines}\n\n-- \nCho Legrand\n")
    message.set_param("format", "flowed")
    return message.as_bytes()


def by_roundcube_in_html(href: str, fill: Fill, _: Path) -> bytes:
    """Write with the HTML editor: a paragraph for each line, and plain text beside it."""
    message = _begun(href)
    lines = fill(_asked(href, "body")).replace("\r\n", "\n").rstrip("\n").split("\n")
    message.set_content("\n\n".join(line for line in lines if line) + "\n")
    paragraphs = "".join(f"<p>{line or '&nbsp;'}</p>" for line in lines)
    message.add_alternative(f"<html><body>{paragraphs}<div>-- <br>Cho Legrand</div></body></html>", subtype="html")
    return message.as_bytes()


def by_a_phone(href: str, fill: Fill, _: Path) -> bytes:
    """Write a mail of HTML alone, with non-breaking blanks."""
    message = _begun(href)
    body = fill(_asked(href, "body")).replace("\r\n", "\n").strip("\n")
    lines = "".join(f"<div>{line.replace(' ', '&nbsp;') or '<br>'}</div>" for line in body.split("\n"))
    message.set_content(f"<html><body>{lines}<br><div>Sent from my phone</div></body></html>", subtype="html")
    return message.as_bytes()


COMPOSERS: dict[str, Callable[[str, Fill, Path], bytes]] = {
    "neomutt": by_neomutt,
    "roundcube": by_roundcube,
    "roundcube in html": by_roundcube_in_html,
    "phone": by_a_phone,
}


def recipient_of(href: str) -> str:
    """Return the address that a mailto link writes to."""
    return unquote(href.removeprefix("mailto:").partition("?")[0])


def _asked(href: str, name: str) -> str:
    asked = href.partition("?")[2].replace("+", "%2B")  # RFC 6068: a + is not a blank
    return dict(parse_qsl(asked)).get(name, "")


def _begun(href: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = f"Cho Legrand <{SENDER}>"
    message["To"] = recipient_of(href)
    message["Subject"] = _asked(href, "subject")
    message["Message-ID"] = f"<{abs(hash(href))}.{os.urandom(4).hex()}@players.test>"
    return message
