"""Build a lexicon from `grammar/words/*.toml` and the names of the map."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeGuard

from judge.errors import InstallationError
from judge.language.words.lexicon import LEAST_VERB, Lexicon
from judge.language.words.names import BEFORE_A_FLEET, Names, load_names, pattern
from judge.language.words.normal import normal_form
from judge.language.words.shipped import SHIPPED, Tongue
from judge.language.words.terminals import TERMINALS, VERBS, Terminal
from judge.language.words.tongue import LARGE_KANA, is_japanese, is_latin
from judge.rules.position import UnitKind

_LISTS = frozenset(
    (
        "PLAIN",
        "WEAK",
        "DOUBT",
        "WAIVE_ALL",
        "REVOKING",
        "REST",
        "ALSO",
        "REMARK",
        "HEADING",
        "FAREWELL",
        "SUBJECT",
        "HARMLESS",
        "GREETING",
        "TAKES_BACK",
        "ORDERED",
        "NOT_BUT",
        "CHANGED",
        "CHANGES",
        "CHANGED_INTO",
    )
)
"""The lists of words that are not terminals; a word may also be a terminal."""


_IN_NORMAL_FORM = re.compile("[a-zäöüß]+(?: [a-zäöüß]+)*")


class _Entry(NamedTuple):
    """A word in a file of words."""

    table: str
    """The terminal or the list."""
    key: str
    """The letter of a kind of unit, or a number; "" for most words."""
    word: str


@cache
def load_lexicon(map_name: str, tongues: tuple[Tongue, ...] = SHIPPED) -> Lexicon:
    """Return the cached lexicon of a map; raise InstallationError for an unknown table."""
    # Our code always passes the languages: the cache treats a call without the argument as a different one.
    return lexicon_of(load_names(map_name, tongues), tongues)


def lexicon_of(names: Names, tongues: tuple[Tongue, ...] = SHIPPED) -> Lexicon:
    """Return the lexicon of these languages with the names of a map.

    Raise InstallationError for a table that is neither a terminal nor a list.
    """
    entries = [entry for tongue in tongues for entry in _entries(tongue.words())]
    lists = {name: frozenset(entry.word for entry in entries if entry.table == name) for name in _LISTS}
    terminals: dict[str, Terminal] = {}
    for entry in entries:
        if _is_terminal(entry.table):
            terminals[entry.word] = entry.table
        elif entry.table not in _LISTS:
            raise InstallationError(f"no word can be a {entry.table}: {entry.word!r}")
    terminals |= dict.fromkeys(lists["WAIVE_ALL"], "WAIVE")
    terminals |= _terminals_of_names(names, terminals)
    return Lexicon(
        names=names,
        terminals=terminals,
        lengths=_lengths(terminals),
        verbs=_verbs(terminals),
        kinds={e.word: UnitKind(e.key) for e in entries if e.table in ("LETTER", "KIND")},
        plain=lists["PLAIN"],
        weak=lists["WEAK"],
        doubt=lists["DOUBT"],
        in_large_kana={word.translate(LARGE_KANA): word for word in names.whole if is_japanese(word)},
        harmless=frozenset(word for word in lists["HARMLESS"] if not is_japanese(word)),
        greetings=lists["GREETING"],
        harmless_run_on=_run_on(word for word in lists["HARMLESS"] if is_japanese(word)),
        takes_back=_run_on(lists["TAKES_BACK"]),
        ordered=_run_on(lists["ORDERED"]),
        not_but=lists["NOT_BUT"],
        changes=_run_on(lists["CHANGES"]),
        changed_into=lists["CHANGED_INTO"],
        changed=_run_on(lists["CHANGED"]),
        waives={entry.word: int(entry.key) for entry in entries if entry.table == "WAIVE"},
        waives_all=lists["WAIVE_ALL"],
        revoking=lists["REVOKING"],
        rest=lists["REST"],
        also=lists["ALSO"],
        remark=_run_on(lists["REMARK"]),
        heading=lists["HEADING"],
        subject=_subject(lists["SUBJECT"]),
        farewell=_farewell(lists["FAREWELL"]),
        coast_sign=_coast_sign(names.coast_letters),
    )


@cache
def words_of_orders(tongues: tuple[Tongue, ...] = SHIPPED) -> frozenset[str]:
    """Return the words of orders in these languages, such as `hold`, in normal form."""
    entries = (entry for tongue in tongues for entry in _entries(tongue.words()) if _is_terminal(entry.table))
    return frozenset(entry.word for entry in entries if entry.table not in _BESIDE_ORDERS)


_BESIDE_ORDERS = frozenset(("NOISE", "ASIDE", "IDLE"))
"""Words that only accompany an order; a place may have such a name."""


def _entries(words: Mapping[str, Any]) -> Iterator[_Entry]:
    for table, value in words.items():
        for key, forms in value.items() if isinstance(value, dict) else [("", value)]:
            for form in forms:
                # Most words are already in normal form. A blank in front keeps the others from being read as a bullet.
                is_normal = _IN_NORMAL_FORM.fullmatch(form) is not None
                yield _Entry(table, key, form if is_normal else normal_form(f" {form}").text.strip())


def _is_terminal(table: str) -> TypeGuard[Terminal]:
    return table in TERMINALS


def _terminals_of_names(names: Names, words: Mapping[str, Terminal]) -> dict[str, Terminal]:
    """Return word → terminal for the names on the map.

    A misprint of published games is included only if it is no other word.
    A name of both a power and a province, such as Rome, is the province: orders are about provinces.
    """
    found: dict[str, Terminal] = dict.fromkeys(names.coasts, "COAST")
    # A verb is not read as the beginning of a name: `hold` is an order, though a place may be called Hold Ford.
    places = (word for word in names.places if word in names.whole or words.get(word) not in VERBS)
    found |= {word: "PLACE" for word in places if word not in names.coasts and not word.endswith(BEFORE_A_FLEET)}
    found |= {word: "POWER" for word in names.powers if word not in names.whole}
    return found | {word: "PLACE" for word in names.slips if word not in found and word not in words}


def _run_on(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for any of the words, longest first.

    In languages without blanks other text may follow a word directly.
    """
    rows = [re.escape(word) if is_japanese(word) else rf"\b{re.escape(word)}\b" for word in words]
    return re.compile("|".join(sorted(rows, key=len, reverse=True)) or "(?!)")


def _lengths(words: Collection[str]) -> dict[str, tuple[int, ...]]:
    lengths: dict[str, set[int]] = {}
    for word in words:
        lengths.setdefault(word[:2], {1} if word[0] in words else set()).add(len(word))
    return {beginning: tuple(sorted(sizes, reverse=True)) for beginning, sizes in lengths.items()}


def _verbs(terminals: Mapping[str, Terminal]) -> Mapping[str, Sequence[str]]:
    verbs: dict[str, list[str]] = {"": []}
    for word, terminal in terminals.items():
        if terminal in VERBS and (is_japanese(word) or len(word) >= LEAST_VERB):
            verbs.setdefault("" if is_japanese(word) else word[0], []).append(word)
    return verbs


def _subject(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for a subject: `Re: [ardennes]`, `Subject: ardennes:`."""
    return re.compile(rf"(?:{pattern(words)}\s*:\s*)*(?:\[[a-z][a-z0-9-]*\]|[a-z][a-z0-9-]*:)")


def _farewell(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(
        rf"""[.!;,。]\s*(?:--?\s)?{pattern(words)}(?:[\s,.!。、-]+(?P<name>[^\W\d]+(?:\s[^\W\d]+){{0,2}}))?[\s.!。]*$
        |\s--+\s?(?P<alone>[^\W\d]+)[\s.]*$""",
        re.VERBOSE,
    )


def _coast_sign(letters: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for coasts: `Spa/s`, `Spa (n)`, `Spa n.c.`, `Spa n. coast`, `スペイン(南)`."""
    letters = "".join(letters)
    latin = "".join(filter(is_latin, letters))
    if not latin:
        return re.compile(rf"\s?[(\[]([{letters}])[)\]]" if letters else r"(?!)")
    return re.compile(
        rf"""\s?[/\\]\s?([{latin}])\.?(?:c\.?)?(?![a-z])
        |\s?[(\[]([{letters}])\.?(?:c\.?)?[)\]](?!\s*[a-z])
        |\s?\b([{latin}])\.c\b\.?|\s([{latin}])\.?\ coast""",
        re.VERBOSE,
    )
