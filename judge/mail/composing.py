"""From an outgoing letter to the bytes of a mail (RFC 5322)."""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Mapping
from email.encoders import encode_base64
from email.errors import HeaderParseError
from email.header import Header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.parser import BytesHeaderParser, BytesParser
from email.policy import Compat32, compat32
from email.utils import format_datetime
from types import MappingProxyType

from judge.errors import JudgeError
from judge.mail.headers import header_text
from judge.mail.letters import Attachment, LetterKind, Outgoing

NO_PICTURES: Mapping[str, bytes] = MappingProxyType({})
_LONGEST_WORD = 60
_ANSWERS = (LetterKind.REPLY, LetterKind.CONFIRM)
_LONGEST_LINE = 76
_LONGEST_BYTES = 990
"""Of a line that needs no encoding (RFC 5322 2.1.1)."""


class _OnTheWire(Compat32):
    """As the library writes headers that must be folded or encoded; the others at once.

    Five times as fast as the policies that parse every header they write; here that is done once, at the end.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        if len(name) + len(value) < _LONGEST_LINE and value.isascii() and value.isprintable():
            return f"{name}: {value}\r\n".encode()
        return super().fold_binary(name, value)


_ON_THE_WIRE = _OnTheWire(linesep="\r\n", mangle_from_=False)


def compose(letter: Outgoing, drawn: Mapping[str, bytes] = NO_PICTURES) -> bytes:
    """The mail with CRLF line ends, the same for the same letter; raises JudgeError if a header grew another.

    `drawn` holds its pictures by cid, as PNG, GIF or SVG; one that could not be drawn is left out.
    """
    message = _body(letter, drawn)
    headers = {
        "From": _from(letter),
        "To": letter.recipient,
        "Subject": _subject(header_text(letter.subject)),
        "Date": format_datetime(letter.date),
        "Message-ID": letter.message_id,
        "Reply-To": letter.reply_to,
        "In-Reply-To": letter.in_reply_to,
        "References": " ".join(letter.references),
        "List-Id": f"<{letter.list_id}>" if letter.list_id else None,
        "List-Unsubscribe": f"<{letter.unsubscribe}>" if letter.unsubscribe else None,
        "Auto-Submitted": "auto-replied" if letter.kind in _ANSWERS else "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Loop": letter.sender,
    }
    written = {name: value for name, value in headers.items() if value}
    for name, value in written.items():
        message[name] = value
    try:
        content = _on_the_wire(message)
    except HeaderParseError as error:
        raise JudgeError("a header would hold another one") from error
    _check_headers(content, set(written))
    return content


def _from(letter: Outgoing) -> str:
    """The address with its display name, which is ours or a game's: nothing in it needs more than quotes."""
    name = header_text(letter.sender_name).replace("\\", "").replace('"', "")
    if not name:
        return letter.sender
    shown = f'"{name}"' if name.isascii() else Header(name, "utf-8", header_name="From").encode(linesep="\r\n")
    return f"{shown} <{letter.sender}>"


def _on_the_wire(part: Message) -> bytes:
    """A mail or a part of one as the library writes it, which takes twice as long: it writes by lines."""
    head = b"".join(_ON_THE_WIRE.fold_binary(name, value) for name, value in part.raw_items())
    if not part.is_multipart():
        lines = _written(part).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return head + b"\r\n" + lines.replace(b"\n", b"\r\n")
    line = b"\r\n--" + str(part.get_boundary()).encode()
    parts = [one for one in part.get_payload() if isinstance(one, Message)]
    return head + b"".join(line + b"\r\n" + _on_the_wire(one) for one in parts) + line + b"--\r\n"


def _written(part: Message) -> bytes:
    """The body of a part as it was put there: the library would decode one of eight bits."""
    if part["Content-Transfer-Encoding"] == "8bit":
        return bytes(part.get_payload(decode=True))
    return str(part.get_payload()).encode("ascii")


def _subject(text: str) -> str:
    """As it is, or in encoded-words where it could not be folded without becoming another."""
    if text.isascii() and max(map(len, text.split()), default=0) < _LONGEST_WORD:
        return text
    return Header(text, "utf-8", header_name="Subject").encode(linesep="\r\n")


def _body(letter: Outgoing, drawn: Mapping[str, bytes]) -> Message:
    body: Message = _text(letter.text, "plain")
    if letter.html is not None:
        body = _together(letter, "alternative", body, _illustrated(letter, letter.html, drawn))
    pictures = [picture for picture in letter.pictures if picture.filename and picture.cid in drawn]
    attachments = [Attachment(one.filename, *_typed(drawn[one.cid])) for one in pictures] + [*letter.attachments]
    if attachments:
        body = _together(letter, "mixed", body, *map(_attached, attachments))
    return body


def _illustrated(letter: Outgoing, html: str, drawn: Mapping[str, bytes]) -> Message:
    """The HTML with its pictures (RFC 2387)."""
    there = [picture.cid for picture in letter.pictures if picture.cid in drawn and not picture.filename]
    for picture in letter.pictures:
        if picture.cid not in drawn:
            html = re.sub(rf'<img[^>]*"cid:{re.escape(picture.cid)}"[^>]*>', "", html)
    text = _text(html, "html")
    return _together(letter, "related", text, *(_inline(cid, drawn[cid]) for cid in there)) if there else text


def _inline(cid: str, content: bytes) -> Message:
    content_type, content = _typed(content)
    part = _encoded(content_type, content)
    part.add_header("Content-ID", f"<{cid}>")
    part.add_header("Content-Disposition", "inline", filename=f"{cid.partition('@')[0]}.{content_type[6:9]}")
    return part


def _typed(content: bytes) -> tuple[str, bytes]:
    """A picture with its content type."""
    kinds = ((b"GIF8", "image/gif"), (b"<svg", "image/svg+xml"), (b"", "image/png"))
    return next(kind for beginning, kind in kinds if content.startswith(beginning)), content


def _text(text: str, subtype: str) -> Message:
    """A text as it can be read in the mail itself, as long as its lines are no longer than a mail's may be."""
    if subtype == "plain":
        text = "\n".join(map(_stuffed, text.split("\n")))
    content = text.encode()
    if max(map(len, content.split(b"\n"))) > _LONGEST_BYTES:
        part = _encoded(f"text/{subtype}", content.replace(b"\n", b"\r\n"))
        part.set_param("charset", "utf-8")
    else:
        is_ascii = content.isascii()
        part = MIMENonMultipart("text", subtype, charset="us-ascii" if is_ascii else "utf-8")
        part["Content-Transfer-Encoding"] = "7bit" if is_ascii else "8bit"
        part.set_payload(content.decode("ascii", "surrogateescape"))
    if subtype == "plain":
        part.set_param("format", "flowed")
        part.set_param("delsp", "yes")
    return part


def _stuffed(line: str) -> str:
    """A line of flowed text (RFC 3676 §4.4): one that begins like a quotation is shifted by a blank."""
    return f" {line}" if line.startswith((" ", ">", "From ")) else line


def in_seven_bits(content: bytes) -> bytes:
    """A mail of ours for a server that takes no more than seven bits (RFC 6152)."""
    message = BytesParser(policy=compat32).parsebytes(content)
    for part in message.walk():
        if part["Content-Transfer-Encoding"] == "8bit":
            del part["Content-Transfer-Encoding"]
            if not part.is_multipart():
                part.set_payload(part.get_payload(decode=True))
                encode_base64(part)
    return message.as_bytes(policy=_ON_THE_WIRE)


def _encoded(content_type: str, content: bytes) -> Message:
    part = MIMEBase(*content_type.split("/"))
    encoded = b2a_base64(content, newline=False).decode("ascii")
    part.set_payload("".join(f"{encoded[at : at + _LONGEST_LINE]}\n" for at in range(0, len(encoded), _LONGEST_LINE)))
    part["Content-Transfer-Encoding"] = "base64"
    return part


def _together(letter: Outgoing, subtype: str, *parts: Message) -> MIMEMultipart:
    whole = MIMEMultipart(subtype, boundary=f"=_{subtype}_{_token(letter)}", _subparts=parts)
    if any(part["Content-Transfer-Encoding"] == "8bit" for part in parts):
        whole["Content-Transfer-Encoding"] = "8bit"
    return whole


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
