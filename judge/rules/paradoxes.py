"""Convoy paradoxes: questions about fleets whose answers depend on each other (DATC 4.A.2).

Every question has a table with its answer for each combination of the answers it depends on.
What follows from the tables does not depend on the order in which they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from judge.rules.position import Province

Answers = Mapping[Province, bool]
Table = Sequence[tuple[Answers, bool]]
"""Rows of conditions and the answer under them; exactly one row holds at a time."""


class OpenQuestionError(Exception):
    """An answer depends on a question that is still open; `table` always catches this."""

    def __init__(self, place: Province) -> None:
        """Keep the open question."""
        super().__init__(place)
        self.place = place


def table(ask: Callable[[Answers], bool], given: Answers | None = None) -> Table:
    """Ask under every combination of answers that matters, and return the rows.

    `ask` raises OpenQuestionError for an answer it needs.
    """
    given = given or {}
    try:
        return [(given, ask(given))]
    except OpenQuestionError as error:
        return [row for answer in (False, True) for row in table(ask, {**given, error.place: answer})]


def settle(tables: Mapping[Province, Table]) -> tuple[dict[Province, bool], frozenset[Province]]:
    """Return the answers that follow, and the questions of one paradox, if there is one.

    The paradox is one that keeps the remaining questions from being answered.
    Questions in a circle depend on each other. They get the answers on which all consistent combinations agree.
    If no combination is consistent, or they agree on nothing, the circle is a paradox.
    """
    known: dict[Province, bool] = {}
    while True:
        open_ = _still_open(tables, known)
        if not open_:
            return known, frozenset()
        circle = _innermost_circle(open_)
        consistent = [
            answers for answers in _combinations(circle) if all(_read(open_[q], answers) == answers[q] for q in circle)
        ]
        agreed = {q: answers[q] for answers in consistent[:1] for q in circle if len({a[q] for a in consistent}) == 1}
        if not agreed:
            return known, frozenset(circle)
        known |= agreed


def _still_open(tables: Mapping[Province, Table], known: dict[Province, bool]) -> dict[Province, Table]:
    """Return the tables without rows ruled out by `known`; add settled questions to `known`.

    A question is settled when only one answer is left in its table.
    """
    while True:
        open_: dict[Province, Table] = {}
        before = len(known)
        for question in tables.keys() - known.keys():
            rows = [row for row in tables[question] if all(known.get(q, a) == a for q, a in row[0].items())]
            if len({answer for _, answer in rows}) == 1:
                known[question] = rows[0][1]
            else:
                open_[question] = [({q: a for q, a in row.items() if q not in known}, answer) for row, answer in rows]
        if len(known) == before:
            return open_


def _innermost_circle(open_: Mapping[Province, Table]) -> list[Province]:
    """Return questions that depend on each other and on no others, sorted."""
    reached = {question: _turns_on(rows) for question, rows in open_.items()}
    for via in sorted(open_):
        for question in open_:
            if via in reached[question]:
                reached[question] = reached[question] | reached[via]
    return min(sorted(others) for question, others in reached.items() if all(question in reached[q] for q in others))


def _turns_on(rows: Table) -> frozenset[Province]:
    """Return the questions whose answer makes a difference."""
    asked = sorted({question for conditions, _ in rows for question in conditions})
    return frozenset(
        question
        for question in asked
        if any(_read(rows, answers) != _read(rows, {**answers, question: True}) for answers in _combinations(asked))
    )


def _combinations(questions: Sequence[Province]) -> Iterator[dict[Province, bool]]:
    return (dict(zip(questions, answers, strict=True)) for answers in product((False, True), repeat=len(questions)))


def _read(rows: Table, answers: Answers) -> bool:
    return next(answer for conditions, answer in rows if all(answers[q] == a for q, a in conditions.items()))
