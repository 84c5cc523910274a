"""Read lines that ask something of the judge."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product

from lark.exceptions import LarkError

from judge.commands import Absence, AsWritten, Command, Help, Override, Perhaps, Process, Talk
from judge.language.asking.builder import load_asker
from judge.language.asking.consent import answer_of
from judge.language.asking.data import example_of, hint_of, latin_words_for, pattern_of, run_on_words_for, words_for
from judge.language.asking.fitting import as_asked_by, fitted, is_past, meant
from judge.language.asking.intent import IS_MEANT, NOTHING, intents
from judge.language.asking.named import powers_in, powers_named
from judge.language.asking.own_acts import is_no_absence_to_come, is_of_others_away, own_acts
from judge.language.asking.passing_on import words_to_pass_on
from judge.language.asking.phrases import Entry, entry_called, load_phrases
from judge.language.asking.sentences import (
    Said,
    line_as_command,
    said,
    wished,
    with_reason,
    without_reason,
)
from judge.language.asking.slots import meant_by
from judge.language.context import Context, Role
from judge.language.faults import Fault, FaultKind
from judge.language.times import phases_in, read_moment, read_period, with_plain_phases
from judge.language.words import SHIPPED, Line, load_lexicon, normal_form
from judge.language.words.shipped import likely_spoken
from judge.language.words.tongue import HIRAGANA, LATIN_LETTERS, is_japanese
from judge.language.writing import line_in
from judge.rules.position import Phase

_UNITS_OF_A_COMPARISON = 400
"""The cost of comparing a word with all commands, in units of the budget."""
_FIRST_WORD = re.compile(rf"[{LATIN_LETTERS}]+|[^\x00-\x7f ]+")
_SENTENCE_END = re.compile(r"[\s.。!、]+$")
_COMMAND_WORD = re.compile(r"[A-Z]{4,}(?![A-Za-z])")
"""A word in capitals, which marks a command."""
_SUBJECT = re.compile(r"\[[a-z][a-z0-9-]*\] ")
"""How the subjects of the judge's letters begin."""
_HIRAGANA = re.compile(f"[{HIRAGANA}]")
_LONGEST_COMMAND = 100
_FEW_WORDS = 3
_HINTS = (FaultKind.INCOMPLETE_COMMAND, FaultKind.MALFORMED_COMMAND, FaultKind.UNKNOWN_COMMAND)

_LEAST_LIKE = 4
_LONGEST_SENTENCE, _LONGEST_ANSWER, _LONGEST_TIME = 600, 10, 40
_WORDS_OF_A_REMARK, _LETTERS_OF_A_REMARK = 8, 15
"""The fewest words, or Japanese characters, of a request beside orders."""
_FEWEST_WORDS, _FEWEST_LETTERS = 2, 5
"""The fewest words, or Japanese characters, of a free sentence.

A few Japanese characters are a word.
"""
_UNITS_OF_INTENT = 250
"""The cost of weighing a sentence, in units of the budget."""
_NO_TOPICS = ("help", "game")
_HELP, _TO_THE_MASTER, _ABSENCES = "help", "press_to_master", ("absence", "no_absence")


def without_politeness(text: str) -> str:
    """Return the text without polite words."""
    text = _SENTENCE_END.sub("", text.strip())
    if text.startswith(words_for("questions")):
        text = text.rstrip("? ")
    polite = pattern_of("%s", "polite")
    while (shorter := _SENTENCE_END.sub("", polite.sub("", text))) != text:
        text = shorter
    return text


def first_word(text: str) -> str:
    """Return the first word of a line."""
    match = _FIRST_WORD.match(text.strip())
    return match[0] if match else ""


@lru_cache(maxsize=1024)
def similar_commands(word: str, map_name: str) -> tuple[str, ...]:
    """Return the commands that a misspelled word may mean.

    Empty if it is spelled correctly, or not similar to a command.
    """
    if not _may_be_misspelled(word, map_name):
        return ()
    # A Japanese word has few characters, and the particles attached to it count too.
    cutoff = 0.75 if not is_japanese(word) else 0.8
    near = [one for one in _single_words(map_name) if 2 * min(len(one), len(word)) >= cutoff * (len(one) + len(word))]
    return tuple(difflib.get_close_matches(word, near, n=2, cutoff=cutoff))


def _may_be_misspelled(word: str, map_name: str) -> bool:
    is_known = word in _single_words(map_name) or word in load_lexicon(map_name, SHIPPED).plain
    return len(word) >= _LEAST_LIKE and not is_known


@cache
def _single_words(map_name: str) -> tuple[str, ...]:
    """Return the command words that a misspelled word may stand for."""
    return tuple(sorted(word for word in load_asker(map_name).words - load_phrases().leads if " " not in word))


@dataclass(frozen=True, slots=True)
class Asked:
    """A line that is a command: its requests, or what is wrong with it."""

    requests: tuple[Command, ...] = ()
    faults: tuple[Fault, ...] = ()


def asked(line: Line, number: int, context: Context) -> Asked | None:
    """Return the command on a line, or None."""
    talk = _talk(line, context) or _passed_on(line, context)
    if talk is not None:
        return Asked((talk,))
    misaddressed = _misaddressed(line, number, context)
    if misaddressed is not None:
        return misaddressed
    if len(line.text) > _LONGEST_COMMAND and not _is_command_with_a_reason(line):
        return _misread(line, number, context)
    return _in_few_words(line, number, context)


def _is_command_with_a_reason(line: Line) -> bool:
    return line.written.lstrip()[:_LEAST_LIKE].isupper() and len(without_reason(line)[0]) <= _LONGEST_COMMAND


def _passed_on(line: Line, context: Context) -> Command | None:
    may_be_press = context.hears_sentences and pattern_of("%s", "may_pass_on").search(line.text) is not None
    return words_to_pass_on(line, context) if may_be_press else None


def _in_few_words(line: Line, number: int, context: Context) -> Asked | None:
    """Return what a command, or a sentence for one, asks for."""
    text, reason = without_reason(line)
    found = _in_one_of_our_words(text, reason, line, number, context)
    if found is not None and found.requests and not any(map(lacks_time, found.requests)):
        is_polite = without_politeness(line.text) != line.text.strip()
        return replace(found, requests=as_asked_by(found.requests, line, context)) if is_polite else found
    if found is None and (misread := _misread(line, number, context)) is not None:
        return misread
    sentence = wished(line, context) or said(line, reason, len(text), context) if context.hears_sentences else None
    if sentence is None:
        return _unless_it_only_hints(found, line, context)
    return answered(sentence, line, number, context)


def _unless_it_only_hints(found: Asked | None, line: Line, context: Context) -> Asked | None:
    """Return `found`, unless it is only a hint that does not fit the line.

    A hint is dropped if the line tells something past, refuses, asks a question, or is about others.
    """
    if found is None:
        return None
    is_untimed = any(map(lacks_time, found.requests))
    if is_untimed and (is_past(line) or pattern_of("%s", "asks_whether").search(line.text)):
        return None
    is_hint = bool(found.requests) or any(fault.kind in _HINTS for fault in found.faults)
    # A refusal is not an incomplete command. A remark that others are away is none either.
    if is_hint and (pattern_of("%s", "negated").search(line.text) or is_of_others_away(line, context)):
        return None
    return found


def intended(line: Line, number: int, context: Context) -> Asked | None:
    """Return what a free sentence asks for by its likeness to known sentences.

    The result may be empty. None if no command is likely enough.
    """
    text = line.text.strip()
    if not context.hears_sentences or not _is_a_sentence(text):
        return None
    if pattern_of("%s", "of_a_robot").search(text):
        return Asked()
    if context.is_beside_orders and (text.endswith(":") or _is_a_remark(text)):
        return None
    context.budget.charge(_UNITS_OF_INTENT)
    ranked = intents(text, context)
    likelihood, key = ranked[0]
    if context.role is Role.PLAYER and is_of_others_away(line, context) and powers_named(text, context):
        likelihood, key = 1.0, _TO_THE_MASTER
    if likelihood < IS_MEANT or (key in _ABSENCES and is_of_others_away(line, context)):
        return None
    if key == NOTHING:
        return None if _COMMAND_WORD.match(line.written.lstrip()) else Asked()
    meant = _help_on(ranked, line) if key == _HELP else meant_by(key, line, context)
    return None if meant is None else answered(meant, line, number, context)


def _help_on(ranked: Sequence[tuple[float, str]], line: Line) -> Said:
    """Return HELP; for a question about a command, HELP on the most likely command."""
    entries = {
        one.key: one
        for one in load_phrases().entries
        if any(word in line.text for word in one.words) and not one.makes.card.steers
    }
    topic = next((entries[key] for _, key in ranked[1:] if key in entries and key not in _NO_TOPICS), None)
    if pattern_of("%s", "asks_about").search(line.text) is None:
        topic = None
    return Said(entry_called(_HELP), (Help("start"),)) if topic is None else Said(topic, is_about=True)


def _is_a_remark(text: str) -> bool:
    """Whether a line is no request: short, with a link or subject, or only kanji.

    A subject is that of one of the judge's letters. Lines of only kanji hold names.
    """
    if "://" in text or _SUBJECT.search(text):
        return True
    if not is_japanese(text):
        return len(text.split()) < _WORDS_OF_A_REMARK
    return len(text) < _LETTERS_OF_A_REMARK or _HIRAGANA.search(text) is None


def _is_a_sentence(text: str) -> bool:
    if "@" in text and len(text.split()) < _FEW_WORDS and not is_japanese(text):
        return False  # a line of a mail's header, or of a signature
    is_short = len(text) < _FEWEST_LETTERS if is_japanese(text) else len(text.split()) < _FEWEST_WORDS
    if is_short or len(text) > _LONGEST_SENTENCE or pattern_of("%s", "only_greets").match(text):
        return False
    if len(text) <= _LONGEST_ANSWER and answer_of(text) is not None:
        return False
    return len(text) > _LONGEST_TIME or (read_period(text) is None and read_moment(text) is None)


def answered(sentence: Said, line: Line, number: int, context: Context) -> Asked | None:
    """Return the answer to a sentence.

    The answer is the requests of the sentence, else a fault with the line to send.
    A question about a command gets HELP on it.
    """
    changes = any(isinstance(one, Perhaps) or one.card.is_final for one in sentence.requests) or not sentence.requests
    if sentence.is_about or (changes and pattern_of("%s", "asks_about").search(line.text)):
        helping = line_as_command(normal_form(f"help {_in_tongue_of(line, sentence.entry)[0]}"), context)
        if helping is not None:
            return Asked((helping,))
    fit = fitted(sentence, line, context)
    if fit is None:
        return None
    sentence = fit
    if sentence.requests:
        requests = with_reason(sentence.requests, without_reason(line)[1])
        own = own_acts(requests, line, context)
        return Asked(own) if own else None
    if issubclass(sentence.entry.makes, Absence) and is_no_absence_to_come(line, context):
        return None
    either = tuple(dict.fromkeys(filter(None, (_line_for(one, line, context) for one in sentence.either))))
    if len(either) > 1:
        return faulty(FaultKind.UNSURE, number, line, either)
    example = either[0] if either else _line_for(sentence, line, context)
    return faulty(FaultKind.INCOMPLETE_COMMAND, number, line, (example,)) if example else None


def _line_for(sentence: Said, line: Line, context: Context) -> str:
    """Return the line to send for what a sentence asks for.

    If the sentence is incomplete, it is an example.
    """
    if sentence.requests and not any(isinstance(getattr(one, "command", one), Talk) for one in sentence.requests):
        return line_in(likely_spoken(line.text)[0], _of_the_open_phase(sentence.requests[-1], context))
    words = _in_tongue_of(line, sentence.entry)
    powers = [
        line.written[slice(*line.span(*found.span()))] for found in powers_in(context.map.name).finditer(line.text)
    ]
    powers = list(dict.fromkeys(powers))
    hint = hint_of(sentence.entry.key, likely_spoken(line.text)[0], context.map.name, powers)
    return hint or next(filter(None, (_example(word, context) for word in words)), "")


def _of_the_open_phase(request: Command, context: Context) -> Command:
    """Return PROCESS with the open phase; other commands are unchanged."""
    command = meant(request)
    if isinstance(command, Process) and command.phase is None:
        return replace(command, phase=context.board.phase)
    return request


def lacks_time(command: Command) -> bool:
    """Whether the command has a time or zone that was not understood."""
    told = [getattr(command, name) for name in ("period", "moment", "length", "zone") if hasattr(command, name)]
    return any(isinstance(one, AsWritten) and one.meant is None for one in told)


def _in_tongue_of(line: Line, entry: Entry) -> list[str]:
    """Return the words of a command, first those in the language of the line."""
    own = entry.own_words.get(likely_spoken(line.text)[0], ())
    return sorted(entry.words, key=lambda word: word not in own)


def _in_one_of_our_words(text: str, reason: str, line: Line, number: int, context: Context) -> Asked | None:
    """Return what a line that begins with a command word asks for, or its fault."""
    text = _verb_first(without_politeness(text), context)
    word = first_word(text)
    if _may_begin(text, context):
        try:
            command = _command(text, line, context)
        except LarkError:  # a word in the wrong place, or an unknown topic, language or unit
            is_whole = _example(text.strip(), context) is not None  # such as HAND OVER with nothing behind it
            if is_whole or (word in _single_words(context.map.name) and first_word(line.text).startswith(word)):
                return _what_is_wrong(word, text, line, number, context)
        else:
            return Asked((replace(command, reason=reason) if isinstance(command, Override) else command,))
    return _no_command_of_ours(word, text, line, number, context)


def _talk(line: Line, context: Context) -> Command | None:
    """Return the press, note or announcement that a line begins, with its text.

    The text stands behind the colon.
    """
    head, _, text = line.text.partition(":")
    if len(head) > 2 * _LONGEST_COMMAND:  # even with polite words
        return None
    head = _verb_first(_nameless_first(without_politeness(head)), context)
    if len(head) > _LONGEST_COMMAND or not head.startswith(_words_of_talk()):
        return None
    try:
        command = _command(head, line, context)
    except LarkError:
        return None
    if not isinstance(command, Talk):
        return None
    start, end = line.span(len(line.text) - len(text), len(line.text))
    return replace(command, text=line.written[start:end].strip() if text.strip() else "")


@cache
def _words_of_talk() -> tuple[str, ...]:
    """Return the words that begin press, notes and announcements."""
    return tuple(word for entry in load_phrases().entries if issubclass(entry.makes, Talk) for word in entry.words)


def _nameless_first(head: str) -> str:
    """Return `匿名でオーストリアへ密書` as `匿名の密書 オーストリア`."""
    match = pattern_of("%s", "nameless_in_a_sentence").match(head)
    return f"{load_phrases().words_of('anonymous_press')[-1]} {match['to'] or match['toward']}" if match else head


@cache
def _press_to() -> re.Pattern[str]:
    """Return a pattern for Japanese press words, which may have a blank before the addressee."""
    to, an = (f"(?:{'|'.join(words)})" for words in (latin_words_for("press_to"), run_on_words_for("press_to")))
    return re.compile(rf"\s*(?:{to} +(?P<to>[^:]+?)|{an}[ :]+(?P<an>[^:\s][^:]*?))\s*(?P<colon>:|$)")


def _misaddressed(line: Line, number: int, context: Context) -> Asked | None:
    """Return a fault for press to an unknown addressee.

    The text behind and below is for that addressee only.
    """
    match = _press_to().match(line.text)
    named = match["to"] or match["an"] if match else None
    if match is None or not named or named.strip() in context.lexicon.names.places:
        return None
    is_sure = line.written.lstrip()[:5].isupper() or match["an"]
    if not is_sure and not (match["colon"] == ":" and line.text.lstrip().startswith("press to ")):
        return None
    known = context.lexicon.names.powers
    unknown = next(
        (piece for piece in pattern_of("%s", "between_powers").split(named) if piece.strip() not in known), named
    ).strip()
    start, end = line.span(
        *(match.start("to" if match["to"] else "an") + named.find(unknown) + n for n in (0, len(unknown)))
    )
    powers = context.map.powers
    return Asked((), (Fault(FaultKind.UNKNOWN_ADDRESSEE, number, start, end, line.written[start:end], powers),))


def _misread(line: Line, number: int, context: Context) -> Asked | None:
    """Return a fault for an unreadable heading of press.

    The text behind it is sent to no player.
    """
    if pattern_of("%s", "near_press").search(line.text) is None:
        return None
    from judge.language.asking.misread import misread_heading  # noqa: PLC0415 - few lines are like press

    found = misread_heading(line, context)
    if found is None:
        return None
    head, meant = found
    start, end = line.span(line.text.find(head), line.text.find(head) + len(head))
    return Asked((), (Fault(FaultKind.UNKNOWN_COMMAND, number, start, end, line.written[start:end], (meant,)),))


def _may_begin(text: str, context: Context) -> bool:
    return text.startswith(load_asker(context.map.name).beginnings)


def _command(text: str, line: Line, context: Context) -> Command:
    """Return the command in a text; raise LarkError if there is none."""
    asker = load_asker(context.map.name)
    phase = context.position.phase if context.position else None
    try:
        command = asker.command(text, text, line, context)
    except LarkError:
        plain = _plain(text, phase)
        if plain == text:
            raise
        return asker.command(text, plain, line, context)
    # In HISTORY S1M, S1M is a phase, not the name of a game.
    if phases_in(getattr(command, "game", None) or "", phase):
        with suppress(LarkError):
            other = asker.command(text, _plain(text, phase), line, context)
            return command if getattr(other, "game", None) else other
    return command


def _plain(text: str, phase: Phase | None) -> str:
    return " ".join(with_plain_phases(text, phase).split())


def _verb_first(text: str, context: Context) -> str:
    """Return a Japanese command with its verb first: `ardennes に参加` as `参加 ardennes`."""
    if not is_japanese(text) or text.startswith(load_phrases().words_of("help")):
        return text
    endings = load_asker(context.map.name).endings
    if not text.endswith(endings):
        return text
    ending = next(word for word in endings if text.endswith(word))
    head = text[: len(text) - len(ending)]
    if ending in words_for("verbs_of_joining") and pattern_of(r"[a-z][a-z0-9-]*\s*%s$", "into").fullmatch(head.strip()):
        return text
    done_to = pattern_of(r"(?:\s|%s)+$", "particles").sub("", head)
    if not done_to:
        return text
    may_be_done = ending in words_for("verbs_of_all") or head.startswith(words_for("objects"))
    if _may_begin(head, context) and not may_be_done and done_to not in load_phrases().words_of("game"):
        return text
    return f"{ending} {done_to}"


def _what_is_wrong(word: str, text: str, line: Line, number: int, context: Context) -> Asked | None:
    """Return what is wrong with a line that begins with a command.

    None if the line may be small talk.
    """
    command, *rest = text.replace(":", " ").split()
    rest = rest[1:] if rest and rest[0] in load_phrases().words_of("game") else rest
    shouted = line.written.lstrip()[: len(word)].isupper() or is_japanese(word)
    apart = load_phrases().apart
    if word in context.lexicon.names.places:
        return None  # ルール also means the Ruhr
    if not shouted and (
        word in apart["in_sentences"]
        or text.startswith(tuple(load_phrases().leads))
        or apart["no_games"].intersection(rest[:1])
    ):
        return None
    example = _example(" ".join((command, *rest)), context)
    if not rest or example:
        kind = FaultKind.INCOMPLETE_COMMAND if example else FaultKind.MALFORMED_COMMAND
        return faulty(kind, number, line, (example or word,))
    if command == "create" and rest[0] in ("a", "an", "new", "the"):
        return faulty(FaultKind.INCOMPLETE_COMMAND, number, line, (str(_example(command, context)),))
    if command in load_phrases().words_of("create") and (shouted or len(rest) < _FEW_WORDS):
        return faulty(FaultKind.BAD_GAME_NAME, number, line, word="".join(rest) and _tail(line, rest))
    if command == "join" and len(rest) > 2 and rest[1] == "as":
        return faulty(FaultKind.UNKNOWN_POWER, number, line, context.map.powers, word=_tail(line, rest[2:]))
    if len(rest) < _FEW_WORDS:
        return faulty(FaultKind.MALFORMED_COMMAND, number, line, (word,))
    return None


def _example(command: str, context: Context) -> str | None:
    """Return an example of a command that lacks its end, or None."""
    return example_of(command, context.map.name, str(context.board.phase))


def _no_command_of_ours(word: str, text: str, line: Line, number: int, context: Context) -> Asked | None:
    """Return a fault for a misspelled command, or for a command of other judges only."""
    start = line.text.find(word)
    if not word or start < 0:
        return None
    span = line.span(start, start + len(word))
    shouted = line.written[span[0] : span[1]].isupper()
    others = text.split()[1:]
    of_others = load_phrases().apart["of_other_judges"]
    if word in of_others and (shouted or not others or (word == "press" and others[0] == "to")):
        return Asked((), (Fault(FaultKind.NO_SUCH_COMMAND, number, *span, line.written[span[0] : span[1]]),))
    if word in of_others or word in context.lexicon.terminals:
        return None
    if _may_be_misspelled(word, context.map.name):
        context.budget.charge(_UNITS_OF_A_COMPARISON)
    similar = similar_commands(word, context.map.name)
    if not similar:
        return None
    is_short = len(others) < _FEW_WORDS
    may_be_misspelled = _may_stand_for(similar, word, text, line.written[slice(*span)], line, context)
    if not (may_be_misspelled and (is_short or not is_japanese(word))) and not (is_short and shouted):
        return None
    return Asked((), (Fault(FaultKind.UNKNOWN_COMMAND, number, *span, line.written[span[0] : span[1]], similar),))


def _may_stand_for(commands: Sequence[str], word: str, text: str, written: str, line: Line, context: Context) -> bool:
    """Whether a word is a misspelled command, and not a name below a mail.

    With the words behind it, a corrected Latin word must form a command.
    """
    if is_japanese(word):
        return True
    rest = text.removeprefix(word)
    if not rest.strip():
        return written.islower()
    behind = line.written.partition(written)[2].strip()[:1]
    is_named = behind.isupper() and not written.islower() and not rest.startswith(" to ")
    if rest[0] not in " :" or is_named:
        return False  # `john@example.com`, `John Smith`
    head = rest.partition(":")[0] if rest.strip(": ") else rest  # the text of press is behind its colon
    for command, tail in product(commands, dict.fromkeys((rest, head))):
        try:
            _command(command + tail, line, context)
        except LarkError:
            continue
        return True
    return False


def _tail(line: Line, words: Sequence[str]) -> str:
    """Return the last words of a line as they were written."""
    start = line.text.find(words[0])
    end = line.text.rfind(words[-1]) + len(words[-1])
    first, last = line.span(start, end)
    return line.written[first:last]


def faulty(
    kind: FaultKind, number: int, line: Line, candidates: Sequence[str] = (), *, word: str | None = None
) -> Asked:
    """Return a line with one fault, about a word or the whole line."""
    written = line.written.strip() if word is None else word
    start = max(0, line.written.rfind(written))
    return Asked((), (Fault(kind, number, start, start + len(written), written, tuple(candidates)),))
