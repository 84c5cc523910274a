"""Lines that ask something of the judge."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import LarkError
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
from judge.language.faults import Fault, FaultKind
from judge.language.lexicon import load_lexicon
from judge.language.meaning import Context, own_units
from judge.language.names import Names, load_names, pattern
from judge.language.normal import Line
from judge.language.phases import with_plain_phases
from judge.language.words import VERBS
from judge.resources import shipped
from judge.rules.position import Phase, PhaseKind, Power, Season, Unit, UnitKind

_ENGLISH_WORDS = (
    *("create", "join", "observe", "game", "phase", "process", "ready", "not", "status", "list", "help", "set"),
    *("clear", "language", "zone", "name", "unready"),
)
_JAPANESE_WORDS = (
    *(
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
    ),
    *(
        "準備未完了",
        "準備できました",
        "完了",
        "状況",
        "一覧",
        "ヘルプ",
        "設定",
        "言語",
        "時間帯",
        "名前",
        "取消",
        "取り消し",
    ),
)
COMMAND_WORDS = (*_ENGLISH_WORDS, *_JAPANESE_WORDS)
_OF_OTHER_JUDGES = frozenset(
    (
        *("draw", "press", "broadcast", "resign", "undo", "wait", "nowait", "unwait", "vote", "concede", "signon"),
        *(
            "register",
            "whogame",
            "whois",
            "history",
            "log",
            "map",
            "summary",
            "absence",
            "absent",
            "vacation",
            "submit",
        ),
        *("eject", "pause", "resume", "start", "terminate", "rollback", "modify", "iam", "become", "extend", "erase"),
        *("leave", "quit", "victory", "preference", "diary", "echo", "info", "suspend", "abort", "decline"),
    )
)
_OF_OTHER_JUDGES_IN_JAPANESE = (
    *("引き分け", "引分け", "引分", "投票", "降伏", "投了", "棄権", "延期", "延長", "公式発言", "密書", "辞退", "退会"),
    *("巻き戻し", "一時停止", "再開", "開始", "地図", "履歴", "放棄"),
)
_FIRST_WORD = re.compile(r"[a-z]+|[^\x00-\x7f ]+")
_POLITE = re.compile(
    r"""^(?:please|pls|kindly|judge[,:])\s+
    |[\s,]+(?:please|pls|thanks|thank\ you)$
    |(?:を|の)?(?:を?教えて|を?見せて|を?送って|して|を?変更して)(?:ください|下さい)$
    |(?:を|の)?(?:を?お願い(?:し|致し|いたし)?ます|をお願い)$|し(?:ます|たいです|ました|たい)$|です$|ます$
    """,
    re.VERBOSE,
)
_SENTENCE_END = re.compile(r"[\s.。!、]+$")
_TOPICS = {
    "orders": HelpTopic.ORDERS,
    "commands": HelpTopic.COMMANDS,
    "master": HelpTopic.MASTER,
    "命令": HelpTopic.ORDERS,
    "コマンド": HelpTopic.COMMANDS,
    "管理人": HelpTopic.MASTER,
}
_LANGUAGES = {
    "en": Language.ENGLISH,
    "english": Language.ENGLISH,
    "英語": Language.ENGLISH,
    "ja": Language.JAPANESE,
    "japanese": Language.JAPANESE,
    "日本語": Language.JAPANESE,
}
_LONGEST_COMMAND = 100
_FEW_WORDS = 3


def _phase(text: str) -> Phase:
    return Phase(Season(text[0].upper()), int(text[1:5]), PhaseKind(text[5].upper()))


def without_politeness(text: str) -> str:
    """The text without the words that only make it polite."""
    text = _SENTENCE_END.sub("", text.strip())
    if text.startswith(("status", "list", "help", "状況", "一覧", "ヘルプ")):
        text = text.rstrip("? ")
    while (shorter := _SENTENCE_END.sub("", _POLITE.sub("", text))) != text:
        text = shorter
    return text


def first_word(text: str) -> str:
    """The word a line begins with."""
    match = _FIRST_WORD.match(text.strip())
    return match[0] if match else ""


@lru_cache(maxsize=1024)
def similar_commands(word: str) -> tuple[str, ...]:
    """Commands a misspelled word may stand for; none if it is spelled right or like nothing we know."""
    if len(word) < 4 or word in COMMAND_WORDS:
        return ()
    return tuple(difflib.get_close_matches(word, COMMAND_WORDS, n=2, cutoff=0.75))


@dataclass(frozen=True, slots=True)
class Asked:
    """A line that is a command: what it asks, or what is wrong with it."""

    requests: tuple[Command, ...] = ()
    faults: tuple[Fault, ...] = ()


def asked(line: Line, number: int, context: Context) -> Asked | None:
    """The command on a line; None if the line is none."""
    if len(line.text) > _LONGEST_COMMAND:
        return None
    text = without_politeness(line.text)
    word = first_word(text)
    japanese = not line.text.isascii() and any(command in text for command in _JAPANESE_WORDS)
    if word in COMMAND_WORDS or japanese or text in ("i am ready", "i'm ready"):
        try:
            return Asked((load_asker(context.map.name).command(text, line, context),))
        except LarkError:  # a word in the wrong place, or one that is no topic, language or unit
            if word in COMMAND_WORDS and word != "not" and first_word(line.text).startswith(word):
                return _what_is_wrong(word, text, line, number, context)
    return _no_command_of_ours(word, text, line, number, context)


def _what_is_wrong(word: str, text: str, line: Line, number: int, context: Context) -> Asked | None:
    """What is wrong with a line that begins with a command; None if it may be small talk."""
    command, *rest = text.replace(":", " ").split()
    rest = rest[1:] if rest[:1] in (["game"], ["ゲーム"]) else rest
    shouted = line.written.lstrip()[: len(word)].isupper() or not word.isascii()
    if not rest or (command == "set" and len(rest) == 1 and rest[0] in ("language", "zone", "name")):
        example = _example(" ".join((command, *rest)), context)
        kind = FaultKind.INCOMPLETE_COMMAND if example else FaultKind.MALFORMED_COMMAND
        return _faulty(kind, number, line, (example or word,))
    if command == "create" and rest[0] in ("a", "an", "new", "the"):
        return _faulty(FaultKind.INCOMPLETE_COMMAND, number, line, (str(_example(command, context)),))
    if command in ("create", "作成", "開設") and (shouted or len(rest) < _FEW_WORDS):
        return _faulty(FaultKind.BAD_GAME_NAME, number, line, word="".join(rest) and _tail(line, rest))
    if command == "join" and len(rest) > 2 and rest[1] == "as":
        return _faulty(FaultKind.UNKNOWN_POWER, number, line, context.map.powers, word=_tail(line, rest[2:]))
    if len(rest) < _FEW_WORDS:
        return _faulty(FaultKind.MALFORMED_COMMAND, number, line, (word,))
    return None


def _example(command: str, context: Context) -> str | None:
    """How a command that lacks its end might be written."""
    phase = context.board.phase
    return {
        "create": "CREATE ardennes",
        "作成": "作成 ardennes",
        "開設": "開設 ardennes",
        "join": "JOIN ardennes AS France",
        "参加": "参加 ardennes フランス",
        "observe": "OBSERVE ardennes",
        "観戦": "観戦 ardennes",
        "game": "GAME ardennes",
        "ゲーム": "ゲーム ardennes",
        "phase": f"PHASE {phase}",
        "フェイズ": f"フェイズ {phase}",
        "フェーズ": f"フェーズ {phase}",
        "process": f"PROCESS {phase}",
        "更新": f"更新 {phase}",
        "set": "SET LANGUAGE ja",
        "set language": "SET LANGUAGE ja",
        "language": "LANGUAGE ja",
        "言語": "言語 日本語",
        "set zone": "SET ZONE Asia/Tokyo",
        "zone": "ZONE Asia/Tokyo",
        "時間帯": "時間帯 Asia/Tokyo",
        "set name": "SET NAME Alice",
        "名前": "名前 秋山",
        "設定": "設定 言語 日本語",
    }.get(command)


def _no_command_of_ours(word: str, text: str, line: Line, number: int, context: Context) -> Asked | None:
    """A misspelled command, or one that only other judges have."""
    start = line.text.find(word)
    if not word or start < 0:
        return None
    span = line.span(start, start + len(word))
    shouted = line.written[span[0] : span[1]].isupper()
    others = text.split()[1:]
    if word in _OF_OTHER_JUDGES and (shouted or not others or (word == "press" and others[0] == "to")):
        return Asked((), (Fault(FaultKind.NO_SUCH_COMMAND, number, *span, line.written[span[0] : span[1]]),))
    if not word.isascii() and text.startswith(_OF_OTHER_JUDGES_IN_JAPANESE) and len(text) < 20:
        word = next(name for name in _OF_OTHER_JUDGES_IN_JAPANESE if text.startswith(name))
        span = line.span(start, start + len(word))
        return Asked((), (Fault(FaultKind.NO_SUCH_COMMAND, number, *span, line.written[span[0] : span[1]]),))
    if len(others) >= _FEW_WORDS or word in _OF_OTHER_JUDGES or word in load_lexicon(context.map.name).terminals:
        return None
    similar = similar_commands(word)
    if not similar:
        return None
    return Asked((), (Fault(FaultKind.UNKNOWN_COMMAND, number, *span, line.written[span[0] : span[1]], similar),))


def _tail(line: Line, words: Sequence[str]) -> str:
    """The last words of a line, as they were written."""
    start = line.text.find(words[0])
    end = line.text.rfind(words[-1]) + len(words[-1])
    first, last = line.span(start, end)
    return line.written[first:last]


def _faulty(
    kind: FaultKind, number: int, line: Line, candidates: Sequence[str] = (), *, word: str | None = None
) -> Asked:
    written = line.written.strip() if word is None else word
    start = max(0, line.written.rfind(written))
    return Asked((), (Fault(kind, number, start, start + len(written), written, tuple(candidates)),))


@dataclass(frozen=True, slots=True)
class Asker:
    """The parser of commands."""

    parser: Lark
    names: Names

    def command(self, text: str, line: Line, context: Context) -> Command:
        """The command in the text of a line; raises LarkError."""
        phase = context.position.phase if context.position else None
        plain = with_plain_phases(text, phase).strip()
        result: Command = _Clerk(self.names, line, text, context).transform(self.parser.parse(plain))
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

    def __init__(self, names: Names, line: Line, text: str, context: Context) -> None:
        super().__init__()
        self.names = names
        self.line = line
        self.text = text
        self.context = context

    def create(self, *tokens: Token) -> Create:
        return Create(_name(tokens))

    def join(self, *tokens: Token) -> Join:
        powers = [self.names.powers[" ".join(token.split())] for token in tokens if token.type == "POWER"]
        power: Power | None = powers[0] if powers else None
        return Join(_name(tokens), power)

    def observe(self, *tokens: Token) -> Observe:
        return Observe(_name(tokens))

    def use_game(self, _: Token, name: Token) -> UseGame:
        return UseGame(str(name))

    def phase(self, token: Token) -> Phase:
        return _phase(token)

    def for_phase(self, _: Token, phase: Phase) -> ForPhase:
        return ForPhase(phase)

    def process(self, *parts: Token | Phase) -> Process:
        return Process(next(part for part in parts if isinstance(part, Phase)))

    def ready(self, _: Token) -> SetReady:
        return SetReady(ready=True)

    def not_ready(self, _: Token) -> SetReady:
        return SetReady(ready=False)

    def status(self, *tokens: Token) -> Status:
        return Status(_name(tokens) or None)

    def list_games(self, *_: Token) -> ListGames:
        return ListGames()

    def help(self, _: Token, topic: Token | None = None) -> Help:
        return Help(_TOPICS.get(str(topic), HelpTopic.START))

    def set_language(self, *tokens: Token) -> SetLanguage:
        return SetLanguage(_LANGUAGES[_name(tokens)])

    def set_zone(self, *tokens: Token) -> SetZone:
        return SetZone(self._as_written(tokens[-1]))

    def set_name(self, *tokens: Token) -> SetName:
        return SetName(self._as_written(tokens[-1]))

    def clear(self, _: Token, unit: Token | None = None) -> Clear:
        lexicon = load_lexicon(self.context.map.name)
        words = [word for word in lexicon.words(str(unit or "")) if word.kind not in ("NO", "WO", "ALL")]
        if not words:
            return Clear()
        end = next((i for i, word in enumerate(words) if word.kind == "ARROW" or word.kind in VERBS), len(words))
        words = words[:end]  # `CLEAR A Par - Bur` is about A Par
        named = {word.kind: word.text for word in words}
        if len(named) < len(words) or not named.keys() <= {"POWER", "LETTER", "KIND", "PLACE", "COAST"}:
            raise LarkError(f"no unit: {unit}")
        kind = lexicon.kinds.get(named.get("LETTER") or named.get("KIND") or "")
        places = self.names.places.get(named.get("PLACE", ""), ())
        own = [found for found in own_units(self.context) if found.province in places and kind in (None, found.kind)]
        if own:
            return Clear(own[0])
        if not places:
            raise LarkError(f"no place: {unit}")
        return Clear(Unit(kind or UnitKind.ARMY, places[0]))

    def _as_written(self, token: Token) -> str:
        """The end of the line, in the letters it was written with."""
        start = self.line.text.rfind(str(token))
        first, last = self.line.span(start, start + len(token))
        return self.line.written[first:last].strip(':： "“”「」『』')


def _name(tokens: Sequence[Token]) -> str:
    return next((str(token) for token in tokens if token.type == "NAME"), "")
