"""The identity of a mail: several copies may arrive, but it is carried out once.

It may be addressed by To and Cc, and come by IMAP and by LMTP.
"""

from __future__ import annotations

import hashlib
import re
from email.message import Message
from email.parser import BytesHeaderParser

from judge.mail.headers import WARY, message_id_in

_TRACES = frozenset(
    (
        "received",
        "return-path",
        "delivered-to",
        "x-original-to",
        "envelope-to",
        "authentication-results",
        "x-mozilla-status",
        "x-mozilla-status2",
        "received-spf",
        "x-received",
        "content-length",
        "lines",
        "x-uid",
        "x-keywords",
        "status",
        "x-status",
    )
)
"""Headers that servers add in transit."""
_MOST_LINES_OF_A_HEAD = 5000
_END_OF_HEAD = re.compile(rb"\n\r?\n")


def fingerprint(*parts: str) -> bytes:
    """Return 16 bytes that identify these texts without revealing them."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()[:16]


def headers_of(content: bytes) -> Message:
    """Parse the header block alone."""
    end = _END_OF_HEAD.search(content)
    return BytesHeaderParser().parsebytes(content[: end.end()] if end else content)


def head_and_body(content: bytes) -> tuple[Message, bytes]:
    """Return the header block, parsed as foreign mail, and the body.

    Lines beyond the limit of a header block count as body.
    """
    head, _, body = content.replace(b"\r\n", b"\n").partition(b"\n\n")
    lines = head.split(b"\n", _MOST_LINES_OF_A_HEAD)
    if len(lines) > _MOST_LINES_OF_A_HEAD:
        head, body = b"\n".join(lines[:-1]), lines[-1] + b"\n\n" + body
    return BytesHeaderParser(policy=WARY).parsebytes(head + b"\n\n"), body


def identity_and_message_id(head: Message, body: bytes) -> tuple[str, str | None]:
    """Return a hex digest of the mail without trace headers, and its bracketed Message-ID."""
    digest = hashlib.sha256()
    for name, value in head.raw_items():  # other accessors replace 8-bit characters
        if name.lower() not in _TRACES and not name.lower().startswith(("arc-", "x-spam-")):
            digest.update(f"{name.lower()}:{' '.join(str(value).split())}\n".encode("utf-8", "surrogateescape"))
    digest.update(body.rstrip())
    return digest.hexdigest(), message_id_in(head.get("Message-ID"))
