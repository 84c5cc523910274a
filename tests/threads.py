"""How mail programs put mails into threads, by their documented rules.

`by_references` is the algorithm of Jamie Zawinski (RFC 5256 REFERENCES without its subjects): Thunderbird, Dovecot
and with it Roundcube follow it. `by_nearest` is the plain rule of neomutt and others: a mail hangs from the last of
those it names that is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from itertools import pairwise


@dataclass(eq=False)
class Container:
    """A mail, or a place for one that is only named."""

    id: str
    is_there: bool = False
    parent: Container | None = None
    children: list[Container] = field(default_factory=list)

    def above(self) -> Iterator[Container]:
        """Yield the mails above this one, the nearest first."""
        here = self.parent
        while here is not None:
            yield here
            here = here.parent

    def hang(self, parent: Container | None) -> None:
        """Put it below another mail, or below none."""
        if self.parent is not None:
            self.parent.children.remove(self)
        self.parent = parent
        if parent is not None:
            parent.children.append(self)


def named(mail: Message) -> list[str]:
    """Return the Message-IDs that a mail refers to, the oldest first."""
    references = str(mail["References"] or "").split()
    answered = str(mail["In-Reply-To"] or "").split()[:1]
    return references or answered


def by_references(mails: Sequence[Message]) -> Mapping[str, str | None]:
    """Map each Message-ID to that of the parent; None at a thread's start."""
    table: dict[str, Container] = {}

    def container(id_: str) -> Container:
        return table.setdefault(id_, Container(id_))

    for mail in mails:
        mine = container(str(mail["Message-ID"]))
        mine.is_there = True
        chain = [container(id_) for id_ in named(mail)]
        for parent, child in pairwise(chain):
            if child.parent is None and child is not parent and child not in parent.above():
                child.hang(parent)
        if chain and chain[-1] is not mine and mine not in chain[-1].above():
            mine.hang(chain[-1])
    return {id_: next((one.id for one in c.above() if one.is_there), None) for id_, c in table.items() if c.is_there}


def by_nearest(mails: Sequence[Message]) -> Mapping[str, str | None]:
    """Do the same by the plain rule."""
    there = {str(mail["Message-ID"]) for mail in mails}
    return {
        str(mail["Message-ID"]): next((id_ for id_ in reversed(named(mail)) if id_ in there), None) for mail in mails
    }


RULES = {"references": by_references, "nearest": by_nearest}
