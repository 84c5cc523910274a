"""From an outgoing letter to the bytes of a mail (RFC 5322)."""

from __future__ import annotations

from binascii import b2a_base64
from email.errors import HeaderParseError
from email.header import Header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.parser import BytesHeaderParser
from email.policy import Compat32, compat32
from email.utils import format_datetime

from judge.errors import JudgeError
from judge.mail.headers import header_text
from judge.mail.letters import Attachment, LetterKind, Outgoing

_LONGEST_WORD = 60
_ANSWERS = (LetterKind.REPLY, LetterKind.CONFIRM)
_LONGEST_LINE = 76


class _OnTheWire(Compat32):
    """As the library writes headers that must be folded or encoded; the others at once.

    Five times as fast as the policies that parse every header they write; here that is done once, at the end.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        if len(name) + len(value) < _LONGEST_LINE and value.isascii() and value.isprintable():
            return f"{name}: {value}\r\n".encode()
        return super().fold_binary(name, value)


_ON_THE_WIRE = _OnTheWire(linesep="\r\n", mangle_from_=False)


def compose(letter: Outgoing) -> bytes:
    """The mail with CRLF line ends, the same for the same letter; raises JudgeError if a header grew another."""
    message = _body(letter)
    headers = {
        "From": letter.sender,
        "To": letter.recipient,
        "Subject": _subject(header_text(letter.subject)),
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
    bodies = _set_aside(message, _token(letter))
    try:
        content = message.as_bytes(policy=_ON_THE_WIRE)
    except HeaderParseError as error:
        raise JudgeError("a header would hold another one") from error
    _check_headers(content, set(written))
    for stand_in, body in bodies.items():
        content = content.replace(stand_in, body)
    return content


def _set_aside(message: Message, token: str) -> dict[bytes, bytes]:
    """The bodies as they stand on the wire, each by the name that stands in its place: the library writes by lines."""
    bodies = {}
    for number, part in enumerate(message.walk()):
        if not part.is_multipart():
            name = f"=_body{number}_{token}"
            lines = str(part.get_payload()).replace("\r\n", "\n").replace("\r", "\n")
            bodies[name.encode()] = lines.replace("\n", "\r\n").encode("ascii")
            part.set_payload(name)
    return bodies


def _subject(text: str) -> str:
    """As it is, or in encoded-words where it could not be folded without becoming another."""
    if text.isascii() and max(map(len, text.split()), default=0) < _LONGEST_WORD:
        return text
    return Header(text, "utf-8", header_name="Subject").encode(linesep="\r\n")


def _body(letter: Outgoing) -> Message:
    body: Message = _text(letter.text, "plain")
    if letter.html is not None:
        body = _together(letter, "alternative", body, _text(letter.html, "html"))
    if letter.attachments:
        body = _together(letter, "mixed", body, *map(_attached, letter.attachments))
    return body


def _text(text: str, subtype: str) -> Message:
    if text.isascii() and subtype == "plain":
        return MIMEText(text, subtype, "us-ascii")
    part = _encoded(f"text/{subtype}", text.replace("\n", "\r\n").encode())
    part.set_param("charset", "utf-8")
    return part


def _encoded(content_type: str, content: bytes) -> Message:
    part = MIMEBase(*content_type.split("/"))
    encoded = b2a_base64(content, newline=False).decode("ascii")
    part.set_payload("".join(f"{encoded[at : at + _LONGEST_LINE]}\n" for at in range(0, len(encoded), _LONGEST_LINE)))
    part["Content-Transfer-Encoding"] = "base64"
    return part


def _together(letter: Outgoing, subtype: str, *parts: Message) -> MIMEMultipart:
    return MIMEMultipart(subtype, boundary=f"=_{subtype}_{_token(letter)}", _subparts=parts)


def _token(letter: Outgoing) -> str:
    """What nobody could know when he wrote what stands in the letter: boundaries are made of it."""
    return letter.message_id.strip("<>").partition("@")[0]


def _attached(attachment: Attachment) -> Message:
    part = _encoded(attachment.content_type, attachment.content)
    part.add_header("Content-Disposition", "attachment", filename=attachment.filename)
    return part


def _check_headers(content: bytes, written: set[str]) -> None:
    """Read the header block again: no value may have grown a header of its own."""
    head = content.partition(b"\r\n\r\n")[0]
    found = {name.lower() for name in BytesHeaderParser(policy=compat32).parsebytes(head + b"\r\n\r\n")}
    expected = {name.lower() for name in written}
    added = found - expected - {"mime-version", "content-type", "content-transfer-encoding"}
    if added or not expected <= found:
        raise JudgeError(f"composing produced the headers {sorted(added)}")
