"""One phase as a line of JSON, for `judge adjudicate` and for reports.

The shape is close to the states of the `diplomacy` package; the keys are described in `docs/adjudicate.md`.
"""

from judge.rules.exchange.lines import adjudicate_line
from judge.rules.exchange.options import Json, read_option, read_options, write_options
from judge.rules.exchange.reading import Task, read_task
from judge.rules.exchange.writing import write_position, write_result, write_task

__all__ = [
    "Json",
    "Task",
    "adjudicate_line",
    "read_option",
    "read_options",
    "read_task",
    "write_options",
    "write_position",
    "write_result",
    "write_task",
]
