"""Complete the items of a list with the words they share.

Examples: `A Par, A Mar hold`, `build A Par, F Bre`, `A Par - Bur with support from A Mar`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from judge.language.words import VERBS, Terminal, Word

Piece: TypeAlias = list[Word]
"""The words between two commas."""

_SHARED: frozenset[Terminal] = frozenset(("HOLD", "DISBAND", "BUILD"))
_TITLES: frozenset[Terminal] = frozenset(("MOVE", "SUPPORT", "CONVOY"))
_TELLING = VERBS | {"ARROW", "TO", "HE"}
_BESIDE_A_UNIT: frozenset[Terminal] = frozenset(("IT", "GA", "DE", "HE", "WO", "NO"))
_NAMES_A_UNIT = (
    *(["LETTER", "PLACE"], ["KIND", "PLACE"], ["PLACE", "KIND"]),
    *(["PLACE", "NO", "KIND"], ["PLACE", "HE", "KIND"]),
)


def in_full(pieces: list[Piece], *, is_list: bool) -> list[Piece]:
    """Complete the pieces with the words they share.

    `is_list`: no colon stands between two places.
    """
    if len(pieces) > 1:
        if len(pieces[0]) == 1 and pieces[0][0].kind in _TITLES and all(map(_tells, pieces[1:])):
            return pieces[1:]  # `Supports: A Mar S A Par - Bur`
        pieces = (is_list and _with_what_all_support(pieces)) or _with_first_verb(
            _with_last_verb(pieces) if is_list else pieces
        )
    return _with_what_they_help(pieces)


def _with_last_verb(pieces: list[Piece]) -> list[Piece]:
    """Add the words behind the last place to all pieces: `Mun, Ruh hold`, `ミュンヘンとルールの陸軍は維持`."""
    *others, last = pieces
    end = next((number + 1 for number, word in enumerate(last) if word.kind == "PLACE"), len(last))
    end += last[end : end + 1] != [] and last[end].kind == "COAST"
    shared = last[end:]
    kinds = {word.kind for word in shared}
    if not kinds & _SHARED or kinds & {"PLACE", "LETTER", "ARROW"} or not all(map(_is_unit_or_place, others)):
        return pieces
    of_its_own = next(number for number, word in enumerate(shared) if word.kind not in ("NO", "HE", "KIND"))
    return [[*piece, *(shared[of_its_own:] if _is_unit(piece) else shared)] for piece in others] + [last]


def _with_what_all_support(pieces: Sequence[Piece]) -> list[Piece]:
    """Add the support of the last unit to all others.

    Examples: `Ruh and Mun support Ber`, `黒海とアンカラはブルガリアを支援`.
    """
    *others, last = pieces
    end = next((number for number, word in enumerate(last) if word.kind in ("GA", "DE", "SUPPORT")), len(last))
    kinds = {word.kind for word in last[end:]}
    if not {"SUPPORT", "PLACE"} <= kinds or not all(map(_is_unit_or_place, [*others, last[:end]])):
        return []
    return [*([*piece, *last[end:]] for piece in others), last]


def _with_first_verb(pieces: list[Piece]) -> list[Piece]:
    """Repeat the first verb for all pieces.

    Examples: `Build A Par, F Bre`, `hold: Mun, Ruh`, `build armies in Paris and Marseilles`.
    """
    verb, *unit = pieces[0]
    unit = [word for word in unit if word.kind != "POWER"]
    if verb.kind not in _SHARED or not all(map(_is_unit_or_place, [*([unit] if unit else []), *pieces[1:]])):
        return pieces
    kind = unit[:1] if unit and unit[0].text.endswith((" in", " at")) else []
    others = [piece if _is_unit(piece) else [*kind, *piece] for piece in pieces[1:]]
    return [[verb, *piece] for piece in ([unit] if unit else []) + others]


def _with_what_they_help(pieces: list[Piece]) -> list[Piece]:
    """Add the supported order to pieces that lack it.

    Examples: `A Par - Bur with support from A Mar and A Gas`, `A Par - Bur, A Mar and A Gas support it`.
    """
    result: list[Piece] = []
    order: Piece = []
    waiting: list[Piece] = []
    helps: Word | None = None
    for piece in pieces:
        place = next((number for number, word in enumerate(piece) if word.kind == "WITH_SUPPORT"), None)
        if place is not None:
            if place:
                order = piece[:place]
                result.append(order)
            helps = piece[place]._replace(kind="SUPPORT")
            result.append([*piece[place + 1 :], helps, *order])
        elif helps is not None and _is_unit_or_place(piece):
            result.append([*piece, helps, *order])
        elif order and _is_unit_or_place(piece):
            waiting.append(piece)
        elif waiting and _names_its_object(piece):  # `…、マルセイユ陸軍、パリ陸軍を支援`
            *others, doer = waiting
            order = [*doer, *piece]
            result += [*others, order]
            waiting = []
        elif order and _lacks_its_object(piece):
            *unit, verb = (word for word in piece if word.kind not in _BESIDE_A_UNIT)
            result += [[*one, verb, *order] for one in (*waiting, unit)]
            waiting = []
        else:
            result += [*waiting, piece]
            waiting, helps = [], None
            order = piece if _tells(piece) else order
    return [*result, *waiting]


def _lacks_its_object(piece: Piece) -> bool:
    """Whether a support lacks its object: `A Mar supports it`, `マルセイユ陸軍で支援`.

    `A Mar S` does not count: it may be cut off.
    """
    plain = [word for word in piece if word.kind not in _BESIDE_A_UNIT]
    if (
        _names_its_object(piece)
        or not plain
        or plain[-1].kind not in ("SUPPORT", "CONVOY")
        or not _is_unit_or_place(plain[:-1])
    ):
        return False
    return any(word.kind == "IT" for word in piece) or len(plain[-1].text) > 1


def _names_its_object(piece: Piece) -> bool:
    """Whether a support names its object: `パリ陸軍を支援`, where を marks it."""
    *unit, mark, verb = [word.kind for word in piece] if len(piece) > 2 else ("", "", "")
    return mark == "WO" and verb in ("SUPPORT", "CONVOY") and _is_unit_or_place(piece[: len(unit)])


def _tells(piece: Piece) -> bool:
    return any(word.kind in _TELLING for word in piece)


def _is_unit(words: Sequence[Word]) -> bool:
    return [word.kind for word in words if word.kind not in ("COAST", "POWER")] in _NAMES_A_UNIT


def _is_unit_or_place(words: Sequence[Word]) -> bool:
    return _is_unit(words) or [word.kind for word in words if word.kind != "COAST"] == ["PLACE"]
