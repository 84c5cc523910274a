"""The machine-readable part of the mails of a world."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from judge.cli.verify import facts_in
from tests.office import Letterbox

SCHEMA = Path(__file__).parent.parent / "docs" / "facts.schema.json"


def facts_by_reader(box: Letterbox) -> dict[str, list[dict[str, Any]]]:
    """Map each address to the facts in its mails, without the files of EXPORT."""
    found: dict[str, list[dict[str, Any]]] = {}
    for recipient, letter in box.kept:
        found.setdefault(recipient, []).extend(dict(facts) for facts in facts_in(letter) if "kind" in facts)
    return found


@cache
def validator() -> Draft202012Validator:
    """Return a validator for the schema in the documents."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=FormatChecker())


def against_the_schema(facts: dict[str, Any]) -> tuple[str, ...]:
    """Return the places where facts differ from the schema."""
    return _against_the_schema(json.dumps(facts))


@cache
def _against_the_schema(facts: str) -> tuple[str, ...]:
    """Check the facts as text; cached, as most readers get the same facts."""
    return tuple(f"{error.json_path}: {error.message[:200]}" for error in validator().iter_errors(json.loads(facts)))
