"""Secret addresses and Message-IDs: answering one proves having read the mail with it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from functools import lru_cache

from judge.mail.headers import addresses
from judge.mail.identity import headers_of
from judge.mail.letters import RawMail

CONFIRM = "confirm"
"""The purpose of an address for answers to questions; no game's name."""
_PRESS, _OFFER, _TO = "--press", "--offer", "--to-"
"""Suffixes of a game's name in the addresses of press, offers and powers.

No game's name contains two hyphens.
"""
_LONGEST_LOCAL = 64
"""Letters before the @ (RFC 5321 §4.5.3.1.1)."""
_TOKEN_LENGTH = 20
"""Letters of base32: 100 bits."""
_TOKEN_BYTES = 15
"""Bytes that the token is encoded from: five bytes make eight letters."""
_MARK = b"+bounce-"
_NUMBER_BYTES = 5
"""Bytes of a letter's number: 8 letters of base32."""
_OTHER_THAN_WORDS = re.compile("[^a-z0-9]+")
_EXTENSION = re.compile(r"([a-z0-9-]+)\.([a-z2-7]{20})")


def token_for(secret: bytes, *parts: object) -> str:
    """Return a token that only we can make: 20 lower-case letters of base32.

    It is the same for the same parts.
    """
    return _token(secret, "\0".join(map(str, parts)).encode())


@lru_cache(maxsize=4096)
def _token(secret: bytes, message: bytes) -> str:
    return base64.b32encode(_digest(secret, message)[:_TOKEN_BYTES]).decode().lower()[:_TOKEN_LENGTH]


def _digest(secret: bytes, message: bytes) -> bytes:
    keyed = _keyed(secret).copy()
    keyed.update(message)
    return keyed.digest()


@lru_cache(maxsize=8)
def _keyed(secret: bytes) -> hmac.HMAC:
    """Return an HMAC of nothing; copying it is cheaper than making another."""
    return hmac.new(secret, digestmod=hashlib.sha256)


def same_token(one: str, other: str) -> bool:
    """Compare tokens in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())


def reply_address(judge_address: str, purpose: str, token: str) -> str:
    """Return `judge+ardennes.<token>@host`; `purpose` is a game's name or a word of the judge's own."""
    local, host = judge_address.rsplit("@", 1)
    return f"{local}+{purpose}.{token}@{host}"


def parse_reply_address(judge_address: str, recipient: str) -> tuple[str, str] | None:
    """Return purpose and token of a secret address; None for any other."""
    local, host = judge_address.lower().rsplit("@", 1)
    start = f"{local}+"
    address = recipient.lower()
    if not address.startswith(start) or not address.endswith(f"@{host}"):
        return None
    match = _EXTENSION.fullmatch(address[len(start) : -len(host) - 1])
    return (match[1], match[2]) if match else None


def is_address_of(judge_address: str, address: str) -> bool:
    """Whether an address is the judge's own, with or without an extension after a plus.

    >>> is_address_of("judge@example.org", "Judge+ardennes.abc@example.org")
    True
    >>> is_address_of("judge@example.org", "judges@example.org")
    False
    """
    local, _, host = judge_address.lower().rpartition("@")
    start, _, its_host = address.lower().rpartition("@")
    return its_host == host and (start == local or start.startswith(f"{local}+"))


def press_address(judge_address: str, game: str, message_id: str) -> str:
    """Return the reply address of press, with the secret half of its Message-ID."""
    return _address_of(judge_address, f"{game}{_PRESS}", message_id)


def offer_address(judge_address: str, game: str, message_id: str) -> str:
    """Return the reply address of an offer in a game, made in the same way."""
    return _address_of(judge_address, f"{game}{_OFFER}", message_id)


def _address_of(judge_address: str, purpose: str, message_id: str) -> str:
    return reply_address(judge_address, purpose, message_id.strip("<>").partition("@")[0])


def press_written_to(judge_address: str, recipient: str) -> str | None:
    """Return the Message-ID of the press an address belongs to, or None."""
    return _letter_written_to(judge_address, recipient, _PRESS)


def offer_written_to(judge_address: str, recipient: str) -> str | None:
    """Return the Message-ID of the offer an address belongs to, or None."""
    return _letter_written_to(judge_address, recipient, _OFFER)


def _letter_written_to(judge_address: str, recipient: str, ending: str) -> str | None:
    parsed = parse_reply_address(judge_address, recipient)
    if parsed is None or not parsed[0].endswith(ending):
        return None
    return f"<{parsed[1]}@{judge_address.rsplit('@', 1)[1]}>"


def power_address(judge_address: str, game: str, whom: str, token: str) -> str:
    """Return an address for press to a power.

    `whom` tells people which power it is, and is cut if there is no room.

    >>> power_address("judge@example.org", "ardennes", "Italy", "abcdefghijklmnopqrst")
    'judge+ardennes--to-italy.abcdefghijklmnopqrst@example.org'
    """
    local = judge_address.rpartition("@")[0]
    room = _LONGEST_LOCAL - len(f"{local}+{game}{_TO}.{token}")
    word = _OTHER_THAN_WORDS.sub("-", whom.lower())[: max(room, 0)]
    return reply_address(judge_address, f"{game}{_TO}{word}", token)


def power_written_to(judge_address: str, recipient: str) -> tuple[str, str] | None:
    """Return game and token of an address for press to a power, or None."""
    parsed = parse_reply_address(judge_address, recipient)
    return (game_written_to(parsed[0]), parsed[1]) if parsed is not None and _TO in parsed[0] else None


def game_written_to(purpose: str) -> str:
    """Return the game in the purpose of an address: seat, press, offer or power."""
    return purpose.partition("--")[0]


def new_message_id(secret: bytes, judge_address: str, key: str) -> str:
    """Return an unguessable Message-ID, always the same for the same key."""
    return f"<{token_for(secret, 'message-id', key)}@{judge_address.rsplit('@', 1)[1]}>"


def bounce_address(judge_address: str, secret: bytes, letter: int) -> str:
    """Return the envelope sender (VERP) of one outgoing mail."""
    local, host = judge_address.rsplit("@", 1)
    token = token_for(secret, "bounce", letter)
    return f"{local}+bounce-{_masked(secret, token, letter)}.{token}@{host}"


def _masked(secret: bytes, token: str, letter: int) -> str:
    """Encrypt a letter's number: a readable counter would reveal how much mail others get."""
    mask = int.from_bytes(_digest(secret, f"bounce-mask\0{token}".encode())[:_NUMBER_BYTES])
    return base64.b32encode((letter ^ mask).to_bytes(_NUMBER_BYTES)).decode().lower()


def _unmasked(secret: bytes, token: str, masked: str) -> int | None:
    """Decrypt the number of a letter; None if it is malformed."""
    if len(masked) != _NUMBER_BYTES * 8 // 5:
        return None
    try:
        plain = int.from_bytes(base64.b32decode(masked.upper()))
    except ValueError:
        return None
    zero = int.from_bytes(base64.b32decode(_masked(secret, token, 0).upper()))
    return plain ^ zero


def parse_bounce_address(judge_address: str, secret: bytes, recipient: str) -> int | None:
    """Return the outgoing mail a bounce is about; None for a foreign address."""
    parsed = parse_reply_address(judge_address, recipient)
    if parsed is None or not parsed[0].startswith("bounce-"):
        return None
    number, token = parsed[0][7:], parsed[1]
    # Mail sent before numbers were masked may still bounce.
    letters = (_unmasked(secret, token, number), int(number) if number.isdecimal() else None)
    known = (one for one in letters if one is not None and same_token(token, token_for(secret, "bounce", one)))
    return next(known, None)


def bounced_letter(raw: RawMail, judge_address: str, secret: bytes) -> int | None:
    """Return the number of our mail that bounced; None if not proved.

    The proof is that this mail went to the envelope sender of ours.
    """
    recipients = raw.envelope_to
    if not recipients and _MARK in raw.content.lower():
        recipients = addresses(headers_of(raw.content), "Delivered-To", "X-Original-To", "To")
    found = (parse_bounce_address(judge_address, secret, recipient) for recipient in recipients)
    return next((letter for letter in found if letter is not None), None)
