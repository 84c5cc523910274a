"""The questions of a letter, as JSON in its row."""

from __future__ import annotations

from pydantic import TypeAdapter

from judge.commands.question import Question

_QUESTIONS: TypeAdapter[tuple[Question, ...]] = TypeAdapter(tuple[Question, ...])


def write_questions(asks: tuple[Question, ...]) -> str:
    """Return questions as JSON, without the fields that have their defaults."""
    return _QUESTIONS.dump_json(asks, exclude_defaults=True).decode()


def read_questions(text: str) -> tuple[Question, ...]:
    """Read what `write_questions` wrote."""
    return _QUESTIONS.validate_json(text)
