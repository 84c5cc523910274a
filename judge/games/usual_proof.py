"""Proof of sender that mails of an address usually carry.

A mail without it may be another person's.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from judge.games.person import Person, UsualProof

_MOST = 5
"""Mails with proof that make it usual."""
_WITHIN = timedelta(days=30)
_RENEWED = timedelta(days=15)
"""The least age of the oldest of five proofs for noting another one.

This keeps low the number of mails that change the person.
"""


def is_usual(person: Person, address: str, today: date) -> bool:
    """Whether mails of an address usually carry proof of their sender.

    At least five mails of the last 30 days carried it, and none lacked it.
    """
    known = _of(person, address)
    recent = [day for day in known.passed if day > today - _WITHIN]
    return len(recent) >= _MOST and (known.lacked is None or known.lacked <= today - _WITHIN)


def with_proof(person: Person, address: str, today: date) -> Person:
    """Return the person after a mail that carried proof."""
    known = _of(person, address)
    if len(known.passed) >= _MOST and known.passed[0] > today - _RENEWED:
        return person
    return _with(person, replace(known, passed=(*known.passed, today)[-_MOST:]))


def without_proof(person: Person, address: str, today: date) -> Person:
    """Return the person after a mail of theirs that lacked proof."""
    known = _of(person, address)
    return person if known.lacked == today else _with(person, replace(known, lacked=today))


def _of(person: Person, address: str) -> UsualProof:
    found = (one for one in person.preferences.proofs if one.address == address)
    return next(found, UsualProof(address))


def _with(person: Person, proof: UsualProof) -> Person:
    kept = (
        one for one in person.preferences.proofs if one.address in person.mailboxes and one.address != proof.address
    )
    return replace(person, preferences=replace(person.preferences, proofs=(*kept, proof)))
