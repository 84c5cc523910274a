"""Headers: reading them warily, writing them safely."""

from __future__ import annotations

import re
import unicodedata
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses

_ADDRESS = re.compile(r"[^\s@<>(),;:\"\[\]\\]{1,64}@[^\s@<>(),;:\"\[\]\\]{1,255}")
_ENCODED_WORD = re.compile(r"=\?[^?\s]+\?[bqBQ]\?")
_MESSAGE_ID = re.compile(r"<[^<>\s]{3,250}>")


def decoded(value: object) -> str:
    """A header's text; what cannot be decoded is shown as it came."""
    text = str(value or "")
    try:
        parts = decode_header(text)
    except Exception:  # noqa: BLE001 - the library raises many kinds on hostile input
        return text
    words = []
    for part, charset in parts:
        if isinstance(part, str):
            words.append(part)
            continue
        try:
            words.append(part.decode(charset or "ascii", "replace"))
        except LookupError:
            words.append(part.decode("latin-1"))
    return header_text("".join(words))


def header_text(foreign: str) -> str:
    """Foreign text made fit for a header: one line, no control characters, no encoded-words."""
    visible = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") else c for c in foreign)
    visible = _ENCODED_WORD.sub("", visible)
    return " ".join(visible.split())[:250]


def addresses(message: Message, *names: str) -> tuple[str, ...]:
    """All addresses in these headers, lower case, in order."""
    values = [str(value) for name in names for value in message.get_all(name, [])]
    found = (address.strip().lower() for _, address in getaddresses(values))
    return tuple(dict.fromkeys(address for address in found if is_address(address)))


def is_address(text: str) -> bool:
    """Whether the text is one plain address."""
    return _ADDRESS.fullmatch(text) is not None


def only_sender(message: Message) -> tuple[str, str] | None:
    """Name and address of the one sender; None if the From header leaves any doubt."""
    values = message.get_all("From", [])
    if len(values) != 1:
        return None
    found = getaddresses([str(values[0])])
    if len(found) != 1 or str(values[0]).count("@") != 1 or not is_address(found[0][1]):
        return None  # parseaddr("alice@players.test)<mallory@evil.test>") would say alice
    name, address = found[0]
    return decoded(name), address.lower()


def message_id_in(value: object) -> str | None:
    """The first Message-ID in a header's value."""
    match = _MESSAGE_ID.search(str(value or ""))
    return match[0] if match else None
