"""Offer a sender our mails in the language they write in.

The language is never changed unasked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.commands import Doubted, Give, Language
from judge.games.person import Spoken
from judge.language import OF_ORDERS, spoken_in
from judge.reports.readers import AnsweredLine
from judge.service.talk.handling import MailHandling

_OFFERED_AT = 3
"""The number of the mail in another language whose answer offers it.

There is one offer.
"""
_FEWEST_WORDS, _FEWEST_LETTERS = 4, 8
"""The shortest sentence, in words or in characters of Japanese.

Anything shorter may be a command.
"""


def language_to_offer(handling: MailHandling, lines: Sequence[AnsweredLine]) -> Language | None:
    """Count a mail in another language; return the language if it is offered now.

    The language is that of the mail's sentences. Another: not the one in which we write to the sender.
    """
    language = spoken_in([line.text for line in lines if _is_a_sentence(line)])
    if language is None or not (handling.is_registered and handling.is_proved):
        return None
    person = handling.work.people.many([handling.person.id])[handling.person.id]  # the mail may have changed them
    known = person.preferences.spoken
    if person.is_erased or (known is not None and known.mails >= _OFFERED_AT):
        return None
    if language is person.language:
        return None
    before = known.mails if known is not None and known.language is language else 0
    spoken = Spoken(language, before + 1)
    handling.work.people.save(replace(person, preferences=replace(person.preferences, spoken=spoken)))
    return language if spoken.mails == _OFFERED_AT else None


def _is_a_sentence(line: AnsweredLine) -> bool:
    """Whether a line is long enough to tell a language, and holds no order."""
    is_order = any(isinstance(one, Give | Doubted) for one in line.requests)
    if is_order or any(fault.kind in OF_ORDERS for fault in line.faults):
        return False
    text = line.text.strip()
    return len(text.split()) >= _FEWEST_WORDS or (not text.isascii() and len(text) >= _FEWEST_LETTERS)
