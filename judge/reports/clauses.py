"""The outcome of an order as a clause: words from templates, with units and places.

A phase has a dozen of these, and `judge adjudicate` writes thousands of phases. Each shape of a clause is therefore
rendered once, with stand-ins for units and places.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, lru_cache, partial

from msgspec.structs import replace

from judge.languages import Language
from judge.reports.vocabulary import Vocabulary, vocabulary_in
from judge.rules.orders import Hold
from judge.rules.outcomes import Bounced, Cut, Dislodged, Outcome, Reason, Strength, Unmatched
from judge.rules.position import Location, Province, Unit, UnitKind

_SHAPES_REMEMBERED = 1024
_CLAUSES_REMEMBERED = 2**14
"""Some 8 MB: the same units bounce and are cut phase after phase."""
_HERE = Province(Location("\ue000"))
_STAND_INS = tuple(Unit(UnitKind.ARMY, Location(chr(0xE001 + number))) for number in range(6))
_INSTEAD = Hold(Unit(UnitKind.FLEET, Location("\ue000")))


@cache
def reasons_on(board: str, language: Language = Language.ENGLISH) -> Callable[[Reason], str]:
    """Return a function that words outcomes of orders with the names of a board."""
    known: dict[Hashable, str] = {}
    vocabulary = cache(partial(vocabulary_in, language, board))

    def why(outcome: Reason) -> str:
        about = _parts(outcome)
        clause = known.get(about)
        if clause is None:
            if len(known) >= _CLAUSES_REMEMBERED:
                del known[next(iter(known))]
            clause = known[about] = _clause(outcome, vocabulary())
        return clause

    return why


def _parts(outcome: Reason) -> Hashable:
    """Return a cache key with everything the clause mentions.

    Strings are looked up several times as fast as outcomes.
    """
    if isinstance(outcome, Bounced):
        if len(outcome.by) == 1:
            return (outcome.at, outcome.strength, outcome.against, outcome.own_unit, outcome.by[0].text)
        return (outcome.at, outcome.strength, outcome.against, outcome.own_unit, *[one.text for one in outcome.by])
    if isinstance(outcome, Cut):
        return outcome.by.text
    if isinstance(outcome, Dislodged):
        return (outcome.by.text, outcome.attacked_from, outcome.strength, outcome.against)
    if isinstance(outcome, Unmatched):
        return (outcome.other.text, outcome.instead and outcome.instead.text)
    return outcome


def _clause(outcome: Reason, vocabulary: Vocabulary) -> str:
    if vocabulary.in_words:
        return vocabulary.say("why", outcome)
    unit = _STAND_INS[0]
    match outcome:
        case Bounced(at, by) if len(by) <= len(_STAND_INS):
            shape = _bounce(len(by), outcome.strength, outcome.against, outcome.own_unit, vocabulary)
            return shape.format(vocabulary.place(at), *[one.text for one in by])
        case Cut(by):
            return clause_of_shape(Cut(unit), vocabulary).format("", by.text)
        case Dislodged(by):
            shape = clause_of_shape(replace(outcome, by=unit, attacked_from=_HERE), vocabulary)
            return shape.format("", by.text)
        case Unmatched(other, instead) if instead is not None:
            return clause_of_shape(Unmatched(unit, _INSTEAD), vocabulary).format(instead.text, other.text)
        case _:
            return vocabulary.say("why", outcome)


@lru_cache(maxsize=_SHAPES_REMEMBERED)
def _bounce(rivals: int, strength: Strength, against: Strength, own_unit: bool, vocabulary: Vocabulary) -> str:  # noqa: FBT001
    """Return the `clause_of_shape` for the most frequent shapes; these arguments are hashed fastest."""
    return clause_of_shape(Bounced(_HERE, _STAND_INS[:rivals], strength, against, own_unit), vocabulary)


@lru_cache(maxsize=_SHAPES_REMEMBERED)
def clause_of_shape(shape: Outcome, vocabulary: Vocabulary) -> str:
    """Return a format string for a clause.

    {0} is a province or an order; {1} and so on are units.
    """
    text = vocabulary.say("why", shape).replace("{", "{{").replace("}", "}}")
    text = text.replace(_INSTEAD.text, "{0}").replace(_HERE, "{0}")
    for number, unit in enumerate(_STAND_INS, start=1):
        text = text.replace(unit.text, f"{{{number}}}")
    return text
