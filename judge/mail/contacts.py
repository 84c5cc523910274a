"""Address books: cards as one attachment of a mail (RFC 2426).

Phones of all makers read version 3.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge.mail.appointments import escaped, folded
from judge.mail.letters import Attachment


@dataclass(frozen=True, slots=True)
class Contact:
    """An address with its display name.

    In an address book, a later one with the same `uid` replaces it.
    """

    uid: str
    name: str
    address: str


def contacts_file(name: str, contacts: Iterable[Contact]) -> Attachment:
    """Write the contacts as a file of that name, a card each."""
    written = b"".join(folded(line) + b"\r\n" for contact in contacts for line in _card(contact))
    return Attachment(f"{name}.vcf", "text/vcard; charset=utf-8", written)


def _card(contact: Contact) -> Iterator[str]:
    name = escaped(contact.name)
    yield from ("BEGIN:VCARD", "VERSION:3.0")
    yield f"UID:{escaped(contact.uid)}"
    yield f"FN:{name}"
    yield f"N:{name};;;;"
    yield f"EMAIL;TYPE=INTERNET:{escaped(contact.address)}"
    yield "END:VCARD"
