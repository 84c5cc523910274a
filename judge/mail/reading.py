"""From the bytes of a mail to a letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from functools import cache

import authres
from inscriptis import get_text
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement

from judge.mail.automatic import has_null_sender, is_bounce, why_automatic
from judge.mail.charsets import to_text
from judge.mail.headers import WARY, addresses, decoded, message_id_in, only_sender, thread_of
from judge.mail.letters import Attachment, Letter, MailKind, RawMail
from judge.mail.own_words import OwnWords, Vocabulary, own_words

MAX_SIZE = 1_000_000
_MAX_PARTS = 50
_MAX_DEPTH = 10
_MAX_HEADERS = 100
_MAX_TEXT = 64_000
_MAX_HEAD = 65_536
"""What is looked at of a mail that is too big."""
_MAX_HEAD_LINES = 5000
_MAX_HEADS = 500
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_HEAD_OF_A_PART = re.compile(rb"^content-type:", re.IGNORECASE | re.MULTILINE)
_MAX_LINES = 200
"""Of the sender's own words."""
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff\u00ad\x00-\x08\x0b\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class MailReader:
    """Reads mails for one judge."""

    own_addresses: frozenset[str]
    """The judge's own, lower case."""
    vocabulary: Vocabulary
    """What may be an order."""
    authserv_id: str | None = None
    """Whose Authentication-Results can be trusted; None trusts nobody."""

    def read(self, raw: RawMail, sent_lines: Callable[[str], Sequence[str]] = lambda _: ()) -> Letter:
        """Read a mail; what cannot be read is an unreadable letter, never an exception.

        `sent_lines` gives the text of the mail we sent under a Message-ID.
        """
        try:
            if len(raw.content) > MAX_SIZE or _has_too_many_heads(raw.content):
                return self._too_big(raw, BytesHeaderParser(policy=WARY).parsebytes(raw.content[:_MAX_HEAD]))
            message = BytesParser(policy=WARY).parsebytes(raw.content)
            return self._read_message(raw, message, sent_lines)
        except Exception:  # noqa: BLE001 - hostile mail makes the mail library raise anything
            return _unreadable("broken")

    def read_head(self, raw: RawMail) -> Letter:
        """What the head of a mail tells whoever has to answer it unread; no sender if a robot or nobody wrote it."""
        try:
            head = raw.content[:_MAX_HEAD].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
            message = BytesHeaderParser(policy=WARY).parsebytes(head + b"\n\n")
            return replace(self._too_big(raw, message), message_id=message_id_in(message.get("Message-ID")))
        except Exception:  # noqa: BLE001 - as above
            return _unreadable("broken")

    def sender_of(self, raw: RawMail, head: Message) -> str:
        """Who says that he wrote a mail, by its head; "" if a robot or nobody did."""
        if len(head) > _MAX_HEADERS:  # hostile perhaps
            return self.read_head(raw).sender
        try:
            _, address = only_sender(head) or ("", "")
            subject = decoded(head.get("Subject"))
            return "" if self._is_automatic(raw, head, address, subject) else address
        except Exception:  # noqa: BLE001 - as above
            return ""

    def _is_automatic(self, raw: RawMail, message: Message, sender: str, subject: str) -> bool:
        return bool(why_automatic(message, sender, subject, raw.envelope_from, self.own_addresses))

    def _read_message(self, raw: RawMail, message: Message, sent_lines: Callable[[str], Sequence[str]]) -> Letter:
        if len(message) > _MAX_HEADERS or _too_many_parts(message):
            return self._too_big(raw, message)
        sender = only_sender(message)
        subject = decoded(message.get("Subject"))
        reply_to = message_id_in(message.get("In-Reply-To"))
        name, address = sender or ("", "")
        recipients = raw.envelope_to or addresses(message, "Delivered-To", "X-Original-To", "To", "Cc")
        if self._is_automatic(raw, message, address, subject):
            kind = MailKind.BOUNCE if is_bounce(message) else MailKind.AUTOMATIC
        elif sender is None:
            return _unreadable("no-single-sender", message, subject=subject)
        else:
            kind = MailKind.PERSON
        text, unread = _text_of(message, self.vocabulary)
        files = tuple(_files(message))
        if "{" in text:
            text, files = _with_what_is_pasted(text, files)
        sent = sent_lines(reply_to) if reply_to else ()
        own = own_words(text, self.vocabulary, sent) if len(text) <= _MAX_TEXT else OwnWords(text)
        if len(text) > _MAX_TEXT or own.text.count("\n") >= _MAX_LINES:
            return _unreadable("too-long", message, sender=address, subject=subject)
        return Letter(
            kind=kind,
            sender=address,
            sender_name=name,
            subject=subject,
            message_id=message_id_in(message.get("Message-ID")),
            in_reply_to=reply_to,
            recipients=tuple(recipient.lower() for recipient in recipients),
            text=text,
            own_text=own.text,
            set_aside=own.set_aside,
            references=thread_of(message),
            unread_parts=unread,
            files=files,
            has_null_sender=has_null_sender(message, raw.envelope_from),
            authenticated=bool(address) and self._is_authenticated(message, address),
        )

    def _too_big(self, raw: RawMail, message: Message) -> Letter:
        """A mail that is not read; its head says who has to be told, if that is no robot."""
        _, address = only_sender(message) or ("", "")
        subject = decoded(message.get("Subject"))
        is_robot = self._is_automatic(raw, message, address, subject)
        return _unreadable("too-big", message, sender="" if is_robot else address, subject=subject)

    def _is_authenticated(self, message: Message, sender: str) -> bool:
        """A pass of our own server, in the topmost header it could have written, aligned with From."""
        found = message.get_all("Authentication-Results", [])
        if self.authserv_id is None or not found:
            return False
        try:
            results = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {found[0]}")
        except authres.AuthResError:
            return False
        if str(results.authserv_id).lower() != self.authserv_id.lower():
            return False
        domain = sender.rsplit("@", 1)[1]
        return any(_proves(result, domain) for result in results.results)


def _proves(result: authres.AuthenticationResult, domain: str) -> bool:
    """A pass that binds the From header; SPF alone binds the envelope only."""
    if result.result != "pass":
        return False
    properties = {f"{p.type}.{p.name}": str(p.value).lower() for p in result.properties}
    if result.method == "dmarc":
        return properties.get("header.from") == domain
    if result.method == "dkim":
        signer = properties.get("header.d") or properties.get("header.i", "").rpartition("@")[2]
        # A whole top-level domain vouches for nobody.
        return "." in signer and (domain == signer or domain.endswith(f".{signer}"))
    return False


def _unreadable(defect: str, head: Message | None = None, *, sender: str = "", subject: str = "") -> Letter:
    letter = Letter(MailKind.UNREADABLE, sender, "", subject, None, None, (), "", "", defect=defect)
    if head is None:
        return letter
    return replace(letter, message_id=message_id_in(head.get("Message-ID")), references=thread_of(head))


def _has_too_many_heads(content: bytes) -> bool:
    """What would keep the parser busy before anything is known of it: a head of many lines, or a head in every line."""
    end = _END_OF_HEAD.search(content)
    head = content[: end.start()] if end else content
    return head.count(b"\n") > _MAX_HEAD_LINES or len(_HEAD_OF_A_PART.findall(content)) > _MAX_HEADS


def _too_many_parts(message: Message) -> bool:
    def depth(part: Message, level: int) -> int:
        if level > _MAX_DEPTH or not part.is_multipart():
            return level
        return max((depth(sub, level + 1) for sub in part.get_payload() if isinstance(sub, Message)), default=level)

    return sum(1 for _ in message.walk()) > _MAX_PARTS or depth(message, 0) > _MAX_DEPTH


def _files(message: Message) -> Iterator[Attachment]:
    """Attached JSON files."""
    for part in message.walk():
        content = part.get_payload(decode=True) if part.get_content_type() == "application/json" else None
        if isinstance(content, bytes):
            yield Attachment(part.get_filename() or "", "application/json", content)


def _with_what_is_pasted(text: str, files: tuple[Attachment, ...]) -> tuple[str, tuple[Attachment, ...]]:
    """A machine part that stands in the text counts as a file, behind those that are attached."""
    from judge.mail.pasted import without_pasted  # noqa: PLC0415 - mail with orders has none

    rest, pasted = without_pasted(text)
    return rest, files if pasted is None else (*files, pasted)


def _text_of(message: Message, vocabulary: Vocabulary) -> tuple[str, tuple[str, ...]]:
    """The text of a mail and the names of the parts that were not read."""
    plain: list[str] = []
    html: list[str] = []
    unread: list[str] = []
    for part in _leaves(message):
        kind = part.get_content_type()
        if kind == "text/plain" and not part.get_filename():
            plain.append(_plain(part))
        elif kind == "text/html" and not part.get_filename():
            html.append(_content(part))
        elif not kind.startswith("image/"):
            unread.append(decoded(part.get_filename()) or kind)

    def asks(text: str) -> bool:
        return any(map(vocabulary.may_ask, text.splitlines()))

    text = "\n".join(plain)
    rich = "\n".join(map(_from_html, html))
    # What is struck out cannot be seen in plain text.
    if not text.strip() or (asks(rich) and (any(map(_STRIKES.search, html)) or not asks(text))):
        text = rich
    return _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")), tuple(unread)


def _leaves(message: Message) -> Iterator[Message]:
    if message.get_content_type() == "message/rfc822" or message.get_content_disposition() == "attachment":
        yield message
    elif message.is_multipart():
        for part in message.get_payload():
            if isinstance(part, Message):
                yield from _leaves(part)
    else:
        yield message


def _content(part: Message) -> str:
    payload = part.get_payload(decode=True)
    return to_text(payload if isinstance(payload, bytes) else b"", part.get_content_charset())


def _plain(part: Message) -> str:
    text = _content(part)
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    return _unflowed(text, delsp=str(part.get_param("delsp", "")).lower() == "yes")


def _unflowed(text: str, *, delsp: bool) -> str:
    """Undo format=flowed (RFC 3676): a line that ends in a blank goes on in the next."""
    lines: list[str] = []
    open_ = False
    for line in text.splitlines():
        content = line.removeprefix(" ")
        joins = open_ and content != "-- " and not content.startswith(">")
        if joins:
            lines[-1] += content
        else:
            lines.append(content)
        open_ = content.endswith(" ") and content != "-- " and not content.startswith(">")
        if open_ and delsp:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)


_STRUCK_OUT = HtmlElement(display=Display.none)
_HTML = ParserConfig(css=CSS_PROFILES["strict"] | dict.fromkeys(("s", "strike", "del"), _STRUCK_OUT))
_STRIKES = re.compile(r"<(?:s|strike|del)\b|<\w+\b[^<>]{0,300}?\bline-through\b", re.IGNORECASE)
_NOT_SAID = re.compile(
    r"""<(?:(?P<quotation>blockquote)\b
    |(?P<yahoo>div)\b[^<>]{0,200}?\b(?:class|id)=["'][^"'<>]{0,100}\byahoo_quoted\b
    |(?P<struck>span|font|p|div|b|i|u|a|td|li)\b[^<>]{0,300}?\bline-through\b)""",
    re.IGNORECASE | re.VERBOSE,
)
"""Begins an element that is a quotation or struck out."""


_ENDLESS_TAG = re.compile(r"<(/?[a-z]\w*)\s[^<>]{10000,}>", re.IGNORECASE)
"""Tens of thousands of attributes keep the parser busy for many seconds."""


def _from_html(html: str) -> str:
    """The text of an HTML part without what is quoted or struck out; block elements become lines."""
    text = get_text(_without_unsaid(_ENDLESS_TAG.sub(r"<\1>", html)), _HTML)
    return "\n".join(line.strip() for line in text.splitlines())


def _without_unsaid(html: str) -> str:
    kept: list[str] = []
    start = 0
    while (begin := _NOT_SAID.search(html, start)) is not None:
        kept += [html[start : begin.start()], "" if begin["struck"] else "<br>"]
        start = _end_of(html, begin.start(), str(begin[begin.lastgroup or 0]).lower())
    return "".join([*kept, html[start:]])


def _end_of(html: str, begin: int, name: str) -> int:
    """Behind the end tag of the element that begins there; the end of all where it has none."""
    depth = 0
    for tag in _tags(name).finditer(html, begin):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.end()
    return len(html)


@cache
def _tags(name: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?){name}\b[^<>]*>", re.IGNORECASE)
