"""Addresses of several people who share a mailbox.

The first person at a mailbox is registered with its plain address. Every other one is registered with their name
before it, as in `Ben home@example.org`. Such an address identifies one person, in the same way as a plain one.
"""

from __future__ import annotations


def mailbox_of(address: str) -> str:
    """Return the address of the mailbox, without the name of a person there.

    >>> mailbox_of("Ben home@example.org"), mailbox_of("ann@example.org"), mailbox_of('"a b"@example.org')
    ('home@example.org', 'ann@example.org', '"a b"@example.org')
    """
    return _parts(address)[1]


def name_before(address: str) -> str:
    """Return the name before the address of a mailbox; "" for a plain address.

    >>> name_before("Ben_Smith home@example.org"), name_before("ann@example.org")
    ('Ben Smith', '')
    """
    return _parts(address)[0].replace("_", " ")


def address_at(mailbox: str, name: str) -> str:
    """Return the address of a person who shares a mailbox.

    >>> address_at("home@example.org", "Ben Smith")
    'Ben_Smith home@example.org'
    """
    label = "_".join(name.replace('"', "").split())
    return f"{label} {mailbox}"


def _parts(address: str) -> tuple[str, str]:
    """Split at the first blank.

    A blank within quotes is part of a plain address (RFC 5321 §4.1.2).
    """
    name, blank, mailbox = address.partition(" ")
    return (name, mailbox) if blank and not address.startswith('"') else ("", address)
