"""The mailbox of `judge try` in neomutt, or in a compatible mail program."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import TextIO

from judge.service.engine.logs import logs_to
from judge.service.engine.run import Service
from judge.setup import say
from judge.trial.table import SERVER, YOU, Table

_POST = """#!/bin/sh
# Takes a mail from the mail program, and drops it where the judge looks.
mail=$(mktemp {outgoing}/tmp/XXXXXXXXXX) || exit 75
{{
  echo 'Authentication-Results: {server}; dmarc=pass header.from={domain}'
  for word; do case $word in -*) ;; *) echo "Delivered-To: $word" ;; esac; done
  cat
}} > "$mail" && mv "$mail" {outgoing}/new/
"""
_SETTINGS = """# What the mail program is started with; nothing of your own settings is touched.
set mbox_type=Maildir
set folder="{folder}"
set spoolfile="{inbox}"
set postponed="{folder}/postponed"
set record="{folder}/sent"
set from="{you}"
set realname="You"
set use_from=yes
set sendmail="{folder}/post"
set charset="utf-8"
set mail_check=1
set timeout=1
set sort=date-received
set reply_to=yes
set include=no
set fast_reply=yes
set auto_tag=no
set abort_nosubject=no
set confirmappend=no
set delete=yes
set quit=yes
set copy=yes
alternative_order text/plain text/html
ignore *
unignore from: subject: date:
"""


def in_a_mail_program(table: Table, program: str, log: TextIO) -> None:
    """Run the judge while the player uses a mail program; stop when they leave it."""
    logs_to(log)
    parts = table.open()
    command = [*shlex.split(program), "-n", "-F", str(prepare(table)), "-f", str(table.inbox)]
    service = Service(parts)
    service.start()
    print(say(table.language, "mailbox_opens", power=table.power.title(), program=program))
    try:
        subprocess.run(command, check=False)  # noqa: S603 - the program the player chose
    finally:
        service.stop()


def prepare(table: Table) -> Path:
    """Write the mail program's settings and its sending script; return the settings file."""
    folder, outgoing = table.folder, table.outgoing
    post = folder / "post"
    domain = YOU.partition("@")[2]
    post.write_text(_POST.format(outgoing=shlex.quote(str(outgoing)), server=SERVER, domain=domain), "utf-8")
    post.chmod(0o700)
    settings = folder / "muttrc"
    settings.write_text(_SETTINGS.format(folder=folder, inbox=table.inbox, you=YOU), "utf-8")
    return settings
