"""The questions that a receipt asks.

They are its lines that wait for an answer. A reply is read against them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from datetime import datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from judge import commands as c
from judge.calendar import Ahead, MomentFault, Period, WallTime, moment_meant, period_meant
from judge.commands import AsWritten, Command
from judge.commands.question import Choice, Question
from judge.games import refusals
from judge.games.answers import AdoptionShown, Answer, Asked, DidYouMean, StatusShown
from judge.games.questions import open_questions
from judge.games.refusals import Refused
from judge.games.refused_lines import refused_lines
from judge.language import Fault, FaultKind
from judge.language.asking.fitting import EXAMPLE_ADDRESS
from judge.language.writing import command_in, command_line
from judge.reports.readers import AnsweredLine
from judge.rules.notation import write_order
from judge.service.post.questions import deadlines_to_choose
from judge.service.talk.handling import MailHandling

_LINES_TO_CHOOSE = (FaultKind.UNSURE, FaultKind.AMBIGUOUS_ORDER, FaultKind.INCOMPLETE_ORDER)
"""Faults whose candidates are lines that may be sent as they are.

The candidates of a line that is not understood are only examples.
"""
_WORDS_TO_CHOOSE = (FaultKind.UNKNOWN_PLACE, FaultKind.UNKNOWN_COMMAND)
"""Faults whose candidates stand for the faulty word."""
_MOST_CHOICES = 9
_OF_OTHERS = c.Talk | c.VoteDraw | c.Override | c.Invite | c.Create
"""Commands that others are told of at once; only a bare yes confirms them."""


def with_questions(
    handling: MailHandling, lines: Sequence[AnsweredLine]
) -> tuple[tuple[AnsweredLine, ...], tuple[Question, ...]]:
    """Return the lines of a receipt with their numbered choices, and its questions.

    The choices are shown below each line. The questions are all that the receipt asks.
    """
    asked = [list(_asked_by(handling, line)) for line in lines]
    _gather_games(handling, lines, asked)
    found = [question for row in asked for question in row]
    if not found:
        return tuple(lines), ()
    if sum(len(question.choices) for question in found) > 1:
        asked = _numbered(asked, _first_number(handling))
    shown = tuple(replace(line, choices=_shown(row)) for line, row in zip(lines, asked, strict=True))
    return shown, tuple(question for row in asked for question in row)


def _shown(questions: Sequence[Question]) -> tuple[Choice, ...]:
    return tuple(one for question in questions for one in question.choices if one.number and not _is_of_an_order(one))


def _is_of_an_order(choice: Choice) -> bool:
    """Whether the choice answers a question about an order.

    Such a question has its own number in the list of questions.
    """
    return choice.lines.startswith("YES ")


def _numbered(asked: list[list[Question]], first: int) -> list[list[Question]]:
    numbers = count(first)

    def numbered(choice: Choice) -> Choice:
        return choice if choice.number else replace(choice, number=next(numbers))

    return [[replace(one, choices=tuple(map(numbered, one.choices))) for one in row] for row in asked]


def _first_number(handling: MailHandling) -> int:
    """Return the first number that is free of questions about orders in the receipt."""
    games, person = handling.games.values(), handling.person.id
    taken = [one.number for game in games for one in open_questions(game, person)]
    taken += [one.number for game in games for one in refused_lines(game, person)]
    return max(taken, default=0) + 1


def _asked_by(handling: MailHandling, line: AnsweredLine) -> Iterator[Question]:
    for answer in line.answers:
        question = _of_an_answer(handling, answer)
        if question is not None:
            yield question
    for fault in line.faults:
        question = _of_a_fault(line.text, fault)
        if question is not None:
            yield question


def _of_an_answer(handling: MailHandling, answer: Answer) -> Question | None:
    match answer:
        case DidYouMean(command):
            is_bare = isinstance(command, _OF_OTHERS) or command.card.may_need_a_yes
            return Question((Choice(_lines_for(handling, command)),), needs_bare_yes=is_bare, is_settled_once=True)
        case AdoptionShown(name, lines):
            return Question((Choice(lines, f"ADOPT {name}"),), needs_bare_yes=True)
        case StatusShown(game, offers) if offers:
            return deadlines_to_choose(game, offers, handling.person)
        case Asked(number, order, is_more=False):
            return Question((Choice(f"YES {number}", write_order(order), number),), refusal=f"NO {number}")
        case Refused(refusals.WhichQuestion(numbers)):
            all_numbers = ", ".join(map(str, numbers))
            return Question(tuple(Choice(f"YES {one}", number=one) for one in numbers), refusal=f"NO {all_numbers}")
        case Refused(refusals.ReasonNeeded(command)):
            blank = f"{_lines_for(handling, command)} because {{}}"
            return Question(blank=blank, takes_any_words=True, is_settled_once=True)
    return None


def _of_a_fault(text: str, fault: Fault) -> Question | None:
    if not fault.candidates:
        return None
    if fault.kind in _LINES_TO_CHOOSE:
        blank = _unfinished(fault.candidates) if fault.kind is FaultKind.INCOMPLETE_ORDER else ""
        return Question(tuple(map(_line_chosen, fault.candidates[:_MOST_CHOICES])), blank=blank)
    if fault.kind in _WORDS_TO_CHOOSE:
        before, after = text[: fault.start], text[fault.end :]
        return Question(tuple(Choice(f"{before}{one}{after}", one) for one in fault.candidates[:_MOST_CHOICES]))
    if fault.kind is FaultKind.INCOMPLETE_COMMAND:
        return Question(blank=f"{command_in(fault.candidates[0])} {{}}", is_settled_once=True)
    return None


def _line_chosen(line: str) -> Choice:
    """Return the choice of a line that is shown.

    An address that is only an example is left out, and asked for once the line is chosen.
    """
    return Choice(" ".join(line.replace(EXAMPLE_ADDRESS, "").split()), line)


def _unfinished(orders: Sequence[str]) -> str:
    """Return the unit of all these orders, with a blank for its order.

    Return "" if the orders are for several units.
    """
    units = {tuple(order.split()[:2]) for order in orders}
    unit = units.pop()
    return " ".join((*unit, "{}")) if not units and unit[0] in ("A", "F") else ""


def _gather_games(handling: MailHandling, lines: Sequence[AnsweredLine], asked: list[list[Question]]) -> None:
    """Ask once which game is meant, for all lines that lack it."""
    lacking = [
        (place, request)
        for place, line in enumerate(lines)
        for request, answer in zip(line.requests, line.answers, strict=True)
        if isinstance(answer, Refused) and isinstance(answer.why, refusals.WhichGame)
    ]
    games = handling.own_games() if lacking and handling.is_registered else []
    if not games:
        return
    meant = "\n".join(_lines_for(handling, request) for _, request in lacking)
    choices = tuple(Choice(f"GAME {game.name}\n{meant}", game.name) for game in games[:_MOST_CHOICES])
    asked[lacking[-1][0]].append(Question(choices, is_settled_once=True))


def _lines_for(handling: MailHandling, command: Command) -> str:
    """Return lines that ask for a command without doubt, whenever they are read."""
    meant = command.command if isinstance(command, c.Perhaps) else command
    line = command_line(_dated(meant, handling.now, handling.person.zone or "UTC"))
    if isinstance(meant, c.Talk) and meant.text.strip():
        return f"{line}:\n{meant.text.strip()}\nEND"
    if isinstance(meant, c.Create | c.CheckSettings):
        return "\n".join([line, *(f"{name}: {value.text}" for name, value in meant.settings.items())])
    reason = getattr(meant, "reason", "")
    return f"{line} because {reason}" if reason else line


def _dated(command: Command, now: datetime, zone: str) -> Command:
    """Return the command with its dates written out.

    The answer may come on another day.
    """
    written = {one.name: getattr(command, one.name) for one in fields(command)}
    times = {name: _absolute(value, now, zone) for name, value in written.items() if isinstance(value, AsWritten)}
    return replace(command, **{name: replace(written[name], text=text) for name, text in times.items() if text})


def _absolute(written: AsWritten[object], now: datetime, zone: str) -> str:
    match written.meant:
        case Period() as period:
            days = period_meant(period, now, zone)
            if isinstance(days, MomentFault):
                return ""
            first, after = (day.astimezone(ZoneInfo(zone)) for day in days)
            return f"from {first:%Y-%m-%d} until {after - timedelta(days=1):%Y-%m-%d}"
        case Ahead() | WallTime() as moment:
            at = moment_meant(moment, now, zone)
            return "" if isinstance(at, MomentFault) else f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"
    return ""
