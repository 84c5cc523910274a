"""The message catalogs of the templates, as the tests look into them."""

from __future__ import annotations

from functools import cache

from babel.messages.pofile import read_po

from judge.reports.catalogs import files_of


@cache
def messages_of(language: str) -> frozenset[str]:
    """Return the ids of a language's own messages.

    English messages that stand in for missing ones are left out.
    """
    found: set[str] = set()
    for path in files_of(language):
        with path.open("rb") as file:
            found.update(
                one.id if isinstance(one.id, str) else one.id[0] for one in read_po(file) if one.id and one.string
            )
    return frozenset(found)
