"""Parse terminals into structures, with three grammars.

They are the notation, common Japanese sentences, and a slow grammar for everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from lark import Lark, Token, Transformer, Tree, v_args
from lark.common import LexerConf
from lark.exceptions import LarkError, UnexpectedToken
from lark.lexer import Lexer

from judge.language.words import Terminal
from judge.resources import shipped


class Verb(StrEnum):
    """The action that an order demands of a unit."""

    HOLD = "hold"
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    RETREAT = "retreat"
    DISBAND = "disband"
    BUILD = "build"
    WAIVE = "waive"


class PlaceSlot(NamedTuple):
    """The indexes of the words for a place and its coast."""

    place: int
    coast: int | None = None


class UnitSlot(NamedTuple):
    """The indexes of the words for a unit."""

    place: PlaceSlot
    kind: int | None = None
    power: int | None = None


class Structure(NamedTuple):
    """The structure of an order: the role of each word."""

    verb: Verb
    unit: UnitSlot | None = None
    other: UnitSlot | None = None
    goal: PlaceSlot | None = None
    by_convoy: bool = False
    through: tuple[PlaceSlot, ...] = ()


_Part: TypeAlias = "Token | PlaceSlot | UnitSlot | Structure | list[PlaceSlot] | list[Any] | bool | None"


class _Given(Lexer):
    """A lexer for words that are already terminals."""

    def __init__(self, _: LexerConf) -> None:
        pass

    def lex(self, data: Sequence[str]) -> Iterator[Token]:  # type: ignore[override]
        """Yield the terminals, each with its index."""
        for number, kind in enumerate(data):
            yield Token(kind, str(number))


_RULES: dict[Terminal, tuple[str, ...]] = {
    "SUPPORT": ("support",),
    "CONVOY": ("convoy", "move"),
    "RETREAT": ("retreat",),
    "BACK": ("retreat",),
    "DISBAND": ("disband",),
    "WAIVE": ("waive",),
    "BUILD": ("build",),
    "HOLD": ("hold",),
}
"""Kind of word → the grammar rules to try.

The first kind that a line contains decides: the most significant comes first.
"""


@cache
def _notation() -> Lark:
    grammar = (shipped("grammar") / "orders.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer=_Given, maybe_placeholders=False)


@cache
def usual_grammar() -> Lark:
    """Return the grammar of the common Japanese sentences."""
    grammar = (shipped("grammar") / "particles.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer=_Given, maybe_placeholders=False)


@cache
def _sentences() -> Lark:
    grammar = (shipped("grammar") / "sentences.lark").read_text("utf-8")
    starts = list(dict.fromkeys(rule for rules in _RULES.values() for rule in rules))
    return Lark(grammar, parser="earley", lexer=_Given, ambiguity="explicit", maybe_placeholders=False, start=starts)


@lru_cache(maxsize=4096)
def notation(kinds: tuple[Terminal, ...]) -> tuple[Structure, ...] | None:
    """Return the orders that these terminals make in the notation, or None."""
    try:
        tree = _notation().parse(kinds)
    except LarkError:
        return None
    shapes: tuple[Structure, ...] = _Shaper().transform(tree)
    return shapes


@lru_cache(maxsize=4096)
def usual(kinds: tuple[Terminal, ...]) -> tuple[Structure, ...]:
    """Return the one structure of a common Japanese sentence; empty if there is none."""
    try:
        tree = usual_grammar().parse(kinds)
    except LarkError:
        return ()
    shapes: tuple[Structure, ...] = _Shaper().transform(tree)
    return shapes


@lru_cache(maxsize=4096)
def slow_structures(kinds: tuple[Terminal, ...]) -> tuple[Structure, ...]:
    """Return every structure of these terminals as one sentence.

    The Earley parser takes a tenth of a millisecond a word.
    """
    shapes: dict[Structure, None] = {}
    for rule in _rules(kinds):
        try:
            tree = _sentences().parse(kinds, start=rule)
        except LarkError:
            continue
        shapes |= {_Shaper().transform(plain): None for plain in _without_doubt(tree)}
    return tuple(shapes)


def _rules(kinds: tuple[Terminal, ...]) -> tuple[str, ...]:
    return next((rules for kind, rules in _RULES.items() if kind in kinds), ("move",))


def _without_doubt(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return the trees of a parse forest, without ambiguity."""
    if tree.data == "_ambig":
        return [plain for child in tree.children if isinstance(child, Tree) for plain in _without_doubt(child)]
    choices: list[list[Any]] = [
        _without_doubt(child) if isinstance(child, Tree) else [child] for child in tree.children
    ]
    return [Tree(tree.data, list(children)) for children in product(*choices)]


@v_args(inline=True)
class _Shaper(Transformer[Token, Any]):
    """Turns the parse tree of an order into its structure, with one method per rule."""

    def start(self, *shapes: Structure) -> tuple[Structure, ...]:
        return shapes

    def location(self, *tokens: Token) -> PlaceSlot:
        return PlaceSlot(_number(tokens, "PLACE"), _number_or_none(tokens, "COAST"))

    def unit(self, *parts: _Part) -> UnitSlot:
        place = next(part for part in parts if isinstance(part, PlaceSlot))
        coast = _number_or_none(parts, "COAST")
        place = place if coast is None else PlaceSlot(place.place, coast)
        return UnitSlot(place, _number_or_none(parts, "LETTER", "KIND"), _number_or_none(parts, "POWER"))

    def path(self, *parts: _Part) -> list[PlaceSlot]:
        return [part for part in _flat(parts) if isinstance(part, PlaceSlot)]

    def via(self, *_: _Part) -> bool:
        return True

    by = via
    carrier = via

    def hold(self, *parts: _Part) -> Structure:
        return _shape(Verb.HOLD, parts)

    def move(self, *parts: _Part) -> Structure:
        return _shape(Verb.MOVE, parts)

    def move_from(self, *parts: _Part) -> Structure:
        """Shape a move named by its start: `ミュンヘンからベルリンへ陸軍を移動`."""
        here, goal = (part for part in parts if isinstance(part, PlaceSlot))
        return Structure(Verb.MOVE, UnitSlot(here, _number(parts, "KIND")), None, goal)

    def by_convoy(self, *parts: _Part) -> Structure:
        return _shape(Verb.MOVE, [*parts, True])

    def support_hold(self, *parts: _Part) -> Structure:
        return _shape(Verb.SUPPORT, parts)

    support_move = support_hold

    def last(self, *parts: _Part) -> Structure:
        """Shape a support that names the supporting unit last."""
        return _shape(Verb.SUPPORT, parts, doer_last=True)

    def support(self, shape: Structure) -> Structure:
        return shape

    def convoy(self, *parts: _Part) -> Structure:
        return _shape(Verb.CONVOY, parts)

    def convoy_last(self, *parts: _Part) -> Structure:
        """Shape a convoy that names the convoying fleet last."""
        return _shape(Verb.CONVOY, parts, doer_last=True)

    def retreat(self, *parts: _Part) -> Structure:
        return _shape(Verb.RETREAT, parts)

    def disband(self, *parts: _Part) -> Structure:
        return _shape(Verb.DISBAND, parts)

    def build(self, *parts: _Part) -> Structure:
        flat = _flat(parts)
        if any(isinstance(part, UnitSlot) for part in flat):
            return _shape(Verb.BUILD, parts)
        place = next(part for part in flat if isinstance(part, PlaceSlot))
        return Structure(Verb.BUILD, UnitSlot(place, _number(flat, "KIND")))

    def waive(self, *_: _Part) -> Structure:
        return Structure(Verb.WAIVE)

    def __default__(self, data: str, children: list[Any], meta: Any) -> list[Any]:  # noqa: ANN401
        return children  # a rule that only groups


def _flat(parts: Sequence[_Part]) -> list[_Part]:
    result: list[_Part] = []
    for part in parts:
        result += _flat(part) if isinstance(part, list) else [part]
    return result


def _shape(verb: Verb, parts: Sequence[_Part], *, doer_last: bool = False) -> Structure:
    flat = _flat(parts)
    units = [part for part in flat if isinstance(part, UnitSlot)]
    goals = [part for part in flat if isinstance(part, PlaceSlot)]
    if doer_last:
        units.reverse()
    by_convoy = verb is Verb.MOVE and (len(goals) > 1 or any(part is True for part in flat))
    goal = goals.pop() if goals else None
    return Structure(verb, units[0], units[1] if len(units) > 1 else None, goal, by_convoy, tuple(goals))


def _number(parts: Sequence[_Part], *kinds: Terminal) -> int:
    number = _number_or_none(parts, *kinds)
    assert number is not None
    return number


def _number_or_none(parts: Sequence[_Part], *kinds: Terminal) -> int | None:
    return next((int(part) for part in parts if isinstance(part, Token) and part.type in kinds), None)


def furthest(kinds: tuple[Terminal, ...], *, slowly: bool) -> int:
    """Return the index of the terminal at which no grammar can continue.

    `slowly`: the slow grammar is tried too.
    """
    result = 0
    for rule in ("", *_rules(kinds)) if slowly else ("",):
        parser, start = (_sentences(), rule) if rule else (_notation(), None)
        try:
            parser.parse(kinds, start=start)
        except UnexpectedToken as error:
            end = error.token.type == "$END"
            result = max(result, len(kinds) - 1 if end else int(error.token))
        except LarkError:  # the input ended too soon
            result = len(kinds) - 1
    return result
