"""Lines that ask something of the judge."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.lexer import PatternRE, TerminalDef

from judge.commands import (
    Clear,
    Command,
    Create,
    ForPhase,
    Help,
    HelpTopic,
    Join,
    Language,
    ListGames,
    Observe,
    Process,
    SetLanguage,
    SetName,
    SetReady,
    SetZone,
    Status,
    UseGame,
)
from judge.language.names import Names, load_names, pattern
from judge.language.normal import Line, normal_form
from judge.resources import shipped
from judge.rules.position import Location, Phase, PhaseKind, Power, Season, Unit, UnitKind

COMMAND_WORDS = [
    "create",
    "join",
    "observe",
    "game",
    "phase",
    "process",
    "ready",
    "not",
    "status",
    "list",
    "help",
    "set",
    "clear",
    "language",
    "zone",
    "name",
    "unready",
    "作成",
    "開設",
    "参加",
    "観戦",
    "ゲーム",
    "フェイズ",
    "フェーズ",
    "更新",
    "準備完了",
    "命令完了",
    "完了取消",
    "未完了",
    "完了",
    "状況",
    "一覧",
    "ヘルプ",
    "設定",
    "言語",
    "時間帯",
    "名前",
    "取消",
]
_FIRST_WORD = re.compile(r"[a-z]+|[^\x00-\x7f ]+")
_ENGLISH_PHASE = re.compile(
    r"\b(spring|autumn|fall|winter)\s+(\d{4})(?:\s*[:,]?\s*(movement|moves|retreats?|adjustments?|builds?))?"
)
_JAPANESE_PHASE = re.compile(
    r"(\d{4})年の?\s*(春|秋|冬)(?:ターン)?の?\s*(移動|外交|交渉|撤退|調整|増減)?(?:フェイズ|フェーズ)?"
)
_SEASONS = {"spring": "S", "春": "S", "autumn": "F", "fall": "F", "秋": "F", "winter": "W", "冬": "W"}
_KINDS = {"r": "R", "撤": "R", "a": "A", "b": "A", "調": "A", "増": "A"}
_TOPICS = {
    "orders": HelpTopic.ORDERS,
    "commands": HelpTopic.COMMANDS,
    "master": HelpTopic.MASTER,
    "命令": HelpTopic.ORDERS,
}
_LANGUAGES = {
    "en": Language.ENGLISH,
    "english": Language.ENGLISH,
    "英語": Language.ENGLISH,
    "ja": Language.JAPANESE,
    "japanese": Language.JAPANESE,
    "日本語": Language.JAPANESE,
}


def with_plain_phases(text: str) -> str:
    """Phases in words as `S1901M`: `Fall 1902 retreats`, `1902年秋 撤退`."""

    def plain(season: str, year: str, kind: str | None) -> str:
        letter = _SEASONS[season]
        default = "A" if letter == "W" else "M"
        return f" {letter}{year}{_KINDS.get(kind[0], 'M') if kind else default} ".lower()

    text = _ENGLISH_PHASE.sub(lambda m: plain(m[1], m[2], m[3]), text)
    return _JAPANESE_PHASE.sub(lambda m: plain(m[2], m[1], m[3]), text)


def first_word(text: str) -> str:
    """The word a line begins with."""
    match = _FIRST_WORD.match(text.strip())
    return match[0] if match else ""


def similar_commands(word: str) -> tuple[str, ...]:
    """Commands a misspelled word may stand for; none if it is spelled right or like nothing we know."""
    if len(word) < 4 or word in COMMAND_WORDS:
        return ()
    return tuple(difflib.get_close_matches(word, COMMAND_WORDS, n=2, cutoff=0.75))


@dataclass(frozen=True, slots=True)
class Asker:
    """The parser of commands."""

    parser: Lark
    names: Names

    def command(self, line: Line) -> Command:
        """The command on a line; raises lark's UnexpectedInput."""
        text = with_plain_phases(line.text).strip().rstrip(".。!")
        result: Command = _Clerk(self.names, line).transform(self.parser.parse(text))
        return result


@cache
def load_asker(map_name: str) -> Asker:
    """The parser of commands, with a map's powers as words."""
    names = load_names(map_name)

    def fill_in(terminal: TerminalDef) -> None:
        if terminal.name == "POWER":
            terminal.pattern = PatternRE(pattern(names.powers))
        elif isinstance(terminal.pattern, PatternRE) and terminal.name not in ("NAME", "REST", "PHASE", "BLANK"):
            terminal.pattern = PatternRE(rf"(?:{terminal.pattern.value})(?![a-z0-9-])")

    grammar = (shipped("grammar") / "commands.lark").read_text("utf-8")
    parser = Lark(grammar, parser="lalr", lexer="contextual", edit_terminals=fill_in)
    return Asker(parser, names)


@v_args(inline=True)
class _Clerk(Transformer[Token, Any]):
    """One method per command."""

    def __init__(self, names: Names, line: Line) -> None:
        super().__init__()
        self.names = names
        self.line = line

    def create(self, _: Token, name: Token) -> Create:
        return Create(str(name))

    def join(self, _: Token, name: Token, *rest: Token) -> Join:
        powers = [self.names.powers[" ".join(token.split())] for token in rest if token.type == "POWER"]
        power: Power | None = powers[0] if powers else None
        return Join(str(name), power)

    def observe(self, _: Token, name: Token) -> Observe:
        return Observe(str(name))

    def use_game(self, _: Token, name: Token) -> UseGame:
        return UseGame(str(name))

    def phase(self, token: Token) -> Phase:
        return Phase(Season(token[0].upper()), int(token[1:5]), PhaseKind(token[5].upper()))

    def for_phase(self, _: Token, phase: Phase) -> ForPhase:
        return ForPhase(phase)

    def process(self, _: Token, phase: Phase) -> Process:
        return Process(phase)

    def ready(self, _: Token) -> SetReady:
        return SetReady(ready=True)

    def not_ready(self, _: Token) -> SetReady:
        return SetReady(ready=False)

    def status(self, _: Token, name: Token | None = None) -> Status:
        return Status(str(name) if name else None)

    def list_games(self, _: Token) -> ListGames:
        return ListGames()

    def help(self, _: Token, topic: Token | None = None) -> Help:
        return Help(_TOPICS.get(str(topic), HelpTopic.START))

    def set_language(self, *tokens: Token) -> SetLanguage:
        return SetLanguage(_LANGUAGES[str(tokens[-1])])

    def set_zone(self, *tokens: Token) -> SetZone:
        return SetZone(self._as_written(tokens[-1]))

    def set_name(self, *tokens: Token) -> SetName:
        return SetName(self._as_written(tokens[-1]))

    def clear(self, _: Token, unit: Token | None = None) -> Clear:
        if unit is None:
            return Clear()
        words = normal_form(str(unit)).text.split()
        places = self.names.places[words[-1]]
        kind = UnitKind.FLEET if words[0] in ("f", "fleet") else UnitKind.ARMY
        return Clear(Unit(kind, Location(places[0])))

    def _as_written(self, token: Token) -> str:
        """The end of the line, in the letters it was written with."""
        words = len(token.split())
        return " ".join(self.line.written.split()[-words:])
