"""Commands of one line: the grammar, and the values its structures become."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import LarkError
from lark.lexer import PatternRE, TerminalDef

from judge import commands as c
from judge.language.context import Context, own_units
from judge.language.words import VERBS, Line, Names, load_lexicon, load_names, pattern
from judge.resources import shipped
from judge.rules.position import Phase, PhaseKind, Power, Province, Season, Unit, UnitKind
from judge.settings import split_setting

_BEFORE_A_TOPIC = re.compile(r"^(?:(?:me|with|on|about|for|to|my|the)(?: |$))+")
_A_TIME = re.compile(
    r"(?!is |was |has |for )(?:.*\d|.*\b(?:mon|tue|wed|thu|fri|sat|sun|today|tomorrow)|.*[月火水木金土日]曜|.*[今明]日)"
)
_NO_OBJECTION = ("なし", "無し", "は", "が", "ありません", "ない", "overruled")
_NO_OWN_NAME = ("for ", "to ", "in ", "me ", "us ")
_LONGEST_TOPIC = 4
"""So many words a topic has at most; more are a cry for help."""
_LANGUAGES = {
    "en": c.Language.ENGLISH,
    "english": c.Language.ENGLISH,
    "英語": c.Language.ENGLISH,
    "ja": c.Language.JAPANESE,
    "jp": c.Language.JAPANESE,
    "japanese": c.Language.JAPANESE,
    "日本語": c.Language.JAPANESE,
}
_TALK = ("press", "broadcast", "note", "diary", "announce", "announcement", "whatif", "what")
_EVERYTHING = ("*", "any", "others", "他", "その他")
_OPEN_WORDS = ("NAME", "REST", "PHASE", "BLANK", "ADDRESS")
"""Terminals that are patterns, not lists of words."""


def phase_of(text: str) -> Phase:
    """A phase in short notation, in any case."""
    return Phase(Season(text[0].upper()), int(text[1:5]), PhaseKind(text[5].upper()))


@dataclass(frozen=True, slots=True)
class Asker:
    """The parser of commands."""

    parser: Lark
    names: Names
    words: frozenset[str]
    """With which a command can begin: `take over`, `参加`."""
    beginnings: tuple[str, ...]
    """The same, for `str.startswith`."""
    endings: tuple[str, ...]
    """Those of them that are Japanese, and may stand at the end; the longest first."""

    def command(self, text: str, plain: str, line: Line, context: Context) -> c.Command:
        """The command in the text of a line, `plain` being the text with its phases plain; raises LarkError."""
        result: c.Command = _Clerk(self.names, line, text, context).transform(self.parser.parse(plain))
        return result


@cache
def load_asker(map_name: str) -> Asker:
    """The parser of commands, with a map's powers as words."""
    names = load_names(map_name)
    grammar = (shipped("grammar") / "commands.lark").read_text("utf-8")
    beginnings = frozenset(_beginnings(grammar))

    def fill_in(terminal: TerminalDef) -> None:
        if terminal.name == "POWER":
            terminal.pattern = PatternRE(pattern(names.powers))
        elif isinstance(terminal.pattern, PatternRE) and terminal.name not in _OPEN_WORDS:
            # A word in letters ends where no letter follows; Japanese is written without spaces.
            ending = "(?:(?<=[a-z])(?![a-z0-9-])|(?<![a-z]))"
            value: str = terminal.pattern.value
            if beginnings & set(value.split("|")):
                value = "|".join(_not_within(word, beginnings) for word in value.split("|"))
            terminal.pattern = PatternRE(f"(?:{value}){ending}")

    parser = Lark(grammar, parser="lalr", lexer="contextual", edit_terminals=fill_in)
    japanese = sorted((word for word in beginnings if not word.isascii()), key=len, reverse=True)
    return Asker(parser, names, beginnings, tuple(beginnings), tuple(japanese))


def _not_within(word: str, beginnings: Collection[str]) -> str:
    """The pattern of a Japanese word that is not the head of a longer one: 更新 is not the beginning of 更新停止."""
    longer = [other[len(word) :] for other in beginnings if other.startswith(word) and other != word]
    return word if word.isascii() or not longer else f"{word}(?!{'|'.join(sorted(longer))})"


def _beginnings(grammar: str) -> list[str]:
    """The words of the part of the grammar that lists what commands begin with."""
    part = grammar.split("// Words a command begins with")[1].split("// Words between", maxsplit=1)[0]
    patterns = [line.split("/")[1] for line in part.splitlines() if line.count("/") == 2]
    words = [word.replace("(?:my )?", "") for found in patterns for word in found.split("|")]
    return [form for word in words for form in {word.replace(" ?", " "), word.replace(" ?", "")}]


def _power_of(written: str, names: Names) -> Power | None:
    """A power by its name, or by the letter it begins with."""
    if written in names.powers:
        return names.powers[written]
    powers = sorted(set(names.powers.values()))
    found = [power for power in powers if len(written) == 1 and power.lower().startswith(written)]
    return found[0] if len(found) == 1 else None


@v_args(inline=True)
class _Clerk(Transformer[Token, Any]):
    """One method per command."""

    def __init__(self, names: Names, line: Line, text: str, context: Context) -> None:
        super().__init__()
        self.names = names
        self.line = line
        self.text = text
        self.context = context

    # Coming and going

    def create(self, *tokens: Token) -> c.Create:
        return c.Create(_name(tokens))

    def join(self, *tokens: Token) -> c.Join:
        wishes = [self._wishes(token) for token in tokens if token.type == "REST"]
        return c.Join(_name(tokens), self._power(tokens), wishes[0] if wishes else ())

    def _wishes(self, text: str) -> tuple[Power, ...]:
        words = text.replace(",", " ").replace(">", " ").replace("、", " ").replace("・", " ").split()
        found = [_power_of(word, self.names) for word in words if word not in _EVERYTHING]
        wishes = tuple(power for power in found if power is not None)
        if len(wishes) != len(found) or not wishes:
            raise LarkError(f"no powers: {text}")
        return tuple(dict.fromkeys(wishes))

    def observe(self, *tokens: Token) -> c.Observe:
        return c.Observe(_name(tokens))

    def take_over(self, *tokens: Token) -> c.TakeOver:
        return c.TakeOver(_name(tokens), self._power(tokens))

    def resign(self, *tokens: Token) -> c.Resign:
        return c.Resign(_name(tokens) or None)

    def use_game(self, name: Token) -> c.UseGame:
        return c.UseGame(_name((name,)))

    def phase(self, token: Token) -> Phase:
        return phase_of(token)

    def for_phase(self, _: Token, phase: Phase) -> c.ForPhase:
        return c.ForPhase(phase)

    # Orders and readiness

    def clear(self, _: Token, unit: Token | None = None) -> c.Clear:
        lexicon = load_lexicon(self.context.map.name)
        words = [word for word in lexicon.words(str(unit or "")) if word.kind not in ("NO", "WO", "ALL")]
        if not words:
            return c.Clear()
        end = next((i for i, word in enumerate(words) if word.kind == "ARROW" or word.kind in VERBS), len(words))
        words = words[:end]  # `CLEAR A Par - Bur` is about A Par
        named = {word.kind: word.text for word in words}
        if len(named) < len(words) or not named.keys() <= {"POWER", "LETTER", "KIND", "PLACE", "COAST"}:
            raise LarkError(f"no unit: {unit}")
        kind = lexicon.kinds.get(named.get("LETTER") or named.get("KIND") or "")
        places = self.names.places.get(named.get("PLACE", ""), ())
        own = [found for found in own_units(self.context) if found.province in places and kind in (None, found.kind)]
        if own:
            return c.Clear(own[0])
        if not places:
            raise LarkError(f"no place: {unit}")
        return c.Clear(Unit(kind or UnitKind.ARMY, places[0]))

    def undo(self, _: Token) -> c.Undo:
        return c.Undo()

    def show_orders(self, _: Token) -> c.ShowOrders:
        return c.ShowOrders()

    def ready(self, _: Token) -> c.SetReady:
        return c.SetReady(ready=True)

    def not_ready(self, _: Token) -> c.SetReady:
        return c.SetReady(ready=False)

    def wait(self, _: Token) -> c.Wait:
        return c.Wait()

    def absence(self, *tokens: Token) -> c.Absence:
        return c.Absence(self._time(tokens[-1]))

    def no_absence(self, _: Token) -> c.Absence:
        return c.Absence("")

    def decline(self, _: Token, places: Token) -> c.Decline:
        self._needs(not places.startswith("of "), places)
        lexicon = load_lexicon(self.context.map.name)
        words = [word for word in lexicon.words(str(places)) if word.kind not in ("NO", "WO", "COMMA", "GA", "DE")]
        found = [self.names.places.get(word.text, ()) for word in words]
        centers = self.context.map.supply_centers
        if not found or not all(found):
            raise LarkError(f"no provinces: {places}")
        chosen = [next((place for place in candidates if place in centers), candidates[0]) for candidates in found]
        return c.Decline(tuple(Province(place) for place in chosen))

    def take_all(self, _: Token) -> c.Decline:
        return c.Decline(())

    # Votes

    def draw(self, _: Token) -> c.VoteDraw:
        return c.VoteDraw(agrees=True)

    def no_draw(self, _: Token) -> c.VoteDraw:
        return c.VoteDraw(agrees=False)

    def concede(self, *tokens: Token) -> c.Concede:
        return c.Concede(self._power(tokens))

    def no_concede(self, _: Token) -> c.Concede:
        return c.Concede(None)

    def elect(self, *tokens: Token) -> c.Elect:
        return c.Elect(self._power(tokens))

    def no_election(self, _: Token) -> c.Elect:
        return c.Elect(None)

    # Talk; the text is put in later

    def powers(self, *tokens: Token) -> tuple[Power, ...]:
        return tuple(dict.fromkeys(self.names.powers[" ".join(token.split())] for token in tokens))

    def press(self, _: Token, powers: tuple[Power, ...] = ()) -> c.Press:
        return c.Press(powers)

    def press_to_master(self, *_: Token) -> c.PressToMaster:
        return c.PressToMaster()

    def broadcast(self, _: Token) -> c.Broadcast:
        return c.Broadcast()

    def note(self, _: Token) -> c.Note:
        return c.Note()

    def announce(self, _: Token) -> c.Announce:
        return c.Announce()

    def share_notes(self, _: Token) -> c.ShareNotes:
        return c.ShareNotes(share=True)

    def keep_notes(self, _: Token) -> c.ShareNotes:
        return c.ShareNotes(share=False)

    def object(self, word: Token, reason: Token | None = None) -> c.Object:
        self._needs(word != "object" and not (reason or "").startswith(_NO_OBJECTION), word)
        return c.Object(self._as_written(reason) if reason else "")

    # Questions

    def status(self, *tokens: Token) -> c.Status:
        return c.Status(_name(tokens) or None)

    def show_rules(self, *tokens: Token) -> c.ShowRules:
        return c.ShowRules(_name(tokens) or None)

    def history(self, _: Token, first: Phase | None = None, last: Phase | None = None) -> c.History:
        return c.History(first, last)

    def summary(self, _: Token) -> c.Summary:
        return c.Summary()

    def show_map(self, _: Token) -> c.ShowMap:
        return c.ShowMap()

    def who(self, _: Token) -> c.Who:
        return c.Who()

    def show_log(self, _: Token) -> c.ShowLog:
        return c.ShowLog()

    def show_votes(self, _: Token) -> c.ShowVotes:
        return c.ShowVotes()

    def what_if(self, _: Token) -> c.WhatIf:
        return c.WhatIf()

    def list_games(self, *_: Token) -> c.ListGames:
        return c.ListGames()

    def help(self, _: Token, topic: Token | None = None) -> c.Help:
        self._needs(topic is None or self._is_apart(topic), topic)
        written = _BEFORE_A_TOPIC.sub("", " ".join(str(topic or "").split()))
        if len(written.split()) > _LONGEST_TOPIC:
            raise LarkError(f"no topic: {topic}")
        return c.Help(written or c.HelpTopic.START)

    # Oneself

    def register(self, *tokens: Token) -> c.Register:
        if len(tokens) == 1:
            return c.Register()
        self._needs(self._is_apart(tokens[-1]) and not tokens[-1].startswith(_NO_OWN_NAME), tokens[-1])
        return c.Register({"name": self._as_written(tokens[-1])})

    def set_language(self, *tokens: Token) -> c.SetLanguage:
        language = _LANGUAGES.get(_name(tokens))
        if language is None:
            raise LarkError(f"no language of ours: {_name(tokens)}")
        return c.SetLanguage(language)

    def set_zone(self, *tokens: Token) -> c.SetZone:
        self._needs(not tokens[-1].startswith("of "), tokens[-1])
        return c.SetZone(self._as_written(tokens[-1]))

    def set_name(self, *tokens: Token) -> c.SetName:
        word, name = tokens[-2:]
        begins = str(self.text).startswith(("set", "name:", "name :"))
        self._needs(begins or not word.isascii(), word)
        if word != "名前を":
            return c.SetName(self._as_written(name))
        self._needs(name.endswith("に"), name)
        return c.SetName(self._as_written(name).removesuffix("に"))

    def set_receipts(self, *tokens: Token) -> c.SetReceipts:
        return c.SetReceipts(full=tokens[-1].type == "FULL")

    def set_address(self, *tokens: Token) -> c.SetAddress:
        return c.SetAddress(str(tokens[-1]))

    def erase_me(self, _: Token) -> c.EraseMe:
        return c.EraseMe()

    # Masters

    def change_setting(self, setting: Token) -> c.ChangeSetting:
        named = split_setting(self._as_written(setting))
        if named is None or not named[1]:
            raise LarkError(f"no setting: {setting}")
        return c.ChangeSetting(*named)

    def check_settings(self, _: Token) -> c.CheckSettings:
        return c.CheckSettings()

    def invite(self, *tokens: Token) -> c.Invite:
        return c.Invite(_address(tokens), self._power(tokens))

    def start_game(self, _: Token) -> c.Start:
        return c.Start()

    def unstart(self, _: Token) -> c.Unstart:
        return c.Unstart()

    def pause(self, _: Token) -> c.Pause:
        return c.Pause()

    def resume(self, _: Token) -> c.Resume:
        return c.Resume()

    def set_deadline(self, *tokens: Token) -> c.SetDeadline:
        return c.SetDeadline(self._time(tokens[-1]))

    def extend(self, *tokens: Token) -> c.Extend:
        return c.Extend(self._time(tokens[-1]))

    def process(self, _: Token, phase: Phase) -> c.Process:
        return c.Process(phase)

    def preview(self, _: Token) -> c.Preview:
        return c.Preview()

    def rollback(self, _: Token, phase: Phase) -> c.Rollback:
        return c.Rollback(phase)

    def redo(self, _: Token) -> c.Redo:
        return c.Redo()

    def order_for(self, *tokens: Token) -> c.OrderFor:
        return c.OrderFor(self._one_power(tokens))

    def eject(self, *tokens: Token) -> c.Eject:
        return c.Eject(self._one_power(tokens))

    def replace(self, *tokens: Token) -> c.Replace:
        return c.Replace(self._one_power(tokens), _address(tokens))

    def make_dummy(self, *tokens: Token) -> c.MakeDummy:
        return c.MakeDummy(self._one_power(tokens))

    def promote(self, *tokens: Token) -> c.Promote:
        return c.Promote(_address(tokens))

    def hand_over(self, *tokens: Token) -> c.HandOver:
        return c.HandOver(_address(tokens))

    def export(self, _: Token) -> c.Export:
        return c.Export()

    def import_game(self, *tokens: Token) -> c.Import:
        return c.Import(_name(tokens))

    def end_game(self, *tokens: Token) -> c.EndGame:
        name = _name(tokens)
        if name in _TALK:  # `END PRESS`, and nothing above began it
            raise LarkError(f"no game: {name}")
        return c.EndGame(name)

    # Parts

    def _power(self, tokens: tuple[Token, ...]) -> Power | None:
        powers = [self.names.powers[" ".join(token.split())] for token in tokens if token.type == "POWER"]
        return powers[0] if powers else None

    def _one_power(self, tokens: tuple[Token, ...]) -> Power:
        power = self._power(tokens)
        assert power is not None
        return power

    def _needs(self, is_so: bool, told: str | None) -> None:  # noqa: FBT001 - read aloud: needs that …
        """Ordinary sentences begin with words of ours, too; who writes in capitals means a command."""
        word = self.line.written.split(maxsplit=1)[0]
        if not is_so and not (word.isupper() and word.isascii()):
            raise LarkError(f"an ordinary sentence: {told}")

    def _time(self, token: Token) -> str:
        """What says when, or how long."""
        self._needs(bool(_A_TIME.match(token)) or (not token.isascii() and self._is_apart(token)), token)
        return self._as_written(token)

    def _is_apart(self, token: Token) -> bool:
        """Whether a blank or a colon stands before it."""
        return token.isascii() or self.text[: self.text.rfind(str(token))].endswith((" ", ":"))

    def _as_written(self, token: Token) -> str:
        """The end of the line, in the letters it was written with."""
        start = self.line.text.rfind(str(token))
        if start < 0:  # a phase that was made plain
            return str(token)
        first, last = self.line.span(start, start + len(token))
        return self.line.written[first:last].strip(':： "“”「」『』')


NO_GAMES = frozenset(("it", "me", "us", "him", "them", "this", "that", "on", "over", "of", "quo", "yourself", "forces"))
"""What stands behind a word of ours in ordinary sentences."""


def _name(tokens: tuple[Token, ...]) -> str:
    name = next((str(token) for token in tokens if token.type == "NAME"), "")
    if name in NO_GAMES:
        raise LarkError(f"no name: {name}")
    return name


def _address(tokens: tuple[Token, ...]) -> str:
    return next(str(token) for token in tokens if token.type == "ADDRESS")
