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
    """The lines of a mail with its answers: those with a number always, a bare one where something was asked.

    What else may be a yes, as `OK`, is one only where the mail asks for nothing and orders nothing.
    """
    is_all = not any(not isinstance(request, Steering) for line in lines for request in line.requests)
    return tuple(_with_answer(line, context, is_all=is_all) for line in lines)


def _with_answer(line: ReadLine, context: Context, *, is_all: bool) -> ReadLine:
    if line.requests or len(line.text) > _LONGEST:
        return line
    text = normal_form(f" {line.text}").text.strip().rstrip(".! ")
    match = _numbered().fullmatch(text)
    if match is not None:
        words = match["before"] or match["after"]
        return _answered(line, is_yes=words in plain_answers(Consent.YES), numbers=_NUMBER.findall(text))
    if context.has_questions:
        for consent in (Consent.YES, Consent.NO):
            if text in plain_answers(consent) or (is_all and answer_of(line.text) is consent):
                return _answered(line, is_yes=consent is Consent.YES)
    return line


def _answered(line: ReadLine, *, is_yes: bool, numbers: Sequence[str] = ()) -> ReadLine:
    return replace(line, requests=(AnswerQuestion(is_yes, tuple(map(int, numbers))),), faults=())


@cache
def _numbered() -> re.Pattern[str]:
    """`yes 2`, `no to 1 and 3`, `2: yes`."""
    answers = sorted((*plain_answers(Consent.YES), *plain_answers(Consent.NO)), key=len, reverse=True)
    words = "|".join(map(re.escape, answers))
    number, between, behind = question_patterns()
    several = rf"{number}\d{{1,3}}(?:\s*{between}\s*{number}\d{{1,3}})*"
    return re.compile(rf"(?P<before>{words})[\s,:;-]*(?:to\s+)?{several}|{several}\s*{behind}\s*(?P<after>{words})")
