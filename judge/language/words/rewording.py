"""Put orders into the usual word order.

Examples: `support move to Bur from Mun`, `Tyr, not Bur`, `con`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from judge.language.words.terminals import Terminal, Word

_UNIT: frozenset[Terminal] = frozenset(("LETTER", "KIND", "PLACE", "COAST", "POWER", "NO"))
_NAMES_A_UNIT: frozenset[Terminal] = frozenset(("LETTER", "KIND", "POWER"))
_STOPS: frozenset[Terminal] = frozenset(("COMMA", "SEP", "OPEN", "CLOSE"))
_TELLS: frozenset[Terminal] = frozenset(("ARROW", "MOVE", "TO", "HE", "RETREAT"))
_CHANGES: frozenset[Terminal] = frozenset(("TO", "WITH"))
_OF_A_PLACE: frozenset[Terminal] = _NAMES_A_UNIT | {"COAST"}
_ORDERS: frozenset[Terminal] = _TELLS | {"HOLD", "SUPPORT", "CONVOY"}
_SHORT_CONVOY = "con"


def reworded(words: list[Word], not_but: Collection[str], into: Collection[str], *, is_change: bool) -> list[Word]:
    """Return the words in the usual order.

    `not_but`: words for "not" that may precede a place that is not meant.
    `is_change`: the line begins with a word that changes one order into another.
    `into`: words that may stand between these two orders.
    """
    kinds = {word.kind for word in words}
    if any(word.text == _SHORT_CONVOY for word in words):
        words = _with_convoy(words)
    if "FROM" in kinds and kinds & {"SUPPORT", "CONVOY"}:
        words = _with_goal_behind(words)
    if is_change:
        words = _changed(words, into)
    if "NOT" in kinds:
        words = _without_what_it_is_not(words, not_but)
    return words


def _with_convoy(words: Sequence[Word]) -> list[Word]:
    """Read `con` between two units as a convoy, not as Constantinople.

    Example: `F Nth con A Lon - Nwy`.
    """
    result = list(words)
    for place in range(1, len(words) - 1):
        word, before, after = words[place], words[place - 1].kind, words[place + 1].kind
        behind = [one.kind for one in words[place + 2 : place + 3]]
        goes = after in _NAMES_A_UNIT or (after == "PLACE" and behind in (["ARROW"], ["TO"]))
        if word.text == _SHORT_CONVOY and before in ("PLACE", "COAST") and goes:
            result[place] = word._replace(kind="CONVOY")
    return result


def _with_goal_behind(words: list[Word]) -> list[Word]:
    """Move the unit before its goal: `Army Munich support move to Burgundy from Ruhr`.

    Some websites print this form.
    """
    verb = next((place for place, word in enumerate(words) if word.kind in ("SUPPORT", "CONVOY")), len(words))
    goal = verb + 1 + (words[verb + 1 : verb + 2] != [] and words[verb + 1].kind == "MOVE")
    if words[goal : goal + 1] == [] or words[goal].kind != "TO":
        return words
    place = next((number for number in range(goal, len(words)) if words[number].kind == "FROM"), len(words))
    end = next((number for number in range(place, len(words)) if words[number].kind in _STOPS), len(words))
    unit = words[place + 1 : end]
    if not unit or any(word.kind not in _UNIT for word in (*unit, *words[goal + 1 : place])):
        return words
    return [*words[: verb + 1], *unit, *words[goal:place], *words[end:]]


def _changed(words: list[Word], into: Collection[str]) -> list[Word]:
    """Return the new order of a change, if the unit is the same.

    Example: `change A Mun - Bur to A Mun - Tyr`.
    """
    for place in range(len(words) - 1, 2, -1):
        before, after = words[:place], words[place + 1 :]
        is_order = after and after[0].kind in _UNIT and any(word.kind in _ORDERS for word in after)
        if is_order and (words[place].kind in _CHANGES or words[place].text in into):
            return after if _first_place(before) == _first_place(after) else words
    return words


def changed_behind(words: list[Word]) -> list[Word]:
    """Return the unit and its new order: ミュンヘン陸軍のブルゴーニュへの移動をベルリンへの移動に変更."""
    place = max((number for number, word in enumerate(words) if word.kind in ("WO", "FROM")), default=0)
    first = next((number for number, word in enumerate(words) if word.kind == "PLACE"), len(words))
    end = next((number for number in range(first + 1, len(words)) if words[number].kind not in _OF_A_PLACE), 0)
    unit, before, after = words[:end], words[end:place], words[place + 1 :]
    if any(word.kind not in _UNIT for word in unit) or not any(word.kind in _ORDERS for word in before):
        return words
    if [word.kind for word in after[: len(unit)]] == [word.kind for word in unit] and len(after) > len(unit):
        return after if _first_place(after) == _first_place(unit) else words
    kinds = [word.kind for word in after if word.kind not in ("HE", "NO")]
    if kinds == ["PLACE"] and _tells(before):
        return [*unit, Word("ARROW", after[0].start, after[0].start, ""), *after]
    return [*unit, *after] if kinds in (["HOLD"], ["PLACE", "MOVE"]) else words


def _first_place(words: Sequence[Word]) -> str:
    return next((word.text for word in words if word.kind == "PLACE"), "")


def _order_that_is_meant(before: list[Word], after: list[Word]) -> list[Word]:
    """Return the order that is meant; empty if that is unclear.

    Examples: `A Mun - Tyr instead of A Mun - Bur`, `Instead of A Mun - Bur, A Mun - Tyr`.
    """
    if before and before[-1].is_japanese:
        while after and after[0].kind == "COMMA":
            after = after[1:]
        tail = before[-len(after) :]
        is_same = [word.kind for word in tail] == [word.kind for word in after] and len(after) < len(before)
        has_unit = any(word.kind == "PLACE" for word in before[: -len(after)])
        goes = bool(after) and after[0].kind == "PLACE" and any(word.kind in _TELLS for word in after)
        return [*before[: -len(after)], *after] if is_same and has_unit and goes else []
    if before:
        return before if _tells(before) and _tells(after) and _first_place(before) == _first_place(after) else []
    unit = _first_place(after)
    places = [number for number, word in enumerate(after) if word.kind == "PLACE" and word.text == unit]
    if len(places) != 2:  # the province of the unit must be named twice
        return []
    start = places[1] - (after[places[1] - 1].kind in _NAMES_A_UNIT)
    return after[start:] if _tells(after[:start]) and _tells(after[start:]) else []


def _tells(words: Sequence[Word]) -> bool:
    return any(word.kind in _TELLS for word in words)


def _without_what_it_is_not(words: list[Word], not_but: Collection[str]) -> list[Word]:
    """Remove a place that is not meant, next to the one that is.

    Example: `A Mun - Tyr, not Bur`.
    """
    place = next(number for number, word in enumerate(words) if word.kind == "NOT")
    if sum(word.kind == "NOT" for word in words) > 1:
        return words
    before, after = list(words[:place]), list(words[place + 1 :])
    if words[place].text in not_but and (meant := _order_that_is_meant(before, after)):
        return meant
    if words[place].is_japanese:
        while after and after[0].kind == "COMMA":
            after.pop(0)
        is_named = before and before[-1].kind == "PLACE" and after and after[0].kind == "PLACE"
        has_unit = sum(word.kind == "PLACE" for word in before) > 1
        return [*before[:-1], *after] if is_named and has_unit and words[place].text in not_but else words
    while before and before[-1].kind in ("COMMA", "OPEN"):
        before.pop()
    rest = [word for word in after if word.kind != "CLOSE"]
    is_place = [word.kind for word in rest] in (["PLACE"], ["TO", "PLACE"])
    goes = [word.kind for word in before[-2:]] in (["ARROW", "PLACE"], ["TO", "PLACE"])
    is_another = is_place and goes and rest[-1].text != before[-1].text
    return before if is_another and words[place].text in not_but else words
