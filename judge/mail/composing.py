"""Compose an outgoing letter into the bytes of a mail (RFC 5322).

The structure of our mails is fixed, so parts are written directly, without building a tree of message objects. The
email library only writes headers that must be folded or encoded.
"""

from __future__ import annotations

import re
from binascii import b2a_base64, b2a_qp
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.encoders import encode_base64
from email.errors import HeaderParseError
from email.parser import BytesParser
from email.policy import compat32
from email.utils import encode_rfc2231, format_datetime
from functools import lru_cache
from types import MappingProxyType

from judge.errors import JudgeError
from judge.mail.headers import header_text
from judge.mail.letters import Attachment, LetterKind, Outgoing
from judge.mailbox import mailbox_of, name_before

NO_PICTURES: Mapping[str, bytes] = MappingProxyType({})
_LONGEST_WORD = 60
_LONGEST_ENCODED = 39
"""Bytes of an encoded-word that fits after the name of a header."""
_ANSWERS = (LetterKind.REPLY, LetterKind.CONFIRM)
_LONGEST_LINE = 76
_LONGEST_BYTES = 990
"""Longest line that needs no encoding (RFC 5322 2.1.1)."""
_ON_THE_WIRE = compat32.clone(linesep="\r\n", mangle_from_=False)
_NAME_OF_HEADER = re.compile(rb"([!-9;-~]+):")
_TO_BE_STUFFED = re.compile("^(?=[ >]|From )", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Part:
    """A mail or one of its parts, without the mail's own headers (RFC 2045)."""

    content_type: str
    encoding: str
    """The Content-Transfer-Encoding; "" if none has to be named."""
    content: bytes
    others: tuple[tuple[str, str], ...] = ()
    """Further headers of this part."""

    def headers(self) -> Iterator[tuple[str, str]]:
        """Yield the headers needed to read the part."""
        yield "Content-Type", self.content_type
        if self.encoding:
            yield "Content-Transfer-Encoding", self.encoding
        yield from self.others

    def written(self) -> bytes:
        """Return the part with its headers."""
        return _head(self.headers()) + b"\r\n" + self.content


def compose(letter: Outgoing, drawn: Mapping[str, bytes] = NO_PICTURES) -> bytes:
    """Return the mail with CRLF line ends, always the same for a letter.

    `drawn` holds its pictures by cid, as PNG, GIF or SVG; one that could not be drawn is left out. Raises JudgeError on
    header injection.
    """
    body = _body(letter, drawn)
    headers = {
        "MIME-Version": "1.0",
        **dict(body.headers()),
        "From": _shown(letter.sender_name, letter.sender, "From"),
        "To": _shown(name_before(letter.recipient), mailbox_of(letter.recipient), "To"),
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
    return _head((name, value) for name, value in headers.items() if value) + b"\r\n" + body.content


def _head(headers: Iterator[tuple[str, str]]) -> bytes:
    return b"".join(_header(name, value) for name, value in headers)


def _header(name: str, value: str) -> bytes:
    """Write one header; only long or non-ASCII ones go through the slower email library.

    What that wrote is parsed again to detect an injected header. A plain line holds no line end.
    """
    line = f"{name}: {value}"
    if _is_plain(line) or all(map(_is_plain, line.split("\r\n "))):
        return f"{line}\r\n".encode()
    try:
        written = _ON_THE_WIRE.fold_binary(name, value)
    except HeaderParseError as error:
        raise JudgeError("a header would hold another one") from error
    if (found := _names_in(written)) != [name]:
        raise JudgeError(f"composing produced the headers {found}")
    return written


def _is_plain(line: str) -> bool:
    return len(line) <= _LONGEST_LINE and line.isascii() and line.isprintable()


def _names_in(head: bytes) -> list[str]:
    """Return the header names that a recipient's mail program will find."""
    found = []
    for line in head.splitlines():  # splits at a bare CR too, as some programs do
        name = _NAME_OF_HEADER.match(line)
        if name is not None:
            found.append(name[1].decode())
        elif not line.startswith((b" ", b"\t")):
            found.append("")
    return found


@lru_cache(1000)
def _shown(called: str, address: str, header: str) -> str:
    """Return an address with its display name, in quotes."""
    name = header_text(called).replace("\\", "").replace('"', "")
    if not name:
        return address
    shown = f'"{name}"' if name.isascii() else _encoded_words(name)
    is_long = len(f"{header}: ") + len(shown) + len(f" <{address}>") > _LONGEST_LINE
    return f"{shown}\r\n <{address}>" if is_long else f"{shown} <{address}>"


def _subject(text: str) -> str:
    """Return the subject as it is, or as encoded-words if folding would change it."""
    if text.isascii() and max(map(len, text.split()), default=0) < _LONGEST_WORD:
        return text
    return _encoded_words(text)


def _encoded_words(text: str) -> str:
    """Encode as folded encoded-words without splitting a character (RFC 2047)."""
    words = [b""]
    for character in map(str.encode, text):
        if len(words[-1]) + len(character) > _LONGEST_ENCODED:
            words.append(b"")
        words[-1] += character
    return "\r\n ".join(f"=?utf-8?b?{b2a_base64(word, newline=False).decode()}?=" for word in words)


def _body(letter: Outgoing, drawn: Mapping[str, bytes]) -> _Part:
    body = _text(letter.text, "plain")
    if letter.html is not None:
        body = _together(letter, "alternative", body, _illustrated(letter, letter.html, drawn))
    pictures = [picture for picture in letter.pictures if picture.filename and picture.cid in drawn]
    attachments = [Attachment(one.filename, *_typed(drawn[one.cid])) for one in pictures] + [*letter.attachments]
    if attachments:
        body = _together(letter, "mixed", body, *map(_attached, attachments))
    return body


def _illustrated(letter: Outgoing, html: str, drawn: Mapping[str, bytes]) -> _Part:
    """Return the HTML with its inline pictures (RFC 2387)."""
    there = [picture.cid for picture in letter.pictures if picture.cid in drawn and not picture.filename]
    for picture in letter.pictures:
        if picture.cid not in drawn:
            html = re.sub(rf'<img[^>]*"cid:{re.escape(picture.cid)}"[^>]*>', "", html)
    text = _text(html, "html")
    return _together(letter, "related", text, *(_inline(cid, drawn[cid]) for cid in there)) if there else text


@lru_cache(maxsize=8)
def _inline(cid: str, content: bytes) -> _Part:
    """Return a picture in the HTML; kept for the other letters that show it."""
    content_type, content = _typed(content)
    shown = _named("inline", f"{cid.partition('@')[0]}.{content_type[6:9]}")
    return _in_base64(content_type, content, ("Content-ID", f"<{cid}>"), ("Content-Disposition", shown))


def _typed(content: bytes) -> tuple[str, bytes]:
    """Return a picture with its content type."""
    kinds = ((b"GIF8", "image/gif"), (b"<svg", "image/svg+xml"), (b"", "image/png"))
    return next(kind for beginning, kind in kinds if content.startswith(beginning)), content


def _text(text: str, subtype: str) -> _Part:
    """Return a part with readable text, in base64 only if a line is too long."""
    flowed = subtype == "plain"
    if flowed:  # RFC 3676 §4.4: a line that begins like a quotation is shifted by a space
        text = _TO_BE_STUFFED.sub(" ", text)
    content = text.encode()
    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    is_long, is_ascii = max(map(len, lines)) > _LONGEST_BYTES, content.isascii()
    charset = "us-ascii" if is_ascii and not is_long else "utf-8"
    content_type = f'text/{subtype}; charset="{charset}"' + ('; format="flowed"; delsp="yes"' if flowed else "")
    if is_long:
        return _in_base64(content_type, b"\r\n".join(lines))
    return _Part(content_type, "7bit" if is_ascii else "8bit", b"\r\n".join(lines))


def in_seven_bits(content: bytes) -> bytes:
    """Recode a mail of ours for a server that accepts only seven bits (RFC 6152)."""
    message = BytesParser(policy=compat32).parsebytes(content)
    for part in message.walk():
        if part["Content-Transfer-Encoding"] == "8bit":
            del part["Content-Transfer-Encoding"]
            if not part.is_multipart():
                part.set_payload(part.get_payload(decode=True))
                encode_base64(part)
    return message.as_bytes(policy=_ON_THE_WIRE)


def _in_base64(content_type: str, content: bytes, *others: tuple[str, str]) -> _Part:
    encoded = b2a_base64(content, newline=False)
    lines = (encoded[at : at + _LONGEST_LINE] + b"\r\n" for at in range(0, len(encoded), _LONGEST_LINE))
    return _Part(content_type, "base64", b"".join(lines), others)


def _together(letter: Outgoing, subtype: str, *parts: _Part) -> _Part:
    boundary = f"=_{subtype}_{_token(letter)}"
    line = b"\r\n--" + boundary.encode()
    content = b"".join(line + b"\r\n" + part.written() for part in parts).removeprefix(b"\r\n") + line + b"--\r\n"
    is_eight_bit = any(part.encoding == "8bit" for part in parts)
    return _Part(f'multipart/{subtype};\r\n boundary="{boundary}"', "8bit" if is_eight_bit else "", content)


def _token(letter: Outgoing) -> str:
    """Return an unguessable token for boundaries: no writer can put them into the text."""
    return letter.message_id.strip("<>").partition("@")[0]


def _attached(attachment: Attachment) -> _Part:
    """Return an attached file; one that is mostly ASCII takes less room without base64."""
    named = ("Content-Disposition", _named("attachment", attachment.filename))
    quoted = b2a_qp(attachment.content, istext=False)  # breaks lines as the content does
    quoted = quoted.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    if len(quoted) > len(attachment.content) * 4 / 3:
        return _in_base64(attachment.content_type, attachment.content, named)
    return _Part(attachment.content_type, "quoted-printable", quoted, (named,))


def _named(disposition: str, filename: str) -> str:
    """Return a Content-Disposition with a file name (RFC 2183)."""
    if not filename.isascii():
        return f"{disposition}; filename*={encode_rfc2231(filename, 'utf-8')}"
    escaped = filename.replace("\\", "\\\\").replace('"', '\\"')
    named = f'filename="{escaped}"'
    is_long = len(f"Content-Disposition: {disposition}; {named}") > _LONGEST_LINE
    return f"{disposition};\r\n {named}" if is_long else f"{disposition}; {named}"
