"""Mail written by programs: filed, never answered."""

from __future__ import annotations

from collections.abc import Callable
from email.message import Message

from judge.mail.patterns import pattern

_ROBOTS = ("mailer-daemon", "postmaster", "no-reply", "noreply", "do-not-reply", "donotreply")
_BULK = ("bulk", "junk", "list", "auto_reply")


def _says(message: Message, name: str) -> str:
    """Return the first word of a header, lower case."""
    return str(message.get(name, "")).split(";")[0].strip().lower()


_POLICY: tuple[tuple[str, Callable[[Message, frozenset[str]], bool]], ...] = (
    ("Auto-Submitted says so", lambda m, _: _says(m, "Auto-Submitted") not in ("", "no")),
    ("an autoreply header", lambda m, _: any(name in m for name in ("X-Autoreply", "X-Autorespond", "X-Auto-Reply"))),
    ("bulk mail", lambda m, _: _says(m, "Precedence") in _BULK),
    ("a mailing list", lambda m, _: "List-Id" in m),
    ("our own loop mark", lambda m, own: any(str(mark).strip().lower() in own for mark in m.get_all("X-Loop", []))),
)
"""Reasons to call a mail automatic by its headers alone; the first match decides."""


def has_null_sender(message: Message, envelope_from: str | None) -> bool:
    """Whether the envelope sender is empty: such a mail is never answered.

    It is empty in bounces and most robots' mails.
    """
    if envelope_from is None:
        return str(message.get("Return-Path", "")).strip() == "<>"
    return envelope_from == ""


def is_bounce(message: Message) -> bool:
    """Whether a mail is a delivery status report about ours (RFC 3464)."""
    if message.get_content_type() != "multipart/report":
        return False
    return str(message.get_param("report-type", "delivery-status")).lower() == "delivery-status"


def why_automatic(message: Message, sender: str, subject: str, envelope_from: str | None, own: frozenset[str]) -> str:
    """Return why a mail seems written by a program; "" if a person wrote it."""
    if message.get_content_type() == "multipart/report":
        return "a report"
    if has_null_sender(message, envelope_from):
        return "a null sender"
    for reason, holds in _POLICY:
        if holds(message, own):
            return reason
    if sender in own or sender.split("@", maxsplit=1)[0] in _ROBOTS:
        return "a robot's address"
    of_autoreply = pattern("automatic_subject", before=r"^[\[【(（<＜]?\s*")
    return "an autoreply's subject" if of_autoreply.match(subject.strip()) else ""
