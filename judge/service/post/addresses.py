"""A player's private addresses as a file for the address book."""

from __future__ import annotations

from judge.commands import Language
from judge.games.game import Game
from judge.mail.contacts import Contact, contacts_file
from judge.mail.letters import Attachment
from judge.reports.sections import Addresses, PowerAddress
from judge.reports.wording import wording_in


def address_book(addresses: Addresses, game: Game, language: Language) -> Attachment:
    """Return the addresses as a file of cards, named as in `Italy – ardennes`."""
    wording = wording_in(language, game.settings.map)

    def contact(row: PowerAddress) -> Contact:
        name = wording.say_from("sections", "address_name", row.power, game.name)
        host = row.address.rpartition("@")[2]
        return Contact(f"{(row.power or 'all').lower()}.{game.name}@{host}", name, row.address)

    return contacts_file(f"{game.name}-addresses", map(contact, addresses.rows))
