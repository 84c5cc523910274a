"""Headers: reading them warily, writing them safely."""

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
"""`"Name" <address>` or the address alone; a comment may stand in the name or behind."""
_LONGEST = 4000
_LONGEST_CHAIN = 20_000
_MOST_REFERENCES = 20
_LONGEST_PARAMETERS = 2000
_MOST_PARAMETERS = 60
_LONGEST_HEADER = 20_000
"""Characters: more than any recipients, references or signatures need; what is beyond is not read."""
_MOST_LINES = 400
"""Of one header that is folded."""
_JAPANESE = re.compile("\x1b\\$[@B][^\x1b]*\x1b\\([BJ]")
"""ISO-2022-JP as it is, in a name: its bytes look like brackets and commas."""
_MESSAGE_ID = re.compile(r"<[^<>\s]{3,250}>")
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of Unicode that show nothing: controls, format characters, halves of characters, line ends."""


_TURNING = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Marks of direction, embeddings, overrides and isolates (UAX #9)."""


class BoundedHeaders(Compat32):
    """The headers of old, but only so much of each that nothing we or the library do with it takes long.

    The library looks for the end of a parameter from the beginning of the header each time, for every quotation mark
    again: a header of a million semicolons costs it a minute.
    """

    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        """The name and the value of a header, as they came, up to what is too much."""
        name, value = super().header_source_parse([line[:_LONGEST_HEADER] for line in sourcelines[:_MOST_LINES]])
        if name.lower().startswith("content-"):
            pieces = value[:_LONGEST_PARAMETERS].split(";", _MOST_PARAMETERS)
            return name, ";".join(pieces[:_MOST_PARAMETERS])
        return name, value[:_LONGEST_HEADER]


WARY = BoundedHeaders()
"""How foreign mail is parsed."""


def decoded(value: object) -> str:
    """A header's text; what cannot be decoded is shown as it came."""
    try:
        # The header itself, not its text, still has its 8-bit characters.
        parts = decode_header(value if isinstance(value, Header) else str(value or "")[:_LONGEST])
    except Exception:  # noqa: BLE001 - the library raises many kinds on hostile input
        return header_text(str(value)[:_LONGEST])
    return header_text("".join(_word(part, charset) for part, charset in parts))


def _word(part: str | bytes, charset: str | None) -> str:
    if isinstance(part, str):
        # Old phones write ISO-2022-JP into a header as it is.
        return to_text(part.encode("ascii", "replace"), None) if "\x1b" in part else part
    return to_text(part, charset)


def header_text(foreign: str) -> str:
    r"""Foreign text made fit for a header: one line, no control characters, no encoded-words.

    >>> header_text("=?utf-8?q?x=0ABcc=3A_evil=40x?=\nBcc: evil@x")
    '= ?utf-8?q?x=0ABcc=3A_evil=40x?= Bcc: evil@x'
    """
    visible = foreign
    if not foreign.isprintable():  # then every character is looked at
        visible = "".join(" " if unicodedata.category(c) in _UNSEEN else c for c in foreign)
    # Taking words out could leave a new one behind: "=?=?utf-8?q?utf-8?q?".
    return " ".join(visible.replace("=?", "= ?").split())[:250].rstrip()


def body_text(foreign: str) -> str:
    r"""Foreign text made fit to stand in a letter: no controls, nothing that turns the direction of writing.

    What joins characters stays: letters and pictures of several are written with it.

    >>> body_text("A PAR\u202e - BUR\x1b[2J\n\u2067ok")
    'A PAR - BUR[2J\nok'
    """
    if all(map(str.isprintable, foreign.split("\n"))):
        return foreign
    return "".join(filter(_is_seen, foreign))


def _is_seen(character: str) -> bool:
    return character in "\n\t" or (ord(character) not in _TURNING and unicodedata.category(character) != "Cc")


def addresses(message: Message, *names: str) -> tuple[str, ...]:
    """All addresses in these headers, lower case, in order."""
    values = [_JAPANESE.sub("", str(value)) for name in names for value in message.get_all(name, [])]
    try:
        found = [address.strip().lower() for _, address in getaddresses(values)]
    except RecursionError:  # of thousands of brackets
        found = []
    return tuple(dict.fromkeys(address for address in found if is_address(address)))


def is_address(text: str) -> bool:
    """Whether the text is one plain address."""
    return _ADDRESS.fullmatch(text) is not None and "=?" not in text


def only_sender(message: Message) -> tuple[str, str] | None:
    """Name and address of the one sender; None if the From header leaves any doubt."""
    values = message.get_all("From", [])
    if len(values) != 1:
        return None
    # Not parseaddr: of "alice@players.test)<mallory@evil.test>" it says alice.
    match = _MAILBOX.fullmatch(str(values[0]).strip()[:_LONGEST])
    if match is None:
        return None
    # Some phones have dots in their address where only quotes allow them: "a..b."@docomo.ne.jp
    address = (match["address"] or match["bare"]).replace('"', "").lower()
    return (_name_in(values[0]), address) if is_address(address) else None


def _name_in(value: object) -> str:
    """The name in a From header that was found to be in order."""
    shown = decoded(value)
    name = shown.rpartition("<")[0].strip() if "<" in shown else shown.partition("(")[2].removesuffix(")")
    return name.removeprefix('"').removesuffix('"').replace('\\"', '"').strip()


def thread_of(message: Message) -> tuple[str, ...]:
    """The mails that one stands below, the oldest first: its References, else what it answers (RFC 5322 3.6.4).

    Of an endless chain the beginning and the end are kept.
    """
    ids = _MESSAGE_ID.findall(str(message.get("References") or "")[:_LONGEST_CHAIN])
    if not ids:
        answered = _MESSAGE_ID.findall(str(message.get("In-Reply-To") or "")[:_LONGEST])
        ids = answered if len(answered) == 1 else []
    ids = list(dict.fromkeys(one for one in ids if one.isascii() and one.isprintable() and "=?" not in one))
    return tuple(ids if len(ids) <= _MOST_REFERENCES else [ids[0], *ids[1 - _MOST_REFERENCES :]])


def message_id_in(value: object) -> str | None:
    """The first Message-ID in a header's value."""
    match = _MESSAGE_ID.search(str(value or ""))
    return match[0] if match else None
