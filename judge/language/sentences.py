"""Lines into sentences: who does what and where, as far as the words alone tell."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeAlias

from lark import Lark, Token, Transformer, v_args
from lark.lexer import PatternRE, TerminalDef

from judge.language.names import Names, load_names, pattern
from judge.language.normal import normal_form
from judge.resources import shipped
from judge.rules.position import Location, Power, Province, UnitKind


class Verb(StrEnum):
    """What a unit is told to do."""

    HOLD = "hold"
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    RETREAT = "retreat"
    DISBAND = "disband"
    BUILD = "build"
    WAIVE = "waive"


@dataclass(frozen=True, slots=True)
class PlaceWords:
    """A place as named: every province the word can mean, and the coast if one was named."""

    word: str
    candidates: tuple[Province, ...]
    coast: str | None = None

    def locations(self, names: Names) -> tuple[Location, ...]:
        """The locations the words can mean."""
        if self.coast is None:
            return tuple(self.candidates)
        return tuple(names.coast(province, self.coast) for province in self.candidates)


@dataclass(frozen=True, slots=True)
class UnitWords:
    """A unit as named."""

    place: PlaceWords
    kind: UnitKind | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """An order as written."""

    verb: Verb
    unit: UnitWords | None = None
    other: UnitWords | None = None
    goal: PlaceWords | None = None
    by_convoy: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """`France:` above the orders of a power."""

    power: Power


@dataclass(frozen=True, slots=True)
class Unfilled:
    """A line of the unit list that nobody filled in."""


Spoken = Sentence | Heading | Unfilled
Part: TypeAlias = "Token | Spoken | UnitWords | PlaceWords | list[PlaceWords] | str | bool | None"
"""What a rule of the grammar is made of, once its own parts are transformed."""
Parts: TypeAlias = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The parser of one map's orders, with the words it knows."""

    parser: Lark
    names: Names
    verbs: frozenset[str]
    """Words that make a line look like an order."""
    kinds: Mapping[str, UnitKind]

    def sentences(self, text: str) -> tuple[Spoken, ...]:
        """The sentences of a line in normal form; raises lark's UnexpectedInput."""
        result: tuple[Spoken, ...] = _Speaker(self).transform(self.parser.parse(text))
        return result


_VERBS = ("HOLD", "MOVE", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD", "WAIVE")


@cache
def load_vocabulary(map_name: str) -> Vocabulary:
    """The vocabulary of a map, made once."""
    folder = shipped("grammar")
    names = load_names(map_name)
    words: dict[str, list[str]] = {
        "PLACE": list(names.places),
        "POWER": list(names.powers),
        "COAST": list(names.coasts),
    }
    kinds: dict[str, UnitKind] = {}
    for path in sorted((folder / "words").glob("*.toml")):
        for terminal, value in tomllib.loads(path.read_text("utf-8")).items():
            by_kind = value if isinstance(value, dict) else {}
            for letter, forms in by_kind.items():
                kinds |= {normal_form(form).text: UnitKind(letter) for form in forms}
            forms = [form for forms in by_kind.values() for form in forms] or value
            words.setdefault(terminal, []).extend(normal_form(f" {form}").text.strip() for form in forms)
    verbs = frozenset(word for terminal in _VERBS for word in words[terminal])

    def fill_in(terminal: TerminalDef) -> None:
        if terminal.name in words:
            terminal.pattern = PatternRE(pattern(set(words[terminal.name])))

    grammar = (folder / "orders.lark").read_text("utf-8")
    parser = Lark(grammar, parser="lalr", lexer="contextual", edit_terminals=fill_in, maybe_placeholders=False)
    return Vocabulary(parser, names, verbs, kinds)


@v_args(inline=True)
class _Speaker(Transformer[Token, Any]):
    """Turns the tree of a line into sentences: one method per rule."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self.vocabulary = vocabulary

    def start(self, *parts: Part) -> tuple[Spoken, ...]:
        return tuple(part for part in parts if isinstance(part, Spoken))

    def coast(self, *tokens: Token) -> str:
        return str(next(token for token in tokens if token.type == "COAST"))

    def location(self, place: Token, coast: str | None = None) -> PlaceWords:
        word = " ".join(place.split())
        return PlaceWords(word, self.vocabulary.names.places[word], coast)

    def unit_kind_first(self, *parts: Part) -> UnitWords:
        return UnitWords(_places(parts)[0], self.vocabulary.kinds[str(parts[-2])])

    def unit_kind_last(self, *parts: Part) -> UnitWords:
        return UnitWords(_places(parts)[0], self.vocabulary.kinds[str(parts[-1])])

    def unit_bare(self, *parts: Part) -> UnitWords:
        return UnitWords(_places(parts)[0])

    def via(self, *_: Token) -> bool:
        return True

    def path(self, *parts: Part) -> list[PlaceWords]:
        return [part for part in parts if isinstance(part, PlaceWords)]

    def hold(self, *parts: Part) -> Sentence:
        return _sentence(Verb.HOLD, parts)

    def move(self, *parts: Part) -> Sentence:
        via = any(part is True for part in parts)
        path = _places(parts)
        return _sentence(Verb.MOVE, parts, path[-1], by_convoy=via or len(path) > 1)

    def support_hold(self, *parts: Part) -> Sentence:
        return _sentence(Verb.SUPPORT, parts)

    def support_move(self, *parts: Part) -> Sentence:
        return _sentence(Verb.SUPPORT, parts, _places(parts)[-1])

    def convoy(self, *parts: Part) -> Sentence:
        return _sentence(Verb.CONVOY, parts, _places(parts)[-1])

    def retreat(self, *parts: Part) -> Sentence:
        return _sentence(Verb.RETREAT, parts, _places(parts)[-1])

    def disband(self, *parts: Part) -> Sentence:
        return _sentence(Verb.DISBAND, parts)

    def build(self, *parts: Part) -> Sentence:
        return _sentence(Verb.BUILD, parts)

    def waive(self, *_: Token) -> Sentence:
        return Sentence(Verb.WAIVE)

    def heading(self, power: Token, *_: Token) -> Heading:
        return Heading(self.vocabulary.names.powers[" ".join(power.split())])

    def unfilled(self, *_: Part) -> Unfilled:
        return Unfilled()


def _sentence(verb: Verb, parts: Parts, goal: PlaceWords | None = None, *, by_convoy: bool = False) -> Sentence:
    unit, *others = _units(parts)
    return Sentence(verb, unit, others[0] if others else None, goal, by_convoy)


def _units(parts: Parts) -> list[UnitWords]:
    return [part for part in parts if isinstance(part, UnitWords)]


def _places(parts: Parts) -> list[PlaceWords]:
    path = next((part for part in parts if isinstance(part, list)), None)
    return path or [part for part in parts if isinstance(part, PlaceWords)]
