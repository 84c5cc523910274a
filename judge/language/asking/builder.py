"""Commands of one line: the grammar, and the values its structures become."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any, TypeVar

from lark import Lark, Token, Transformer
from lark.exceptions import LarkError
from lark.lexer import PatternRE, TerminalDef

from judge import commands as c
from judge.calendar import Moment, Period, Timetable, Zone
from judge.language.asking.data import pattern_of, words_for
from judge.language.asking.phrases import Entry, grammar_of, load_phrases
from judge.language.context import Context, own_units
from judge.language.times import (
    find_zone,
    read_duration,
    read_moment,
    read_period,
    read_setting,
    read_timetable,
    with_plain_dates,
)
from judge.language.words import VERBS
from judge.language.words.loading import load_lexicon
from judge.language.words.names import Names, pattern
from judge.language.words.normal import Line
from judge.language.words.shipped import SHIPPED
from judge.language.words.tongue import is_japanese
from judge.resources import shipped
from judge.rules.position import Phase, PhaseKind, Power, Province, Season, Unit, UnitKind
from judge.settings import plain_value, split_setting

T = TypeVar("T")

_ALONE = re.compile(r"~(?: \([^)]*\)| \[.*\])*")
"""A phrase of which nothing has to be said but the word."""
_LONGEST_TOPIC = 4
"""So many words a topic has at most; more are a cry for help."""


def phase_of(text: str) -> Phase:
    """A phase in short notation, in any case."""
    return Phase(Season(text[0].upper()), int(text[1:5]), PhaseKind(text[5].upper()))


@dataclass(frozen=True, slots=True)
class Asker:
    """With which words commands begin, and what they ask for."""

    map_name: str
    names: Names
    words: frozenset[str]
    """With which a command can begin: `take over`, `参加`."""
    beginnings: tuple[str, ...]
    """The same, for `str.startswith`."""
    endings: tuple[str, ...]
    """Those of them that are Japanese, and may stand at the end; the longest first."""

    def command(self, text: str, plain: str, line: Line, context: Context) -> c.Command:
        """The command in the text of a line, `plain` being the text with its phases plain; raises LarkError."""
        if plain in _words_alone():  # the parser is dear to make, and most commands are one word
            return _words_alone()[plain]
        tree = _load_parser(self.map_name).parse(plain)
        result: c.Command = CommandBuilder(self.names, line, text, context).transform(tree)
        return result


@cache
def load_asker(map_name: str) -> Asker:
    """What is known of commands, with a map's powers as words."""
    words = load_phrases().beginnings
    japanese = sorted((word for word in words if is_japanese(word)), key=len, reverse=True)
    return Asker(map_name, load_lexicon(map_name, SHIPPED).names, words, tuple(words), tuple(japanese))


@cache
def _words_alone() -> Mapping[str, c.Command]:
    """The commands that are whole with one of their words: `ready`, `引き分け`."""
    entries = [entry for entry in load_phrases().entries if any(map(_ALONE.fullmatch, entry.phrases))]
    said = [word for entry in load_phrases().entries for word in frozenset(entry.words)]  # a word of two languages once
    found: dict[str, c.Command] = {}
    for entry in entries:
        make: Any = entry.makes
        alone = [word for word in entry.words if said.count(word) == 1 and not entry.only_in_capitals]
        found |= {word: make(**entry.gives) for word in alone}
    return found


@cache
def _load_parser(map_name: str) -> Lark:
    """Made when a first command is parsed: who only reads orders needs the words, and the parser is dear."""
    names = load_lexicon(map_name, SHIPPED).names

    def with_powers(terminal: TerminalDef) -> None:
        if terminal.name == "POWER":
            ending = "(?:(?<=[a-z])(?![a-z0-9-])|(?<![a-z]))"
            terminal.pattern = PatternRE(f"(?:{pattern(names.powers)}){ending}")

    grammar = (shipped("grammar") / "commands.lark").read_text("utf-8") + grammar_of(load_phrases())
    return Lark(grammar, parser="lalr", lexer="contextual", edit_terminals=with_powers)


def _power_of(written: str, names: Names) -> Power | None:
    """A power by its name, or by the letter it begins with."""
    if written in names.powers:
        return names.powers[written]
    powers = sorted(set(names.powers.values()))
    found = [power for power in powers if len(written) == 1 and power.lower().startswith(written)]
    return found[0] if len(found) == 1 else None


class _Fields(dict[str, object]):
    """Several fields of a command that one slot fills."""


class CommandBuilder(Transformer[Token, Any]):
    """The command that a phrase asks for: its class with what the phrase gives and what stands in its slots."""

    def __init__(self, names: Names, line: Line, text: str, context: Context) -> None:
        super().__init__()
        self.names = names
        self.line = line
        self.text = text
        self.context = context

    def __default__(self, data: str, children: list[Any], meta: object) -> object:
        """`ask_join` is a phrase of the entry `join`, `power__to` a slot for a power that fills the field `to`."""
        if data.startswith("ask_"):
            return self._command(_entries()[data.removeprefix("ask_")], children)
        slot, _, field = data.partition("__")
        value = _READERS[slot](self, children[0])
        return value if isinstance(value, _Fields) else _Fields({field: value})

    def _command(self, entry: Entry, slots: Sequence[_Fields]) -> c.Command:
        self._needs(not entry.only_in_capitals, entry.key)
        values = {name: value for fields in slots for name, value in fields.items()}
        make: Any = entry.makes  # tests see to it that the slots are its fields
        command: c.Command = make(**entry.gives, **values)
        return command

    def powers(self, tokens: list[Token]) -> tuple[Power, ...]:
        """Each once."""
        return tuple(dict.fromkeys(map(self.power, tokens)))

    def phase(self, tokens: list[Token]) -> Phase:
        """In short notation."""
        return phase_of(tokens[0])

    # What stands in a slot

    def power(self, token: Token) -> Power:
        """By any of its names."""
        return self.names.powers[" ".join(token.split())]

    def game(self, token: Token) -> str:
        """The name of a game."""
        if token in load_phrases().apart["no_games"]:
            raise LarkError(f"no name: {token}")
        return str(token)

    def asked_game(self, token: Token) -> str:
        """The name of a game behind a word that is one of ordinary sentences: `LOG ardennes`, not `who knows`."""
        first = self.line.written.split()[:1]
        if not any(word.isupper() or is_japanese(word) for word in first):
            raise LarkError(f"perhaps talk: {token}")
        return self.game(token)

    def ended_game(self, token: Token) -> str:
        """The name of a game; `END PRESS` ends none, nothing above began the press."""
        if token in words_for("talk"):
            raise LarkError(f"no game: {token}")
        return self.game(token)

    def wishes(self, token: Token) -> tuple[Power, ...]:
        """Powers by their names or letters, the dearest first."""
        words = token.replace(",", " ").replace(">", " ").replace("、", " ").replace("・", " ").split()
        found = [_power_of(word, self.names) for word in words if word not in words_for("everything")]
        wishes = tuple(power for power in found if power is not None)
        if len(wishes) != len(found) or not wishes:
            raise LarkError(f"no powers: {token}")
        return tuple(dict.fromkeys(wishes))

    def unit(self, token: Token) -> Unit | None:
        """A unit, by its place at least; none of them is all."""
        lexicon = self.context.lexicon
        words = [word for word in lexicon.words(str(token)) if word.kind not in ("NO", "WO", "ALL")]
        if not words:
            return None
        end = next((i for i, word in enumerate(words) if word.kind == "ARROW" or word.kind in VERBS), len(words))
        words = words[:end]  # `CLEAR A Par - Bur` is about A Par
        named = {word.kind: word.text for word in words}
        if len(named) < len(words) or not named.keys() <= {"POWER", "LETTER", "KIND", "PLACE", "COAST"}:
            raise LarkError(f"no unit: {token}")
        kind = lexicon.kinds.get(named.get("LETTER") or named.get("KIND") or "")
        places = self.names.places.get(named.get("PLACE", ""), ())
        own = [found for found in own_units(self.context) if found.province in places and kind in (None, found.kind)]
        if own:
            return own[0]
        if not places:
            raise LarkError(f"no place: {token}")
        return Unit(kind or UnitKind.ARMY, places[0])

    def placed(self, token: Token) -> _Fields:
        """A unit with its kind, and whose it is."""
        power, unit = self._owner_and_unit(token)
        if power is None:
            raise LarkError(f"nobody's unit: {token}")
        return _Fields(power=power, unit=unit)

    def taken(self, token: Token) -> Unit:
        """A unit with its kind."""
        return self._owner_and_unit(token)[1]

    def _owner_and_unit(self, token: Token) -> tuple[Power | None, Unit]:
        named = self._named(token, {"POWER", "LETTER", "KIND", "PLACE", "COAST"})
        kind = self.context.lexicon.kinds.get(named.get("LETTER") or named.get("KIND") or "")
        places = self.names.places.get(named.get("PLACE", ""), ())
        if kind is None or not places:
            raise LarkError(f"no unit: {token}")
        locations = [self.names.coast(place, named["COAST"]) for place in places] if "COAST" in named else places
        there = {one for place in places for one in (place, *self.context.map.provinces[place].coasts)}
        units = [Unit(kind, location) for location in locations if location in there]
        if not units:
            raise LarkError(f"no coast: {token}")
        return self._named_power(named), next(filter(self.context.map.can_stand, units), units[0])

    def owned(self, token: Token) -> _Fields:
        """A center, and whose it is; without a power it is nobody's."""
        named = self._named(token, {"POWER", "PLACE", "IDLE", "NOBODY"})
        places = self.names.places.get(named.get("PLACE", ""), ())
        if not places or ("POWER" in named and len(named) > 2):
            raise LarkError(f"no center: {token}")
        centers = [place for place in places if place in self.context.map.supply_centers]
        return _Fields(center=Province((centers or places)[0]), power=self._named_power(named))

    def _named(self, token: Token, kinds: Collection[str]) -> Mapping[str, str]:
        """Kind of word → the one that stands there; raises LarkError if there are others, or two of a kind."""
        nobody = words_for("nobody")
        words = [
            ("NOBODY" if word.text in nobody else word.kind, word.text)
            for word in self.context.lexicon.words(str(token))
            if word.kind not in ("NO", "WO", "HE")
        ]
        named: Mapping[str, str] = dict(words)
        if len(named) < len(words) or not named.keys() <= set(kinds):
            raise LarkError(f"other words: {token}")
        return named

    def _named_power(self, named: Mapping[str, str]) -> Power | None:
        return self.names.powers[named["POWER"]] if "POWER" in named else None

    def provinces(self, token: Token) -> tuple[Province, ...]:
        """Centers by their names."""
        self._needs(not token.startswith("of "), token)
        lexicon = self.context.lexicon
        words = [word for word in lexicon.words(str(token)) if word.kind not in ("NO", "WO", "COMMA", "GA", "DE")]
        found = [self.names.places.get(word.text, ()) for word in words]
        centers = self.context.map.supply_centers
        if not found or not all(found):
            raise LarkError(f"no provinces: {token}")
        chosen = [next((place for place in candidates if place in centers), candidates[0]) for candidates in found]
        return tuple(Province(place) for place in chosen)

    def reason(self, token: Token) -> str:
        """Words, as they were written."""
        return self._as_written(token)

    def objection(self, token: Token) -> str:
        """What is wrong with the results; `no objection` is none."""
        self._needs(not token.startswith(words_for("no_objection")), token)
        return self._whole(token)

    def topic(self, token: Token) -> str:
        """What HELP is asked about."""
        self._needs(self._is_apart(token), token)
        written = pattern_of(r"^(?:%s(?: |$))+", "before_a_topic").sub("", " ".join(token.split()))
        if len(written.split()) > _LONGEST_TOPIC:
            raise LarkError(f"no topic: {token}")
        return written or c.HelpTopic.START

    def named(self, token: Token) -> dict[str, c.SettingValue]:
        """The name that somebody registers with."""
        self._needs(self._is_apart(token) and not token.startswith(words_for("no_own_name")), token)
        return {"name": c.AsWritten(self._as_written(token))}

    def name(self, token: Token) -> str:
        """What somebody is called from now on."""
        is_set = self.text.startswith(("set", "name:", "name :")) or not self.text.startswith(("name", "my"))
        self._needs(is_set, token)
        framed = pattern_of("%s", "name").search(self.text)
        if framed is None or framed.end("before") > len(self.text.removesuffix(token)):
            return self._as_written(token)
        self._needs(bool(framed["behind"]), token)
        return self._as_written(token).removesuffix(framed["behind"])

    def language(self, token: Token) -> c.Language:
        """One that the judge writes."""
        language = plain_value("language", token)
        if language is None:
            raise LarkError(f"no language of ours: {token}")
        return c.Language(language)

    def zone(self, token: Token) -> c.AsWritten[Zone]:
        """By any of the names people use."""
        self._needs(not token.startswith("of "), token)
        written = self._as_written(token)
        return c.AsWritten(written, find_zone(written))

    def setting(self, token: Token) -> _Fields:
        """The name of a setting, and its value."""
        named = split_setting(self._as_written(token))
        if named is None or not named[1]:
            raise LarkError(f"no setting: {token}")
        return _Fields(setting=named[0], value=read_setting(*named))

    # Parts

    def _needs(self, is_so: bool, text: str) -> None:  # noqa: FBT001 - read aloud: needs that …
        """Ordinary sentences begin with words of ours, too; who writes in capitals means a command."""
        word = self.line.written.split(maxsplit=1)[0]
        if not is_so and not (word.isupper() and not is_japanese(word)):
            raise LarkError(f"an ordinary sentence: {text}")

    def period(self, token: Token) -> c.AsWritten[Period]:
        """From when until when."""
        return self._time(token, read_period)

    def moment(self, token: Token) -> c.AsWritten[Moment]:
        """When."""
        return self._time(token, read_moment)

    def time(self, token: Token) -> c.AsWritten[Timetable]:
        """When, day by day."""
        written = self._as_written(token)
        self._needs(read_timetable(written) is not None or self._is_apart(token), token)
        return c.AsWritten(written, read_timetable(written))

    def lengths(self, token: Token) -> c.AsWritten[tuple[timedelta, ...]]:
        """How long before something, perhaps several times."""
        setting = read_setting("reminders", self._as_written(token))
        self._needs(isinstance(setting.meant, tuple) or plain_value("none", setting.text) is not None, token)
        return c.AsWritten(setting.text, setting.meant if isinstance(setting.meant, tuple) else None)

    def standby(self, token: Token) -> c.AsWritten[tuple[str, ...]]:
        """Boards and languages, or none."""
        written = self._as_written(token)
        found = [plain_value("standby", piece) for piece in re.split(r"[\s,、,・]+", written)]
        meant = tuple(one for one in found if one is not None)
        self._needs(len(meant) == len(found) or self._is_apart(token), token)
        return c.AsWritten(written, meant if len(meant) == len(found) else None)

    def length(self, token: Token) -> c.AsWritten[timedelta]:
        """How long."""
        return self._time(token, read_duration)

    def number(self, token: Token) -> int:
        """Of a proposal."""
        if not token.isdecimal():
            raise LarkError(f"no number: {token}")
        return int(token)

    def _time(self, token: Token, read: Callable[[str], T | None]) -> c.AsWritten[T]:
        self._needs(
            bool(pattern_of("%s", "time").match(token)) or (is_japanese(token) and self._is_apart(token)), token
        )
        written = self._as_written(token)
        is_in_japanese = is_japanese(self.line.written)  # then 12/1 is 1 December, though the time holds no such sign
        return c.AsWritten(written, read(with_plain_dates(written) if is_in_japanese else written))

    def _whole(self, token: Token) -> str:
        """Words that are passed on, to the end of the line: also what is only polite in a command."""
        start = self.line.text.rfind(str(token))
        behind = self.line.text[start + len(token) :]
        if start < 0 or any(word in behind for word in load_phrases().words_of("objection")):
            return self._as_written(token)
        first, _ = self.line.span(start, start + len(token))
        return self.line.written[first:].strip(':： "“”「」『』')

    def _is_apart(self, token: Token) -> bool:
        """Whether a blank or a colon stands before it."""
        return not is_japanese(token) or self.text[: self.text.rfind(str(token))].endswith((" ", ":"))

    def _as_written(self, token: Token) -> str:
        """The end of the line, in the letters it was written with."""
        start = self.line.text.rfind(str(token))
        if start < 0:  # a phase that was made plain
            return str(token)
        first, last = self.line.span(start, start + len(token))
        return self.line.written[first:last].strip(':： "“”「」『』')


@cache
def _entries() -> Mapping[str, Entry]:
    return {entry.key: entry for entry in load_phrases().entries}


_READERS: Mapping[str, Callable[[CommandBuilder, Any], object]] = {
    "game": CommandBuilder.game,
    "ended_game": CommandBuilder.ended_game,
    "asked_game": CommandBuilder.asked_game,
    "language": CommandBuilder.language,
    "power": CommandBuilder.power,
    "powers": lambda _, powers: powers,
    "phase": lambda _, phase: phase,
    "address": lambda _, token: str(token),
    "page": lambda _, token: int(token),
    "wishes": CommandBuilder.wishes,
    "unit": CommandBuilder.unit,
    "placed": CommandBuilder.placed,
    "taken": CommandBuilder.taken,
    "owned": CommandBuilder.owned,
    "provinces": CommandBuilder.provinces,
    "topic": CommandBuilder.topic,
    "named": CommandBuilder.named,
    "name": CommandBuilder.name,
    "zone": CommandBuilder.zone,
    "reason": CommandBuilder.reason,
    "objection": CommandBuilder.objection,
    "period": CommandBuilder.period,
    "moment": CommandBuilder.moment,
    "length": CommandBuilder.length,
    "number": CommandBuilder.number,
    "setting": CommandBuilder.setting,
    "time": CommandBuilder.time,
    "lengths": CommandBuilder.lengths,
    "standby": CommandBuilder.standby,
}
"""What can stand in a slot → how it is read."""
