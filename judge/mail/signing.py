"""Sign letters: digests of all that the reader sees, by Ed25519 (`docs/facts.md`).

Digests are made of words, not of bytes: they survive other line ends, encodings and line breaks. `cryptography` is
imported at the first signature: commands that sign and check nothing start without it.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import unescape
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from judge.errors import JudgeError
from judge.mail.headers import header_text
from judge.mail.letters import Attachment, Outgoing
from judge.mailbox import mailbox_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Json: TypeAlias = dict[str, Any]
FORMAT = "judge signature 1"
KEY_BYTES = 32
_FACTS = re.compile(rb'\s*\{\s*"format":\s*"judge facts [^}]*?"game":\s*"([^"\\]+)"')
_CHANGE_OF_KEY = b"judge key 1\0"
"""Prefix of a new key that the old one signs: the signature fits nothing else."""
_TAG = re.compile("<[a-zA-Z/!?][^>]*>")
_TARGET = re.compile(""" (href|src) ?= ?(?:"[^"]*"|'[^']*')""")
_WIDE = (
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\U00020000-\U0003fffd]"
)
_BESIDE_WIDE = re.compile(f" (?:(?<={_WIDE} )|(?={_WIDE}))")
"""A blank beside a wide character; a line break may or may not leave one."""


def words_of(text: str) -> str:
    r"""Return the words of a text: NFC, blanks collapsed, none beside a wide character.

    >>> words_of(" A PAR - BUR  \r\n  命令は \n 成功")
    'A PAR - BUR命令は成功'
    """
    words = _collapsed(text)
    return words if words.isascii() else _BESIDE_WIDE.sub("", words)


def words_of_html(html: str) -> str:
    """Return the words of an HTML page, without tags.

    >>> words_of_html('<p title="x">A&nbsp;PAR<br> &#10003;</p>')
    'A PAR ✓'
    """
    return words_of(unescape(_TAG.sub(" ", html)))


def markup_of(html: str) -> str:
    r"""Return the page with its tags and styles, but without link targets.

    Tags and styles can hide, strike out and draw.

    >>> markup_of('<p>\n<a href="mailto:judge@example.org?subject=x" class="tap">A</a>')
    '<p> <a href class="tap">A</a>'
    """
    return _TARGET.sub(r" \1", _collapsed(html))


def _collapsed(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def digest(content: str | bytes) -> str:
    """Return the SHA-256, in hexadecimal digits."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def digest_of_file(content: bytes) -> str:
    """Return the digest of an attached file, whatever its line ends."""
    return digest(content.replace(b"\r\n", b"\n").strip())


def key_of(text: str) -> bytes:
    """Read a public key in hexadecimal digits; raises JudgeError."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise JudgeError(f"{text!r} is no key: a key has {KEY_BYTES * 2} hexadecimal digits")
    return key


@dataclass(frozen=True, slots=True)
class RetiredKey:
    """A public key formerly in use, and its signature on the next key."""

    public: bytes
    signed: bytes


@dataclass(frozen=True)
class Keyring:
    """The private key of a judge, and the keys before it, oldest first."""

    seed: bytes
    retired: tuple[RetiredKey, ...] = ()

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415

        return Ed25519PrivateKey.from_private_bytes(self.seed)

    @cached_property
    def public(self) -> bytes:
        """The public key."""
        return self._private.public_key().public_bytes_raw()

    def retired_for(self, successor: Keyring) -> RetiredKey:
        """Sign the key that comes next."""
        return RetiredKey(self.public, self._private.sign(_CHANGE_OF_KEY + successor.public))

    def signed(self, letter: Outgoing) -> Outgoing:
        """Attach the signature to a letter that carries facts; others are returned as they are."""
        facts = [(file, found[1]) for file in letter.attachments if (found := _FACTS.match(file.content))]
        if not facts:
            return letter
        told = _told(letter, facts[0][1].decode()) | {
            "key": self.public.hex(),
            "before": [[one.public.hex(), one.signed.hex()] for one in self.retired],
        }
        told["signature"] = self._private.sign(_canonical(told)).hex()
        content = msgspec.json.format(msgspec.json.encode(told), indent=1)
        name = f"{facts[0][0].filename.removesuffix('.json')}-signature.json"
        return replace(letter, attachments=(*letter.attachments, Attachment(name, "application/json", content)))


def _told(letter: Outgoing, game: str) -> Json:
    """Return what is signed of a letter."""
    told = {
        "format": FORMAT,
        "game": game,
        "to": mailbox_of(letter.recipient).lower(),
        "sent": letter.date.isoformat(timespec="seconds"),
        "subject": words_of(header_text(letter.subject)),
        "text": _of_words(words_of(letter.text)),
        "files": {one.filename: digest_of_file(one.content) for one in letter.attachments},
    }
    if letter.html is not None:
        told["html"] = _of_words(words_of_html(letter.html)) | {"markup": digest(markup_of(letter.html))}
    return told


def _of_words(words: str) -> Json:
    return {"length": len(words), "sha256": digest(words)}


def _canonical(told: Mapping[str, Any]) -> bytes:
    """Return the bytes that are signed: everything but the signature, keys sorted, no blanks, UTF-8."""
    rest = {key: value for key, value in told.items() if key != "signature"}
    return json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def is_signed(told: Mapping[str, Any]) -> bool:
    """Whether the signature is that of the key it names."""
    return _is_by(bytes.fromhex(told["key"]), bytes.fromhex(told["signature"]), _canonical(told))


def successors(told: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    """Return (key, next key) for each change of key that the older key signed."""
    before = [(str(key), bytes.fromhex(signed)) for key, signed in told["before"]]
    keys = [*(key for key, _ in before), str(told["key"])]
    return [
        (key, later)
        for (key, signed), later in zip(before, keys[1:], strict=True)
        if _is_by(bytes.fromhex(key), signed, _CHANGE_OF_KEY + bytes.fromhex(later))
    ]


def _is_by(public: bytes, signature: bytes, content: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True
