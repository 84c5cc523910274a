"""`judge sample-report`: a report as players get it."""

from __future__ import annotations

from typing import Annotated

import typer

from judge.languages import Language
from judge.service.sample import sample_report


def sample_report_command(
    language: Annotated[Language, typer.Option(help="The language of the report.")] = Language.ENGLISH,
) -> None:
    """Print the report of a made-up phase, to see what players get."""
    print(sample_report(language))
