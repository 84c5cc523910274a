"""A forger who changes one character of a kept mail.

The character stands where a reader or a program would see it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from email import message_from_bytes
from email.encoders import encode_base64
from email.message import Message
from random import Random

from judge.cli.verify import saved
from judge.service.signatures import check_signatures
from tests.office import World

_KINDS = ("text/plain", "text/html", "application/json", "text/calendar")
_TARGET = re.compile('(?:href|src)="[^"]*"')


def catch_forgers(world: World, chance: Random, tries: int = 30) -> None:
    """Check all mails that were sent, then forge some of them.

    Raises AssertionError if `judge verify` is deceived.
    """
    for reader in sorted({to for to, _ in world.box.kept}):
        mails = [letter for to, letter in world.box.kept if to == reader and list(saved(letter))]
        assert _faults(mails) == [], reader
        for _ in range(tries if mails else 0):
            place = chance.randrange(len(mails))
            forged, what = _forged(mails[place], chance, is_first=place == 0)
            assert _faults([*mails[:place], forged, *mails[place + 1 :]]), f"{reader}, mail {place}: {what}"


def _faults(mails: Sequence[Message]) -> list[str]:
    found = check_signatures(one for mail in mails for one in saved(mail))
    return [finding.said for finding in found if finding.is_fault]


def _forged(mail: Message, chance: Random, *, is_first: bool) -> tuple[Message, str]:
    """Forge one part of a mail; return the mail and what was changed.

    The oldest mail may be without its signature: that makes it an old mail. Its signature is not forged.
    """
    forged = message_from_bytes(mail.as_bytes())
    part = chance.choice([one for one in forged.walk() if _is_forged(one, is_first=is_first)])
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    text = content.decode()
    hidden = {at for found in _TARGET.finditer(text) for at in range(*found.span())}
    seen = [at for at, one in enumerate(text) if at not in hidden and (one.isalnum() or one in "✓✗-")]
    at = chance.choice(seen)
    other = "y" if text[at] == "x" else "x"
    del part["Content-Transfer-Encoding"]
    part.set_payload((text[:at] + other + text[at + 1 :]).encode())
    encode_base64(part)
    return forged, f"{part.get_content_type()}: {text[max(0, at - 20) : at + 20]!r} has {other!r} at {at}"


def _is_forged(part: Message, *, is_first: bool) -> bool:
    is_signature = str(part.get_filename()).endswith("-signature.json")
    return part.get_content_type() in _KINDS and not (is_signature and is_first)
