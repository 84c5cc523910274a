"""Mail written by programs: filed, never answered."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import Message

_SUBJECTS = re.compile(
    r"^(?:(?:re|aw):\s*)?(?:out of (?:the )?office|automatic reply|auto(?:matic)?[- ]?(?:reply|response)|vacation"
    r"|abwesenheit|自動返信|自動応答|不在)",
    re.IGNORECASE,
)
_ROBOTS = ("mailer-daemon", "postmaster", "no-reply", "noreply", "do-not-reply")

_POLICY: tuple[tuple[str, Callable[[Message], bool]], ...] = (
    ("Auto-Submitted says so", lambda m: str(m.get("Auto-Submitted", "no")).split(";")[0].strip().lower() != "no"),
    ("an autoreply header", lambda m: any(name in m for name in ("X-Autoreply", "X-Autorespond", "X-Auto-Reply"))),
    ("bulk mail", lambda m: str(m.get("Precedence", "")).strip().lower() in ("bulk", "junk", "list", "auto_reply")),
    ("a mailing list", lambda m: "List-Id" in m),
    ("our own loop mark", lambda m: "X-Loop" in m),
)
"""Why a mail is automatic by its headers alone; the first that holds decides."""


def why_automatic(message: Message, sender: str, subject: str, envelope_from: str | None, own: frozenset[str]) -> str:
    """In what a mail shows that a program wrote it; "" if a person did."""
    if envelope_from == "" or str(message.get("Return-Path", "")).strip() == "<>":
        return "a null sender"
    for reason, holds in _POLICY:
        if holds(message):
            return reason
    if sender in own or sender.split("@", maxsplit=1)[0] in _ROBOTS:
        return "a robot's address"
    return "an autoreply's subject" if _SUBJECTS.match(subject.strip()) else ""
