"""`judge verify`: check the saved mails of a game."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from email.message import Message
from pathlib import Path
from typing import Annotated, Any

from typer import Exit, Option

from judge.cli.common import refuse
from judge.cli.terminal import with_progress
from judge.errors import ConfigError
from judge.mail.letters import Attachment
from judge.mail.saved import Shown, saved_mails, shown_by, with_attached
from judge.mail.signing import FORMAT, key_of
from judge.service.chain import verify
from judge.service.lots import commitments_in
from judge.service.signatures import Saved, check_signatures

Key = Annotated[
    list[str] | None,
    Option("--key", help="A public key that you trust, in place of the one in the oldest mail; may be given again."),
]


def verify_command(files: list[Path], key: Key = None) -> None:
    """Check saved mails, or folders of them.

    Signatures and your own receipts are checked, each phase is played again, and each lot is drawn again.
    """
    keys = [key_of(one).hex() for one in key or ()]
    mails: list[Saved] = []
    promised: dict[str, list[tuple[datetime, str]]] = {}
    for mail in with_progress(_mails(files), "reading"):
        mails += saved(mail)
        for name, at, commitment in _commitments_in(mail):
            promised.setdefault(name, []).append((at, commitment))
    if not mails:
        refuse("no mail of a judge with its file for programs is among these")
    good = True
    played = with_progress(
        verify([facts for mail in mails for facts in mail.facts], promised), "playing the phases again"
    )
    for finding in sorted([*check_signatures(mails, keys), *played], key=lambda finding: finding.game):
        if finding.is_fault:
            print(f"judge: {finding.game} {finding.said}", file=sys.stderr)
            good = False
        else:
            print(f"{finding.game}: {finding.said}")
    if not good:
        raise Exit(1)


def _commitments_in(mail: Message) -> Iterator[tuple[str, datetime, str]]:
    """Yield the commitments to lots in a mail.

    Each comes with its game and the time of the mail. Attached mails are included.
    """
    for one in with_attached(mail):
        shown = shown_by(one)
        at = shown.sent
        if at is not None:
            yield from ((name, at, commitment) for name, commitment in commitments_in(shown.text or ""))


def _mails(files: Iterable[Path]) -> Iterator[Message]:
    for file in files:
        try:
            yield from saved_mails(file)
        except OSError as error:
            raise ConfigError((f"{error.filename or file} cannot be read: {error.strerror}",)) from error


def saved(mail: Message) -> Iterator[Saved]:
    """Yield a mail, and each mail attached to it, that holds facts or a signature."""
    for one in with_attached(mail):
        shown = shown_by(one)
        found = [(file, content) for file in shown.files if (content := _json_in(file)) is not None]
        signature = next((pair for pair in found if _is_signature(pair[1])), None)
        if signature is not None:
            shown = replace(shown, files=tuple(file for file in shown.files if file is not signature[0]))
        facts = tuple(_facts(content, shown) for _, content in found if _is_facts(content))
        if facts or signature is not None:
            yield Saved(shown, facts, signature[1] if signature is not None else None)


def facts_in(mail: Message) -> Iterator[Mapping[str, Any]]:
    """Yield the facts attached to a mail."""
    for one in saved(mail):
        yield from one.facts


def _json_in(file: Attachment) -> dict[str, Any] | None:
    if file.content_type != "application/json":
        return None
    try:
        content = json.loads(file.content)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) and "game" in content else None


def _is_signature(content: dict[str, Any]) -> bool:
    return content.get("format") == FORMAT and isinstance(content.get("key"), str)


def _is_facts(content: dict[str, Any]) -> bool:
    return "kind" in content or "input" in content


def _facts(content: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """Return facts; for old ones, kind and date are added."""
    at = shown.sent.isoformat() if shown.sent is not None else ""
    return {"kind": "phase" if "output" in content else "start", "at": at} | content
