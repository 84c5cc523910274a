"""From an outgoing letter to the bytes of a mail (RFC 5322)."""

from __future__ import annotations

from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import SMTP, compat32
from email.utils import format_datetime

from judge.errors import JudgeError
from judge.mail.headers import header_text
from judge.mail.letters import LetterKind, Outgoing

_ANSWERS = (LetterKind.REPLY, LetterKind.CONFIRM)


def compose(letter: Outgoing) -> bytes:
    """The mail with CRLF line ends; raises JudgeError if a header came out that we did not write."""
    message = EmailMessage(policy=SMTP)
    headers = {
        "From": letter.sender,
        "To": letter.recipient,
        "Subject": header_text(letter.subject),
        "Date": format_datetime(letter.date),
        "Message-ID": letter.message_id,
        "Reply-To": letter.reply_to,
        "In-Reply-To": letter.in_reply_to,
        "References": " ".join(letter.references),
        "List-Id": f"<{letter.list_id}>" if letter.list_id else None,
        "Auto-Submitted": "auto-replied" if letter.kind in _ANSWERS else "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Loop": letter.sender,
    }
    written = {name: value for name, value in headers.items() if value}
    for name, value in written.items():
        message[name] = value
    message.set_content(letter.text, cte="8bit" if letter.text.isascii() else "base64")
    if letter.html is not None:
        message.add_alternative(letter.html, subtype="html", cte="base64")
    for attachment in letter.attachments:
        maintype, _, subtype = attachment.content_type.partition("/")
        message.add_attachment(
            attachment.content, maintype=maintype, subtype=subtype, filename=attachment.filename, cte="base64"
        )
    content = message.as_bytes()
    _check_headers(content, set(written))
    return content


def _check_headers(content: bytes, written: set[str]) -> None:
    """Read the header block again: no value may have grown a header of its own."""
    head = content.partition(b"\r\n\r\n")[0]
    found = {name.lower() for name in BytesHeaderParser(policy=compat32).parsebytes(head + b"\r\n\r\n")}
    expected = {name.lower() for name in written}
    added = found - expected - {"mime-version", "content-type", "content-transfer-encoding"}
    if added or not expected <= found:
        raise JudgeError(f"composing produced the headers {sorted(added)}")
