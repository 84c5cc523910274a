"""Answers to questions about orders: `YES`, `NO`, `YES 2`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from judge.commands import AnswerQuestion, Steering
from judge.language.asking.consent import Consent, answer_of, plain_answers, question_patterns
from judge.language.context import Context
from judge.language.lines import ReadLine
from judge.language.words import normal_form

_LONGEST = 60
_NUMBER = re.compile(r"\d+")


def with_answers(lines: Sequence[ReadLine], context: Context) -> tuple[ReadLine, ...]:
    """Return the lines of a mail with answers to questions read.

    Numbered answers are always read, a bare one only if a question was asked.
    Other words for yes, such as `OK`, are answers only if the mail has no commands and no orders.
    """
    is_all = not any(not isinstance(request, Steering) for line in lines for request in line.requests)
    return tuple(_with_answer(line, context, is_all=is_all) for line in lines)


def _with_answer(line: ReadLine, context: Context, *, is_all: bool) -> ReadLine:
    if line.requests or len(line.text) > _LONGEST:
        return line
    text = _plain(line.text)
    numbered = numbered_answer(line.text)
    if numbered is not None:
        said, numbers = numbered
        return _answered(line, is_yes=said is Consent.YES, numbers=numbers)
    if context.has_questions:
        for consent in (Consent.YES, Consent.NO):
            if text in plain_answers(consent) or (is_all and answer_of(line.text) is consent):
                return _answered(line, is_yes=consent is Consent.YES)
    return line


def numbered_answer(line: str) -> tuple[Consent, tuple[int, ...]] | None:
    """Read `YES 1` or `no to 2 and 3` as answer and question numbers.

    None for any other line.

    >>> numbered_answer("Yes 1, 3")
    (<Consent.YES: 'yes'>, (1, 3))
    """
    text = _plain(line)
    match = _numbered().fullmatch(text) if len(line) <= _LONGEST else None
    if match is None:
        return None
    words = match["before"] or match["after"]
    said = Consent.YES if words in plain_answers(Consent.YES) else Consent.NO
    return said, tuple(map(int, _NUMBER.findall(text)))


def _plain(line: str) -> str:
    return normal_form(f" {line[: _LONGEST + 1]}").text.strip().rstrip(".! ")


def _answered(line: ReadLine, *, is_yes: bool, numbers: Sequence[int] = ()) -> ReadLine:
    return replace(line, requests=(AnswerQuestion(is_yes, tuple(numbers)),), faults=())


@cache
def _numbered() -> re.Pattern[str]:
    """Return a pattern for `yes 2`, `no to 1 and 3`, `2: yes`."""
    answers = sorted((*plain_answers(Consent.YES), *plain_answers(Consent.NO)), key=len, reverse=True)
    words = "|".join(map(re.escape, answers))
    number, between, behind = question_patterns()
    several = rf"{number}\d{{1,3}}(?:\s*{between}\s*{number}\d{{1,3}})*"
    return re.compile(rf"(?P<before>{words})[\s,:;-]*(?:to\s+)?{several}|{several}\s*{behind}\s*(?P<after>{words})")
