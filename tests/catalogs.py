"""The catalogs of the templates, as tests look into them."""

from __future__ import annotations

from functools import cache

from babel.messages.pofile import read_po

from judge.reports.catalogs import files_of


@cache
def messages_of(language: str) -> frozenset[str]:
    """The ids of a language's own messages: without those of English, which stand in for what it lacks."""
    found: set[str] = set()
    for path in files_of(language):
        with path.open("rb") as file:
            found.update(
                one.id if isinstance(one.id, str) else one.id[0] for one in read_po(file) if one.id and one.string
            )
    return frozenset(found)
