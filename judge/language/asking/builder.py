"""Build the command of one line from the grammar's structures."""

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
from judge.calendar import Hours, Moment, Period, Timetable, Zone
from judge.calendar.zones import find_zone
from judge.language.asking.data import in_figures, pattern_of, words_for
from judge.language.asking.phrases import Entry, grammar_of, load_phrases
from judge.language.context import Context, own_units
from judge.language.times import (
    read_duration,
    read_hours,
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
from judge.settings import board_named, plain_value, split_setting

T = TypeVar("T")

_ALONE = re.compile(r"~(?: \([^)]*\)| \[.*\])*")
"""A phrase that needs only its word."""
_LONGEST_TOPIC = 4
"""In words: a longer topic is a plea for help."""


def phase_of(text: str) -> Phase:
    """Return a phase in short notation, upper or lower case."""
    return Phase(Season(text[0].upper()), int(text[1:5]), PhaseKind(text[5].upper()))


@dataclass(frozen=True, slots=True)
class Asker:
    """The words that begin commands, and the parser of a line's command."""

    map_name: str
    names: Names
    words: frozenset[str]
    """The words that can begin a command: `take over`, `参加`."""
    beginnings: tuple[str, ...]
    """The same words, as a tuple for `str.startswith`."""
    endings: tuple[str, ...]
    """The Japanese words, which may also stand at the end; longest first."""

    def command(self, text: str, plain: str, line: Line, context: Context) -> c.Command:
        """Parse the command in a line; raise LarkError if there is none.

        `plain`: the text with phases in plain form.
        """
        if plain in _words_alone():  # the parser is costly to build, and most commands are one word
            return _words_alone()[plain]
        tree = _load_parser(self.map_name).parse(plain)
        result: c.Command = CommandBuilder(self.names, line, text, context).transform(tree)
        return result


@cache
def load_asker(map_name: str) -> Asker:
    """Return the words and the parser of commands, with the powers of a map."""
    words = load_phrases().beginnings
    japanese = sorted((word for word in words if is_japanese(word)), key=len, reverse=True)
    return Asker(map_name, load_lexicon(map_name, SHIPPED).names, words, tuple(words), tuple(japanese))


@cache
def _words_alone() -> Mapping[str, c.Command]:
    """Return the commands that one word asks for completely: `ready`, `引き分け`."""
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
    """Build the parser of commands when it is first needed.

    It is costly, and a mail with only orders does not need it.
    """
    names = load_lexicon(map_name, SHIPPED).names

    def with_powers(terminal: TerminalDef) -> None:
        if terminal.name == "POWER":
            ending = "(?:(?<=[a-z])(?![a-z0-9-])|(?<![a-z]))"
            terminal.pattern = PatternRE(f"(?:{pattern(names.powers)}){ending}")

    grammar = (shipped("grammar") / "commands.lark").read_text("utf-8") + grammar_of(load_phrases())
    return Lark(grammar, parser="lalr", lexer="contextual", edit_terminals=with_powers)


def _power_of(written: str, names: Names) -> Power | None:
    """Return a power by its name or its initial, or None."""
    if written in names.powers:
        return names.powers[written]
    powers = sorted(set(names.powers.values()))
    found = [power for power in powers if len(written) == 1 and power.lower().startswith(written)]
    return found[0] if len(found) == 1 else None


class _Fields(dict[str, object]):
    """Several fields of a command, filled by one slot."""


class CommandBuilder(Transformer[Token, Any]):
    """Turns a parsed phrase into its command.

    The values come from the phrase and from its slots.
    """

    def __init__(self, names: Names, line: Line, text: str, context: Context) -> None:
        super().__init__()
        self.names = names
        self.line = line
        self.text = text
        self.context = context

    def __default__(self, data: str, children: list[Any], meta: object) -> object:
        """Handle phrases and slots.

        `ask_join` is a phrase of the entry `join`. `power__to` is a power slot that fills the field `to`.
        """
        if data.startswith("ask_"):
            return self._command(_entries()[data.removeprefix("ask_")], children)
        slot, _, field = data.partition("__")
        value = _READERS[slot](self, children[0])
        return value if isinstance(value, _Fields) else _Fields({field: value})

    def _command(self, entry: Entry, slots: Sequence[_Fields]) -> c.Command:
        self._needs(not entry.only_in_capitals, entry.key)
        values = {name: value for fields in slots for name, value in fields.items()}
        make: Any = entry.makes  # tests check that the slots are fields of the command
        command: c.Command = make(**entry.gives, **values)
        return command

    def powers(self, tokens: list[Token]) -> tuple[Power, ...]:
        """Return each power once."""
        return tuple(dict.fromkeys(map(self.power, tokens)))

    def phase(self, tokens: list[Token]) -> Phase:
        """Return a phase in short notation."""
        return phase_of(tokens[0])

    # The contents of slots

    def power(self, token: Token) -> Power:
        """Return a power by any of its names."""
        return self.names.powers[" ".join(token.split())]

    def game(self, token: Token) -> str:
        """Return the name of a game."""
        if token in load_phrases().apart["no_games"]:
            raise LarkError(f"no name: {token}")
        return str(token)

    def asked_game(self, token: Token) -> str:
        """Return the name of a game behind a word of ordinary sentences.

        `LOG ardennes` names a game, `who knows` does not and raises LarkError.
        """
        first = self.line.written.split()[:1]
        if not any(word.isupper() or is_japanese(word) for word in first):
            raise LarkError(f"perhaps talk: {token}")
        return self.game(token)

    def ended_game(self, token: Token) -> str:
        """Return the name of a game to end.

        Raise LarkError for END PRESS without press above.
        """
        if token in words_for("talk"):
            raise LarkError(f"no game: {token}")
        return self.game(token)

    def wishes(self, token: Token) -> tuple[Power, ...]:
        """Return powers by names or initials, the most wanted first."""
        words = token.replace(",", " ").replace(">", " ").replace("、", " ").replace("・", " ").split()
        found = [_power_of(word, self.names) for word in words if word not in words_for("everything")]
        wishes = tuple(power for power in found if power is not None)
        if len(wishes) != len(found) or not wishes:
            raise LarkError(f"no powers: {token}")
        return tuple(dict.fromkeys(wishes))

    def unit(self, token: Token) -> Unit | None:
        """Return a unit named at least by its place, or None for all units."""
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
        """Return a unit with its kind, and its power; raise LarkError without a power."""
        power, unit = self._owner_and_unit(token)
        if power is None:
            raise LarkError(f"nobody's unit: {token}")
        return _Fields(power=power, unit=unit)

    def taken(self, token: Token) -> Unit:
        """Return a unit with its kind."""
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
        """Return a center and its owner; without a power it has no owner."""
        named = self._named(token, {"POWER", "PLACE", "IDLE", "NOBODY"})
        places = self.names.places.get(named.get("PLACE", ""), ())
        if not places or ("POWER" in named and len(named) > 2):
            raise LarkError(f"no center: {token}")
        centers = [place for place in places if place in self.context.map.supply_centers]
        return _Fields(center=Province((centers or places)[0]), power=self._named_power(named))

    def _named(self, token: Token, kinds: Collection[str]) -> Mapping[str, str]:
        """Return kind of word → the word.

        Raise LarkError for a word of another kind, or for two words of one kind.
        """
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
        """Return centers by their names."""
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
        """Return the text as it was written."""
        return self._as_written(token)

    def objection(self, token: Token) -> str:
        """Return the objection to the results; "" for `no objection`."""
        self._needs(not token.startswith(words_for("no_objection")), token)
        return self._whole(token)

    def complaint(self, token: Token) -> str:
        """Return why press is reported.

        The command must stand in capitals: press often begins with `Report from the front`.
        """
        before = self.text[: self.text.rfind(str(token))]
        self._needs(is_japanese(self.text[:1]) and before.rstrip().endswith(":"), token)
        return self._whole(token)

    def topic(self, token: Token) -> str:
        """Return the topic of HELP."""
        self._needs(self._is_apart(token), token)
        written = pattern_of(r"^(?:%s(?: |$))+", "before_a_topic").sub("", " ".join(token.split()))
        if len(written.split()) > _LONGEST_TOPIC:
            raise LarkError(f"no topic: {token}")
        return written or c.HelpTopic.START

    def named(self, token: Token) -> dict[str, c.SettingValue]:
        """Return the name that a person registers with, as a field."""
        self._needs(self._is_apart(token) and not token.startswith(words_for("no_own_name")), token)
        return {"name": c.AsWritten(self._as_written(token))}

    def name(self, token: Token) -> str:
        """Return the new name of a person."""
        is_set = self.text.startswith(("set", "name:", "name :")) or not self.text.startswith(("name", "my"))
        self._needs(is_set, token)
        framed = pattern_of("%s", "name").search(self.text)
        if framed is None or framed.end("before") > len(self.text.removesuffix(token)):
            return self._as_written(token)
        self._needs(bool(framed["behind"]), token)
        return self._as_written(token).removesuffix(framed["behind"])

    def word(self, token: Token) -> str:
        """Return a word for a lot."""
        self._needs(self._is_apart(token), token)
        return self._as_written(token)

    def language(self, token: Token) -> c.Language:
        """Return a language that the judge writes."""
        language = plain_value("language", token)
        if language is None:
            raise LarkError(f"no language of ours: {token}")
        return c.Language(language)

    def zone(self, token: Token) -> c.AsWritten[Zone]:
        """Return a time zone by any of its names."""
        self._needs(not token.startswith("of "), token)
        written = self._as_written(token)
        return c.AsWritten(written, find_zone(written))

    def setting(self, token: Token) -> _Fields:
        """Return the name of a setting and its value; a game's name may precede both."""
        written = self._as_written(token)
        named, game = split_setting(written), None
        if named is None:
            head, _, rest = written.removeprefix("game ").partition(" ")
            named, game = split_setting(rest), self.game(Token(token.type, head.lower()))
            self._needs(":" in rest or is_japanese(self.line.written), token)
        if named is None or not named[1] or game in load_phrases().between["the"]:
            raise LarkError(f"no setting: {token}")
        return _Fields(setting=named[0], value=read_setting(*named), game=game)

    # Parts

    def _needs(self, is_so: bool, text: str) -> None:  # noqa: FBT001 - read aloud: needs that …
        """Raise LarkError unless `is_so` or the line begins in capitals.

        Ordinary sentences may begin with the judge's command words.
        """
        word = self.line.written.split(maxsplit=1)[0]
        if not is_so and not (word.isupper() and not is_japanese(word)):
            raise LarkError(f"an ordinary sentence: {text}")

    def period(self, token: Token) -> c.AsWritten[Period]:
        """Return the first and last day of a period."""
        return self._time(token, read_period)

    def moment(self, token: Token) -> c.AsWritten[Moment]:
        """Return a moment."""
        return self._time(token, read_moment)

    def time(self, token: Token) -> c.AsWritten[Timetable]:
        """Return a timetable."""
        written = self._as_written(token)
        self._needs(read_timetable(written) is not None or self._is_apart(token), token)
        return c.AsWritten(written, read_timetable(written))

    def lengths(self, token: Token) -> c.AsWritten[tuple[timedelta, ...]]:
        """Return one or more lengths of time before an event."""
        setting = read_setting("reminders", self._as_written(token))
        self._needs(isinstance(setting.meant, tuple) or plain_value("none", setting.text) is not None, token)
        return c.AsWritten(setting.text, setting.meant if isinstance(setting.meant, tuple) else None)

    def hours(self, token: Token) -> c.AsWritten[Hours]:
        """Return hours of the week."""
        written = self._as_written(token)
        self._needs(read_hours(written) is not None, token)
        return c.AsWritten(written, read_hours(written))

    def standby(self, token: Token) -> c.AsWritten[tuple[str, ...]]:
        """Return the boards and languages to stand by for; empty for none."""
        written = self._as_written(token)
        found = [plain_value("standby", piece) or board_named(piece) for piece in re.split(r"[\s,、,・]+", written)]
        meant = tuple(one for one in found if one is not None)
        self._needs(len(meant) == len(found) or self._is_apart(token), token)
        return c.AsWritten(written, meant if len(meant) == len(found) else None)

    def length(self, token: Token) -> c.AsWritten[timedelta]:
        """Return a length of time."""

        def read(written: str) -> timedelta | None:
            return read_duration(written if is_japanese(written) else in_figures(written))

        return self._time(token, read)

    def number(self, token: Token) -> int:
        """Return the number of a proposal."""
        if not token.isdecimal():
            raise LarkError(f"no number: {token}")
        return int(token)

    def _time(self, token: Token, read: Callable[[str], T | None]) -> c.AsWritten[T]:
        is_time = pattern_of("(?!%s)%s", "no_time", "time").match(token) is not None
        self._needs(is_time or (is_japanese(token) and self._is_apart(token)), token)
        written = self._as_written(token)
        is_in_japanese = is_japanese(self.line.written)  # then 12/1 is 1 December even in ASCII
        return c.AsWritten(written, read(with_plain_dates(written) if is_in_japanese else written))

    def _whole(self, token: Token) -> str:
        """Return text that is passed on, up to the end of the line.

        The polite words that a command would drop are kept.
        """
        start = self.line.text.rfind(str(token))
        behind = self.line.text[start + len(token) :]
        if start < 0 or any(word in behind for word in load_phrases().words_of("objection")):
            return self._as_written(token)
        first, _ = self.line.span(start, start + len(token))
        return self.line.written[first:].strip(':： "“”「」『』')

    def _is_apart(self, token: Token) -> bool:
        """Whether there is a blank or a colon before the token."""
        return not is_japanese(token) or self.text[: self.text.rfind(str(token))].endswith((" ", ":"))

    def _as_written(self, token: Token) -> str:
        """Return the text of the token as it was written."""
        start = self.line.text.rfind(str(token))
        if start < 0:  # a phase that was replaced by its short form
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
    "word": CommandBuilder.word,
    "zone": CommandBuilder.zone,
    "reason": CommandBuilder.reason,
    "objection": CommandBuilder.objection,
    "complaint": CommandBuilder.complaint,
    "period": CommandBuilder.period,
    "days": CommandBuilder.period,
    "moment": CommandBuilder.moment,
    "length": CommandBuilder.length,
    "number": CommandBuilder.number,
    "setting": CommandBuilder.setting,
    "time": CommandBuilder.time,
    "lengths": CommandBuilder.lengths,
    "standby": CommandBuilder.standby,
    "hours": CommandBuilder.hours,
}
"""What a slot can hold → the function that reads it."""
