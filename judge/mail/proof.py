"""Secret addresses and Message-IDs: who can answer to them has read the mail they stand in."""

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
"""The purpose of an address at which a question is answered; no game is called so."""
_PRESS = "--press"
"""Behind the name of a game, in the address of a letter of press; no game's name has two hyphens."""
_TOKEN_LENGTH = 20
"""Letters of base32: 100 bits."""
_TOKEN_BYTES = 15
"""What these are written from: eight letters from every five bytes."""
_MARK = b"+bounce-"
_NUMBER_BYTES = 5
"""Of a letter's number: 8 letters of base32."""
_EXTENSION = re.compile(r"([a-z0-9-]+)\.([a-z2-7]{20})")


def token_for(secret: bytes, *parts: object) -> str:
    """A token only we can make: 20 lower-case letters of base32, the same for the same parts."""
    return _token(secret, "\0".join(map(str, parts)).encode())


@lru_cache(maxsize=4096)
def _token(secret: bytes, message: bytes) -> str:
    digest = hmac.digest(secret, message, "sha256")
    return base64.b32encode(digest[:_TOKEN_BYTES]).decode().lower()[:_TOKEN_LENGTH]


def same_token(one: str, other: str) -> bool:
    """Compare without telling by the time it takes where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def reply_address(judge_address: str, purpose: str, token: str) -> str:
    """`judge+ardennes.<token>@host`; `purpose` is a game's name or a word of the judge's own."""
    local, host = judge_address.rsplit("@", 1)
    return f"{local}+{purpose}.{token}@{host}"


def parse_reply_address(judge_address: str, recipient: str) -> tuple[str, str] | None:
    """Purpose and token of a secret address; None for any other."""
    local, host = judge_address.lower().rsplit("@", 1)
    start = f"{local}+"
    address = recipient.lower()
    if not address.startswith(start) or not address.endswith(f"@{host}"):
        return None
    match = _EXTENSION.fullmatch(address[len(start) : -len(host) - 1])
    return (match[1], match[2]) if match else None


def is_address_of(judge_address: str, address: str) -> bool:
    """Whether mail to an address is for the judge: to its own, or to any with something behind a plus.

    >>> is_address_of("judge@example.org", "Judge+ardennes.abc@example.org")
    True
    >>> is_address_of("judge@example.org", "judges@example.org")
    False
    """
    local, _, host = judge_address.lower().rpartition("@")
    start, _, its_host = address.lower().rpartition("@")
    return its_host == host and (start == local or start.startswith(f"{local}+"))


def press_address(judge_address: str, game: str, message_id: str) -> str:
    """Where a letter of press is answered: the secret half of its Message-ID tells which."""
    return reply_address(judge_address, f"{game}{_PRESS}", message_id.strip("<>").partition("@")[0])


def press_written_to(judge_address: str, recipient: str) -> str | None:
    """The Message-ID of the letter of press whose address this is; None for any other address."""
    parsed = parse_reply_address(judge_address, recipient)
    if parsed is None or not parsed[0].endswith(_PRESS):
        return None
    return f"<{parsed[1]}@{judge_address.rsplit('@', 1)[1]}>"


def game_written_to(purpose: str) -> str:
    """The game whose seat or whose press has an address of this purpose."""
    return purpose.removesuffix(_PRESS)


def new_message_id(secret: bytes, judge_address: str, key: str) -> str:
    """A Message-ID nobody can guess, always the same for the same key."""
    return f"<{token_for(secret, 'message-id', key)}@{judge_address.rsplit('@', 1)[1]}>"


def bounce_address(judge_address: str, secret: bytes, letter: int) -> str:
    """The envelope sender (VERP) of one outgoing mail."""
    local, host = judge_address.rsplit("@", 1)
    token = token_for(secret, "bounce", letter)
    return f"{local}+bounce-{_masked(secret, token, letter)}.{token}@{host}"


def _masked(secret: bytes, token: str, letter: int) -> str:
    """The number of a letter so that nobody else can read it: a counter would tell how much mail others get."""
    mask = int.from_bytes(hmac.new(secret, f"bounce-mask\0{token}".encode(), hashlib.sha256).digest()[:_NUMBER_BYTES])
    return base64.b32encode((letter ^ mask).to_bytes(_NUMBER_BYTES)).decode().lower()


def _unmasked(secret: bytes, token: str, masked: str) -> int | None:
    """The letter's number behind its mask; None where there is none."""
    if len(masked) != _NUMBER_BYTES * 8 // 5:
        return None
    try:
        plain = int.from_bytes(base64.b32decode(masked.upper()))
    except ValueError:
        return None
    zero = int.from_bytes(base64.b32decode(_masked(secret, token, 0).upper()))
    return plain ^ zero


def parse_bounce_address(judge_address: str, secret: bytes, recipient: str) -> int | None:
    """The outgoing mail a bounce is about; None if the address is not one of ours."""
    parsed = parse_reply_address(judge_address, recipient)
    if parsed is None or not parsed[0].startswith("bounce-"):
        return None
    number, token = parsed[0][7:], parsed[1]
    # What left before numbers were masked may still come back.
    letters = (_unmasked(secret, token, number), int(number) if number.isdecimal() else None)
    known = (one for one in letters if one is not None and same_token(token, token_for(secret, "bounce", one)))
    return next(known, None)


def bounced_letter(raw: RawMail, judge_address: str, secret: bytes) -> int | None:
    """The mail of ours whose envelope sender a mail was sent to; None if that is not proved to be one of ours."""
    recipients = raw.envelope_to
    if not recipients and _MARK in raw.content.lower():
        recipients = addresses(headers_of(raw.content), "Delivered-To", "X-Original-To", "To")
    found = (parse_bounce_address(judge_address, secret, recipient) for recipient in recipients)
    return next((letter for letter in found if letter is not None), None)
