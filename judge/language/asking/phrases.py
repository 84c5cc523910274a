"""The phrases of the commands, from `grammar/words/commands/`.

They are read once and turned into rules of a grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, get_type_hints

from judge import commands as c
from judge.language.words.tongue import is_japanese
from judge.languages import Language
from judge.resources import shipped_data

SLOTS: Mapping[str, str] = {
    "game": "NAME",
    "ended_game": "NAME",
    "asked_game": "NAME",
    "language": "NAME",
    "power": "POWER",
    "powers": "powers",
    "phase": "phase",
    "address": "ADDRESS",
    "page": "NUMBER",
    "days": "DAYS",
    **dict.fromkeys(("wishes", "unit", "provinces", "topic", "named", "name", "word", "zone", "reason"), "REST"),
    **dict.fromkeys(("objection", "complaint"), "REST"),
    **dict.fromkeys(("period", "moment", "length", "setting", "time", "lengths", "standby", "hours", "number"), "REST"),
    **dict.fromkeys(("placed", "taken", "owned"), "REST"),
}
"""What a phrase can have in `<...>` → the symbol of `commands.lark` that parses it."""
_PIECE = re.compile(r"~|<(?:(?P<field>\w+):)?(?P<slot>\w+)>|\((?P<small>[^)]+)\)|[\[\]]|(?P<word>[^\s\[\]<>()]+)")

_PART = re.compile(r"\[([^\]]*)\]")
_FIELD = re.compile(r"<(\w+)>")


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to ask for a command."""

    key: str
    makes: type[c.Command]
    own_words: Mapping[Language, tuple[str, ...]]
    """Language → the words that it can begin with; the first is used for writing."""
    phrases: tuple[str, ...]
    gives: Mapping[str, Any]
    """Field → the value that the phrase itself implies."""
    written: Mapping[Language, str]
    """How it is written back, unless that is its first word with its fields."""
    only_in_capitals: bool
    said: tuple[str, ...] = ()
    """Free sentences that ask for it: see `asking.sentences`."""
    lacking: tuple[str, ...] = ()
    """Free sentences that ask for it but lack something it needs."""
    is_asked_first: bool = False
    """Whether the sender must confirm it if a sentence asked for it."""
    offered: tuple[str, ...] = ()
    """Sentences that may ask for it; the sender must confirm it first."""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words it can begin with, in any language."""
        return tuple(word for words in self.own_words.values() for word in words)

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the fields that its first phrase fills, in order."""
        return tuple(match["field"] or match["slot"] for match in _slots(self.phrases[0]))

    @property
    def needed(self) -> tuple[str, ...]:
        """Return the fields that its first phrase requires."""
        plain = self.phrases[0]
        while (shorter := re.sub(r"\[[^\[\]]*\]", "", plain)) != plain:
            plain = shorter
        return tuple(match["field"] or match["slot"] for match in _slots(plain))


@dataclass(frozen=True)
class Phrasebook:
    """All ways to ask for commands."""

    entries: tuple[Entry, ...]
    between: Mapping[str, tuple[str, ...]]
    apart: Mapping[str, frozenset[str]]
    """Words that are never commands, or only sometimes."""

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """Return the words that can begin a command, such as `take over` and `参加`."""
        return frozenset(word for entry in self.entries for word in entry.words) | self.leads

    def words_of(self, key: str) -> tuple[str, ...]:
        """Return the words that begin the command with a key."""
        return next(entry.words for entry in self.entries if entry.key == key)

    @cached_property
    def leads(self) -> frozenset[str]:
        """Return the words that phrases begin with but that also begin ordinary sentences."""
        return frozenset(lead for entry in self.entries for phrase in entry.phrases if (lead := _lead(phrase, self)))


def word_in(entry: Entry, language: Language) -> str:
    """Return the word of a command in a language; "" if it has none.

    It stands alone or is part of the command's written line.
    """
    written = entry.written.get(language, "")
    own = entry.own_words.get(language, ()) if language.is_latin or not written else ()
    return own[0].upper() if own else re.split(r" ?[\[<]", written)[0]


def written_line(entry: Entry, value: Callable[[str], str], language: Language = Language.ENGLISH) -> str:
    """Return the line that asks for a command.

    `value` formats a field; "" if the field is empty.
    """
    if language in entry.written:
        return filled_in(entry.written[language], value)
    word = word_in(entry, language) or entry.words[0]
    return " ".join([word, *filter(None, map(value, entry.fields))])


def filled_in(line: str, value: Callable[[str], str]) -> str:
    """Return a line with its fields filled in, without the parts whose field is empty."""
    line = _PART.sub(lambda part: part[1] if value(_FIELD.findall(part[1])[0]) else "", line)
    return " ".join(_FIELD.sub(lambda field: value(field[1]), line).split())


def words_asking_for(kind: type[c.Command], language: Language) -> tuple[str, ...]:
    """Return a language's words that can begin a command, the plain ones first.

    All ways to ask for the command are included.
    """
    entries = sorted((one for one in load_phrases().entries if one.makes is kind), key=lambda one: bool(one.gives))
    return tuple(word for entry in entries for word in entry.own_words.get(language, ()))


@cache
def load_phrases() -> Phrasebook:
    """Return the phrases of all languages, read once."""
    data = shipped_data("grammar/words/commands/phrases.toml")
    return Phrasebook(
        entries=tuple(_entry(key, row) for key, row in data.items() if key not in ("between", "apart")),
        between={name: tuple(words) for name, words in data["between"].items()},
        apart={name: frozenset(words) for name, words in data["apart"].items()},
    )


def entry_called(key: str) -> Entry:
    """Return the entry with a key."""
    return next(one for one in load_phrases().entries if one.key == key)


def made_by(command: c.Command) -> Entry:
    """Return the entry that makes a command."""
    return next(one for one in load_phrases().entries if isinstance(command, one.makes))


def _entry(key: str, row: Mapping[str, Any]) -> Entry:
    words = {language: tuple(row[language]) for language in Language if language in row}
    written = {language: row[f"written_{language}"] for language in Language if f"written_{language}" in row}
    kind = getattr(c, row["makes"])
    types = get_type_hints(kind)
    gives = {name: _given(types[name], value) for name, value in row.get("gives", {}).items()}
    return Entry(
        key,
        kind,
        words,
        tuple(row["phrases"]),
        gives,
        written,
        row.get("only_in_capitals", False),
        tuple(row.get("said", ())),
        tuple(row.get("lacking", ())),
        row.get("asked_first", False),
        tuple(row.get("offered", ())),
    )


def _given(kind: object, value: str) -> object:
    """Return the value that a phrase implies; text is kept as written."""
    return kind(value) if isinstance(kind, type) else c.AsWritten(value, (value,))


def _slots(phrase: str) -> Iterator[re.Match[str]]:
    return (match for match in _PIECE.finditer(phrase) if match["slot"])


def _lead(phrase: str, book: Phrasebook) -> str:
    """Return the words before the slots of a phrase that are not its entry's.

    Example: `make` of `make <power> a dummy`.
    """
    lead = re.match(r"[^~<(\[]*", phrase)
    words = lead[0].strip() if lead else ""
    return "" if words in book.between or any(words == entry.key for entry in book.entries) else words


# The phrases as a grammar


def grammar_of(book: Phrasebook) -> str:
    """Return rules and terminals of the phrases, to append to `commands.lark`."""
    beginnings = book.beginnings
    rules = [f"?start: {' | '.join(f'ask_{entry.key}' for entry in book.entries)}"]
    literals: dict[str, str] = {}
    for entry in book.entries:
        shapes = [_shape(phrase, entry, book, literals) for phrase in entry.phrases]
        rules.append(f"ask_{entry.key}: {' | '.join(shapes)}")
        if entry.words:
            rules.append(_terminal(f"_ASK_{entry.key.upper()}", entry.words, 3, beginnings))
    slots = {(m["slot"], m["field"] or m["slot"]) for e in book.entries for p in e.phrases for m in _slots(p)}
    rules += [f"{slot}__{field}: {SLOTS[slot]}" for slot, field in sorted(slots)]
    rules += [_terminal(f"_{name.upper()}", words, 2) for name, words in book.between.items()]
    rules += [_terminal(name, (word,), 3, beginnings) for word, name in literals.items()]
    return "\n".join(rules) + "\n"


def _shape(phrase: str, entry: Entry, book: Phrasebook, literals: dict[str, str]) -> str:
    """Return a phrase as the right side of a rule."""
    lead = _lead(phrase, book)
    shape = [_literal(lead, literals)] if lead else []
    for match in _PIECE.finditer(phrase.removeprefix(lead)):
        if match[0] == "~":
            shape.append(f"_ASK_{entry.key.upper()}")
        elif match["slot"]:
            shape.append(f"{match['slot']}__{match['field'] or match['slot']}")
        elif match["small"]:
            shape.append(f"({' | '.join(_word(word, book, literals) for word in match['small'].split('|'))})?")
        elif match["word"]:
            shape.append(_word(match["word"], book, literals))
        else:
            shape.append({"[": "(", "]": ")?"}[match[0]])
    return " ".join(shape)


def _word(word: str, book: Phrasebook, literals: dict[str, str]) -> str:
    """Return the terminal for a word of a phrase.

    The name of a table stands for any word of the table.
    """
    if word in book.between:
        return f"_{word.upper()}"
    if any(entry.key == word for entry in book.entries):
        return f"_ASK_{word.upper()}"
    return _literal(word, literals)


def _literal(words: str, literals: dict[str, str]) -> str:
    return literals.setdefault(words, f"_SAID_{len(literals)}")


def _terminal(name: str, words: Sequence[str], priority: int, beginnings: Collection[str] = ()) -> str:
    """Return a terminal for any of the words.

    A Latin word ends where no letter follows, a Japanese word anywhere.
    """
    parts = [_not_within(word, beginnings) for word in sorted(words, key=len, reverse=True)]
    return f"{name}.{priority}: /(?:{'|'.join(parts)})(?:(?<=[a-z])(?![a-z0-9-])|(?<![a-z]))/"


def _not_within(word: str, beginnings: Collection[str]) -> str:
    """Return a pattern for a word that does not begin a longer command.

    更新 does not match in 更新停止.
    """
    longer = [other[len(word) :] for other in beginnings if other.startswith(word) and other != word]
    longer = [rest for rest in longer if is_japanese(word) or rest.startswith(" ")]
    return _plain(word) + (f"(?!{'|'.join(map(_plain, sorted(longer)))})" if longer else "")


def _plain(word: str) -> str:
    return re.escape(word).replace("\\ ", " ").replace("/", "\\/")
