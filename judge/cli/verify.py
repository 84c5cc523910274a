"""`judge verify`: check the saved mails of a game."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from email.message import Message
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from typer import Exit

from judge.cli.common import refuse
from judge.cli.terminal import with_progress
from judge.errors import ConfigError
from judge.mail.saved import saved_mails
from judge.service.chain import verify


def verify_command(files: list[Path]) -> None:
    """Check saved mails, or folders of them: each phase again, each from the one before, and your own receipts."""
    found = [facts for mail in with_progress(_mails(files), "reading") for facts in facts_in(mail)]
    if not found:
        refuse("no mail of a judge with its file for programs is among these")
    good = True
    for finding in with_progress(verify(found), "playing the phases again"):
        if finding.is_fault:
            print(f"judge: {finding.game} {finding.said}", file=sys.stderr)
            good = False
        else:
            print(f"{finding.game}: {finding.said}")
    if not good:
        raise Exit(1)


def _mails(files: Iterable[Path]) -> Iterator[Message]:
    for file in files:
        try:
            yield from saved_mails(file)
        except OSError as error:
            raise ConfigError((f"{error.filename or file} cannot be read: {error.strerror}",)) from error


def facts_in(mail: Message) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects attached to a mail; for old ones, kind and date are added."""
    for part in mail.walk():
        content = part.get_payload(decode=True) if part.get_content_type() == "application/json" else None
        if not isinstance(content, bytes):
            continue
        try:
            facts = json.loads(content)
        except (ValueError, RecursionError):
            continue
        if isinstance(facts, dict) and "game" in facts and ("kind" in facts or "input" in facts):
            yield {"kind": "phase" if "output" in facts else "start", "at": _date(mail)} | facts


def _date(mail: Message) -> str:
    try:
        return parsedate_to_datetime(str(mail["Date"])).isoformat()
    except ValueError:
        return ""
