"""Headers: read untrusted ones safely, write clean ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from email.header import Header, decode_header
from email.message import Message
from email.policy import Compat32
from email.utils import getaddresses

from judge.mail.charsets import to_text

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}"
_HOST = r"[A-Za-z0-9._-]{1,255}"
_ADDRESS = re.compile(rf"{_ATOM}@{_HOST}")
_MAILBOX = re.compile(
    rf"""(?:(?P<name>(?:"(?:[^"\\]|\\.)*"|\([^()<>@]*\)|[^"<>@(),;:\\\[\]])*)<\s*(?P<address>"?{_ATOM}"?@{_HOST})\s*>
    |(?P<bare>"?{_ATOM}"?@{_HOST}))\s*(?:\([^()<>@]*\)\s*)?""",
    re.VERBOSE,
)
"""`"Name" <address>` or the address alone; a comment may be in the name or follow."""
_LONGEST = 4000
_LONGEST_CHAIN = 20_000
_MOST_REFERENCES = 20
_LONGEST_PARAMETERS = 2000
_MOST_PARAMETERS = 60
_LONGEST_HEADER = 20_000
"""Characters: more than any recipients, references or signatures need; the rest is not read."""
_MOST_LINES = 400
"""Lines of one folded header."""
_JAPANESE = re.compile("\x1b\\$[@B][^\x1b]*\x1b\\([BJ]")
"""Unencoded ISO-2022-JP in a name: its bytes look like brackets and commas."""
_MESSAGE_ID = re.compile(r"<[^<>\s]{3,250}>")
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Invisible categories of Unicode: controls, format characters, surrogates, line ends."""


_TURNING = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Marks of direction, embeddings, overrides and isolates (UAX #9)."""


class BoundedHeaders(Compat32):
    """The compat32 policy, reading only as much of each header as can be parsed quickly.

    For each quotation mark, the library searches for the end of a parameter from the beginning of the header: a header
    with a million semicolons takes a minute.
    """

    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        """Return name and value of a header unchanged, but cut off at the limits."""
        name, value = super().header_source_parse([line[:_LONGEST_HEADER] for line in sourcelines[:_MOST_LINES]])
        if name.lower().startswith("content-"):
            pieces = value[:_LONGEST_PARAMETERS].split(";", _MOST_PARAMETERS)
            return name, ";".join(pieces[:_MOST_PARAMETERS])
        return name, value[:_LONGEST_HEADER]


WARY = BoundedHeaders()
"""The policy for parsing foreign mail."""


def decoded(value: object) -> str:
    """Decode a header; return it unchanged if that is not possible."""
    try:
        # Only the Header object, not its text, still has its 8-bit characters.
        parts = decode_header(value if isinstance(value, Header) else str(value or "")[:_LONGEST])
    except Exception:  # noqa: BLE001 - the library raises many kinds on hostile input
        return header_text(str(value)[:_LONGEST])
    return header_text("".join(_word(part, charset) for part, charset in parts))


def _word(part: str | bytes, charset: str | None) -> str:
    if isinstance(part, str):
        # Old phones write unencoded ISO-2022-JP into headers.
        return to_text(part.encode("ascii", "replace"), None) if "\x1b" in part else part
    return to_text(part, charset)


def header_text(foreign: str) -> str:
    r"""Make foreign text safe for a header: one line, no control characters, no encoded-words.

    >>> header_text("=?utf-8?q?x=0ABcc=3A_evil=40x?=\nBcc: evil@x")
    '= ?utf-8?q?x=0ABcc=3A_evil=40x?= Bcc: evil@x'
    """
    visible = foreign
    if not foreign.isprintable():  # only then is every character checked
        visible = "".join(" " if unicodedata.category(c) in _UNSEEN else c for c in foreign)
    # Removing words could create a new one: "=?=?utf-8?q?utf-8?q?".
    return " ".join(visible.replace("=?", "= ?").split())[:250].rstrip()


def body_text(foreign: str) -> str:
    r"""Make foreign text safe for a letter.

    Control characters and marks that change the writing direction are removed. Joining characters stay, because some
    scripts and emoji need them.

    >>> body_text("A PAR\u202e - BUR\x1b[2J\n\u2067ok")
    'A PAR - BUR[2J\nok'
    """
    if all(map(str.isprintable, foreign.split("\n"))):
        return foreign
    return "".join(filter(_is_seen, foreign))


def _is_seen(character: str) -> bool:
    return character in "\n\t" or (ord(character) not in _TURNING and unicodedata.category(character) != "Cc")


def addresses(message: Message, *names: str) -> tuple[str, ...]:
    """Return all addresses in these headers, lower case, in order."""
    values = [_JAPANESE.sub("", str(value)) for name in names for value in message.get_all(name, [])]
    try:
        found = [address.strip().lower() for _, address in getaddresses(values)]
    except RecursionError:  # from thousands of brackets
        found = []
    return tuple(dict.fromkeys(address for address in found if is_address(address)))


def is_address(text: str) -> bool:
    """Whether the text is one plain address."""
    return _ADDRESS.fullmatch(text) is not None and "=?" not in text


def only_sender(message: Message) -> tuple[str, str] | None:
    """Return name and address of the sender; None unless the From header names exactly one."""
    values = message.get_all("From", [])
    if len(values) != 1:
        return None
    # Not parseaddr: for "alice@players.test)<mallory@evil.test>" it returns alice.
    match = _MAILBOX.fullmatch(str(values[0]).strip()[:_LONGEST])
    if match is None:
        return None
    # Some phones have addresses with dots that are only valid in quotes: "a..b."@docomo.ne.jp
    address = (match["address"] or match["bare"]).replace('"', "").lower()
    return (_name_in(values[0]), address) if is_address(address) else None


def _name_in(value: object) -> str:
    """Return the display name in a valid From header."""
    shown = decoded(value)
    name = shown.rpartition("<")[0].strip() if "<" in shown else shown.partition("(")[2].removesuffix(")")
    return name.removeprefix('"').removesuffix('"').replace('\\"', '"').strip()


def thread_of(message: Message) -> tuple[str, ...]:
    """Return the Message-IDs of the thread above a mail, oldest first.

    They come from References, else from In-Reply-To (RFC 5322 3.6.4). Of a very long chain, the first and the last ones
    are kept.
    """
    ids = _MESSAGE_ID.findall(str(message.get("References") or "")[:_LONGEST_CHAIN])
    if not ids:
        answered = _MESSAGE_ID.findall(str(message.get("In-Reply-To") or "")[:_LONGEST])
        ids = answered if len(answered) == 1 else []
    ids = list(dict.fromkeys(one for one in ids if one.isascii() and one.isprintable() and "=?" not in one))
    return tuple(ids if len(ids) <= _MOST_REFERENCES else [ids[0], *ids[1 - _MOST_REFERENCES :]])


def message_id_in(value: object) -> str | None:
    """Return the first Message-ID in a header's value."""
    match = _MESSAGE_ID.search(str(value or ""))
    return match[0] if match else None
