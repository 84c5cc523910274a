"""The person whom the first line of a mail names: `AS Ben:`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from judge.games import Person
from judge.games.persons import clean_name
from judge.language.asking.consent import is_courtesy
from judge.language.look_alikes import look_of
from judge.mail.letters import Letter
from judge.mail.patterns import pattern
from judge.mailbox import name_before

_LONGEST_NAMING = 200
"""Characters at the beginning of a mail that may name a person."""


def name_in_first_line(letter: Letter) -> re.Match[str] | None:
    """Return where the first line of a mail may name a person.

    It reads `AS Ben:`, or `AS Ben` alone. A greeting may stand above it. The group `above` is that line, and `colon`
    the colon.
    """
    above, behind = r"(?:(?P<above>[^\n:：]{1,60})\n\s*)?", r"(?:\s*(?P<colon>[:：])[ \t]*|[ \t]*\n)"
    return pattern("as_a_person", above, behind).match(letter.own_text.lstrip()[:_LONGEST_NAMING])


def named_in(letter: Letter, people: Sequence[Person]) -> tuple[str, str] | None:
    """Return the name in the first line of a mail, and the text without it.

    Return None if no person is named. Without a colon, the name must be that of a person at the mailbox.
    """
    found = name_in_first_line(letter)
    if found is None or (found["above"] and not is_courtesy(found["above"], [letter.sender_name])):
        return None
    name = clean_name(next(one for one in found.groups()[1:-1] if one is not None))
    if not name or not (found["colon"] or called(name, people)):
        return None
    return name, _below(letter, found)


def without_the_name(letter: Letter) -> Letter:
    """Return the mail without the person named in its first line."""
    found = name_in_first_line(letter)
    return replace(letter, own_text=_below(letter, found)) if found is not None else letter


def _below(letter: Letter, found: re.Match[str]) -> str:
    return letter.own_text.lstrip()[found.end() :].lstrip("\n")


def called(name: str, people: Sequence[Person]) -> Person | None:
    """Return the person of that name.

    A first name is enough if no other person has it.
    """
    look = look_of(name)
    for names in (_whole, _before, _first):
        found = [one for one in people if look and look in names(one)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _whole(person: Person) -> list[str]:
    return [look_of(person.name)]


def _before(person: Person) -> list[str]:
    return [look_of(name_before(person.address))]


def _first(person: Person) -> list[str]:
    return [look_of(word) for word in (*person.name.split()[:1], *name_before(person.address).split()[:1])]
