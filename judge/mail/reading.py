"""Read the bytes of a mail into a `Letter`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from functools import cache

from inscriptis import get_text
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement

from judge.budget import Budget
from judge.mail.arrival import written_at
from judge.mail.attached_pictures import own_pictures
from judge.mail.authentication import bears_results, flaw_of, is_authenticated, names_us
from judge.mail.automatic import has_null_sender, is_bounce, why_automatic
from judge.mail.charsets import to_text
from judge.mail.headers import WARY, addresses, decoded, message_id_in, only_sender, thread_of
from judge.mail.large_files import Lightened, is_left_out, is_picture, lightened
from judge.mail.letters import Attachment, Letter, MailKind, RawMail
from judge.mail.own_words import OwnWords, Vocabulary, own_words
from judge.mail.patterns import pattern

_MAX_PARTS = 50
_MAX_DEPTH = 10
_MAX_HEADERS = 100
_MAX_TEXT, _MAX_ADOPTED = 64_000, 500_000
_MAX_HEAD = 65_536
"""Bytes that are read of a mail that is too big."""
_MAX_HEAD_LINES = 5000
_MAX_LINES_IN_ALL = 30_000
"""Lines of the whole mail: a million bytes of base64 have half as many."""
_MAX_HEADS = 500
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_HEAD_OF_A_PART = re.compile(rb"^content-type:", re.IGNORECASE | re.MULTILINE)
_MAX_LINES = 200
"""Lines of the sender's own words."""
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff\u00ad\x00-\x08\x0b\x0e-\x1f\x7f]")
_MOST_MARKS = 30
"""Marks on one letter; no language has more (UAX #15).

Normalizing a longer run takes quadratic time.
"""
_MAY_BE_MARKS = re.compile(rf"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f]){{{_MOST_MARKS + 1},}}")


@dataclass(frozen=True, slots=True)
class Answering:
    """What a mail answers."""

    reply_to: str | None
    """The Message-ID it replies to."""
    recipients: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MailReader:
    """Reads mails for one judge."""

    own_addresses: frozenset[str]
    """The judge's own addresses, lower case."""
    vocabulary: Vocabulary
    """Decides what may be an order."""
    authserv_id: str | None = None
    """The server whose Authentication-Results are trusted; None trusts no server."""
    aliases: frozenset[str] = frozenset()
    """Further addresses whose mail reaches the judge, lower case."""

    def read(
        self,
        raw: RawMail,
        sent_lines: Callable[[str], Sequence[str]] = lambda _: (),
        budget: Budget | None = None,
        vocabulary_for: Callable[[Answering], Vocabulary] | None = None,
        *,
        takes_adoptions: bool = True,
    ) -> Letter:
        """Read a mail; one that cannot be read becomes an unreadable letter, never an exception.

        `sent_lines` returns the text of the mail we sent under a Message-ID. If the budget runs out, the letter names
        the first of the sender's lines that was not read. `vocabulary_for` returns the vocabulary for a mail, if that
        depends on what it answers. With `takes_adoptions` the text of a game that is adopted is kept as it is.
        """
        try:
            light = lightened(raw.content)
            if light.is_too_big or _has_too_many_lines(light.content):
                return self._too_big(raw, BytesHeaderParser(policy=WARY).parsebytes(raw.content[:_MAX_HEAD]))
            reading = (raw, light, sent_lines, budget or Budget(), vocabulary_for)
            return self._read_message(*reading, takes_adoptions=takes_adoptions)
        except Exception:  # noqa: BLE001 - hostile mail makes the mail library raise anything
            return _unreadable("broken")

    def read_head(self, raw: RawMail) -> Letter:
        """Read only the head of a mail, to answer it unread.

        The letter has no sender if a robot wrote the mail, or none is named.
        """
        try:
            head = raw.content[:_MAX_HEAD].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
            message = BytesHeaderParser(policy=WARY).parsebytes(head + b"\n\n")
            return replace(self._too_big(raw, message), message_id=message_id_in(message.get("Message-ID")))
        except Exception:  # noqa: BLE001 - as above
            return _unreadable("broken")

    def sender_of(self, raw: RawMail, head: Message) -> str:
        """Return the claimed sender in the head of a mail.

        It is "" if a robot wrote the mail, or none is named.
        """
        if len(head) > _MAX_HEADERS:  # perhaps hostile
            return self.read_head(raw).sender
        try:
            _, address = only_sender(head) or ("", "")
            subject = decoded(head.get("Subject"))
            return "" if self._is_automatic(raw, head, address, subject) else address
        except Exception:  # noqa: BLE001 - as above
            return ""

    def _is_automatic(self, raw: RawMail, message: Message, sender: str, subject: str) -> bool:
        return bool(why_automatic(message, sender, subject, raw.envelope_from, self.own_addresses))

    def _read_message(
        self,
        raw: RawMail,
        light: Lightened,
        sent_lines: Callable[[str], Sequence[str]],
        budget: Budget,
        vocabulary_for: Callable[[Answering], Vocabulary] | None,
        *,
        takes_adoptions: bool,
    ) -> Letter:
        message = BytesParser(policy=WARY).parsebytes(light.content)
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
        answering = Answering(reply_to, tuple(recipients))
        vocabulary = self.vocabulary if vocabulary_for is None else vocabulary_for(answering)
        text, unread = _text_of(message, vocabulary, budget)
        files = tuple(_files(message))
        if "{" in text.said:
            said, files = _with_what_is_pasted(text.said, files)
            text = replace(text, said=said)
        sent = sent_lines(reply_to) if reply_to else ()
        said, adopted = _parted(text.said) if takes_adoptions else (text.said, "")
        own = own_words(said, vocabulary, sent, budget) if len(said) <= _MAX_TEXT else OwnWords("")
        if len(said) > _MAX_TEXT or own.text.count("\n") >= _MAX_LINES or len(adopted) > _MAX_ADOPTED:
            return _unreadable("too-long", message, sender=address, subject=subject)
        pictures = _own_pictures(message, vocabulary, sent, budget)
        return Letter(
            kind=kind,
            sender=address,
            sender_name=name,
            subject=subject,
            message_id=message_id_in(message.get("Message-ID")),
            in_reply_to=reply_to,
            recipients=tuple(recipient.lower() for recipient in recipients),
            addressed=addresses(message, "To", "Cc"),
            text=text.said,
            own_text="\n".join(filter(None, (own.text, adopted))),
            is_verbatim=bool(adopted),
            first_unread=own.unread or text.unread,
            set_aside=own.set_aside,
            references=thread_of(message),
            unread_parts=unread,
            files=files,
            pictures=tuple(_attachment(part, light) for part in pictures if not is_left_out(part)),
            left_out=tuple(_name_of(part) for part in pictures if is_left_out(part)),
            has_null_sender=has_null_sender(message, raw.envelope_from),
            authenticated=self._is_authenticated(message, address, raw),
            is_stamped=self.authserv_id is not None and bears_results(message, self.authserv_id),
            names_us=names_us(message, self._names),
            flaw=flaw_of(message, self._names),
            written_at=written_at(message),
        )

    def _too_big(self, raw: RawMail, message: Message) -> Letter:
        """Return an unreadable letter; its sender is told, unless it is a robot."""
        _, address = only_sender(message) or ("", "")
        subject = decoded(message.get("Subject"))
        is_robot = self._is_automatic(raw, message, address, subject)
        return _unreadable("too-big", message, sender="" if is_robot else address, subject=subject)

    def _is_authenticated(self, message: Message, sender: str, raw: RawMail) -> bool:
        if self.authserv_id is None or not sender:
            return False
        return is_authenticated(message, sender, raw.envelope_from, self.authserv_id, self._names)

    @property
    def _names(self) -> frozenset[str]:
        """All addresses of the judge."""
        return self.own_addresses | self.aliases


def _unreadable(defect: str, head: Message | None = None, *, sender: str = "", subject: str = "") -> Letter:
    letter = Letter(MailKind.UNREADABLE, sender, "", subject, None, None, (), "", "", defect=defect)
    if head is None:
        return letter
    return replace(letter, message_id=message_id_in(head.get("Message-ID")), references=thread_of(head))


def _has_too_many_lines(content: bytes) -> bool:
    """Whether lines or part headers are so many that parsing alone would take too long."""
    end = _END_OF_HEAD.search(content)
    head = content[: end.start()] if end else content
    if max(content.count(b"\n"), content.count(b"\r")) > _MAX_LINES_IN_ALL:
        return True
    return head.count(b"\n") > _MAX_HEAD_LINES or len(_HEAD_OF_A_PART.findall(content)) > _MAX_HEADS


def _too_many_parts(message: Message) -> bool:
    def depth(part: Message, level: int) -> int:
        if level > _MAX_DEPTH or not part.is_multipart():
            return level
        return max((depth(sub, level + 1) for sub in part.get_payload() if isinstance(sub, Message)), default=level)

    return sum(1 for _ in message.walk()) > _MAX_PARTS or depth(message, 0) > _MAX_DEPTH


def _files(message: Message) -> Iterator[Attachment]:
    """Yield the attached JSON files."""
    for part in message.walk():
        content = part.get_payload(decode=True) if part.get_content_type() == "application/json" else None
        if isinstance(content, bytes):
            yield Attachment(part.get_filename() or "", "application/json", content)


def _name_of(part: Message) -> str:
    return decoded(part.get_filename()) or part.get_content_type()


def _attachment(part: Message, light: Lightened) -> Attachment:
    return Attachment(_name_of(part), part.get_content_type(), light.body_of(part))


def _own_pictures(message: Message, vocabulary: Vocabulary, sent: Sequence[str], budget: Budget) -> tuple[Message, ...]:
    def as_text(html: str) -> tuple[str, str]:
        begun, _ = _html_within(html, budget, 0)
        text = _from_html(begun)
        return text, own_words(text, vocabulary, sent, budget).text if len(text) <= _MAX_TEXT else ""

    leaves = list(_leaves(message))
    html = [_content(part) for part in leaves if part.get_content_type() == "text/html"]
    return own_pictures(leaves, html, as_text)


def _with_what_is_pasted(text: str, files: tuple[Attachment, ...]) -> tuple[str, tuple[Attachment, ...]]:
    """Move a pasted JSON part from the text to the attached files."""
    from judge.mail.pasted import without_pasted  # noqa: PLC0415 - mail with orders has none

    rest, pasted = without_pasted(text)
    return rest, files if pasted is None else (*files, pasted)


def _parted(text: str) -> tuple[str, str]:
    """Split off the text of a game that is adopted."""
    if pattern("adopts").search(text) is None:
        return text, ""
    from judge.mail.adopted import parted  # noqa: PLC0415 - mail with orders has none

    return parted(text)


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of a mail or of a part of it."""

    said: str
    unread: str = ""
    """The first line that was too much work to read."""


def _text_of(message: Message, vocabulary: Vocabulary, budget: Budget) -> tuple[_Text, tuple[str, ...]]:
    """Return the text of a mail, and the names of unread parts."""
    plain: list[str] = []
    html: list[str] = []
    unread: list[str] = []
    for part in _leaves(message):
        kind = part.get_content_type()
        if kind == "text/plain" and not part.get_filename():
            plain.append(_plain(part))
        elif kind == "text/html" and not part.get_filename():
            html.append(_content(part))
        elif not is_picture(part):
            unread.append(_name_of(part))

    text = _Text("\n".join(plain))
    if html:
        text = _likelier(text, html, vocabulary, budget)
    return text, tuple(unread)


def _likelier(text: _Text, html: Sequence[str], vocabulary: Vocabulary, budget: Budget) -> _Text:
    """Return the plain text, unless it is empty or only the HTML parts contain requests."""
    is_empty = not text.said.strip()
    least = 0 if is_empty else budget.left // _OF_TWO_TEXTS

    def asks(said: str) -> bool:
        return any(budget.left > least and vocabulary.may_ask(line, budget) for line in said.splitlines())

    rich = _rich_text(html, budget, least)
    if is_empty:
        return rich
    if rich.unread or len(rich.said) > _MAX_TEXT or not asks(rich.said):
        return text
    # Plain text does not show what is struck out.
    return rich if any(map(_STRIKES.search, html)) or not asks(text.said) else text


def _rich_text(parts: Sequence[str], budget: Budget, least: int) -> _Text:
    """Convert HTML parts to text, as long as `least` of the budget is left."""
    read: list[str] = []
    for place, html in enumerate(parts):
        begun, rest = _html_within(html, budget, least)
        read.append(_from_html(begun))
        if rest:
            left = _TAG.sub("\n", "\n".join([rest, *parts[place + 1 :]])[:_LONGEST_REST]).split("\n")
            return _Text("\n".join(read), next(filter(None, map(str.strip, left)), "…"))
    return _Text("\n".join(read))


def _html_within(html: str, budget: Budget, least: int) -> tuple[str, str]:
    """Split HTML into the elements within the budget, which are charged, and the rest."""
    budget.charge(len(html) // _HTML_LETTERS_A_UNIT)
    for tag in _TAG_BEGINS.finditer(html):
        if budget.left <= least:
            return html[: tag.start()], html[tag.start() :]
        budget.charge(_UNITS_OF_A_TAG if tag["cell"] is None else _UNITS_OF_A_CELL)
    return html, ""


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
    if str(part.get_param("format", "")).lower() == "flowed":
        text = _unflowed(text, delsp=str(part.get_param("delsp", "")).lower() == "yes")
    return _readable(text)


def _readable(text: str) -> str:
    """Return text with plain line ends and blanks.

    Invisible characters and endless runs of marks are removed.
    """
    text = _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " "))
    return text if text.isascii() else _MAY_BE_MARKS.sub(_without_surplus_marks, text)


def _without_surplus_marks(run: re.Match[str]) -> str:
    kept: list[str] = []
    marks = 0
    for character in run[0]:
        marks = marks + 1 if unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) else 0
        kept.append(character if marks <= _MOST_MARKS else "")
    return "".join(kept)


def _unflowed(text: str, *, delsp: bool) -> str:
    """Undo format=flowed (RFC 3676): a line that ends in a space continues in the next."""
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


_OF_TWO_TEXTS = 2
"""Divisor: comparing the two texts leaves one half of the budget for reading."""
_HTML_LETTERS_A_UNIT = 30
_UNITS_OF_A_TAG, _UNITS_OF_A_CELL = 5, 25
_TAG_BEGINS = re.compile(r"<(?P<cell>(?:t[dhr]|li)\b)?", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>?")
_LONGEST_REST = 5000
_SPACING = re.compile(r"\b(?:margin-(?:top|bottom)|padding-left)(?=\s*:)", re.IGNORECASE)
"""Styles that produce any number of empty lines and spaces."""
_STRUCK_OUT = HtmlElement(display=Display.none)
_HTML = ParserConfig(css=CSS_PROFILES["strict"] | dict.fromkeys(("s", "strike", "del"), _STRUCK_OUT))
_STRIKES = re.compile(r"<(?:s|strike|del)\b|<\w+\b[^<>]{0,300}?\bline-through\b", re.IGNORECASE)
_NOT_SAID = re.compile(
    r"""<(?:(?P<quotation>blockquote)\b
    |(?P<yahoo>div)\b[^<>]{0,200}?\b(?:class|id)=["'][^"'<>]{0,100}\byahoo_quoted\b
    |(?P<struck>span|font|p|div|b|i|u|a|td|li)\b[^<>]{0,300}?\bline-through\b)""",
    re.IGNORECASE | re.VERBOSE,
)
"""Begins an element that is quoted or struck out."""


_ENDLESS_TAG = re.compile(r"<(/?[a-z]\w*)\s[^<>]{10000,}>", re.IGNORECASE)
"""Tens of thousands of attributes keep the parser busy for many seconds."""


def _from_html(html: str) -> str:
    """Convert an HTML part to text; block elements become lines.

    Quoted and struck out text is left out.
    """
    text = get_text(_SPACING.sub("x", _without_unsaid(_ENDLESS_TAG.sub(r"<\1>", html))), _HTML)
    return _readable("\n".join(line.strip() for line in text.splitlines()))


def _without_unsaid(html: str) -> str:
    kept: list[str] = []
    start = 0
    while (begin := _NOT_SAID.search(html, start)) is not None:
        kept += [html[start : begin.start()], "" if begin["struck"] else "<br>"]
        start = _end_of(html, begin.start(), str(begin[begin.lastgroup or 0]).lower())
    return "".join([*kept, html[start:]])


def _end_of(html: str, begin: int, name: str) -> int:
    """Return the position after the element's end tag, else the text's end."""
    depth = 0
    for tag in _tags(name).finditer(html, begin):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.end()
    return len(html)


@cache
def _tags(name: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?){name}\b[^<>]*>", re.IGNORECASE)
