"""Reasons for refusing a request, one module per subject.

Each is a small class with the values for its sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.games.refusals import access, coming, course, founding, oneself, orders, talk
from judge.games.refusals.access import *
from judge.games.refusals.coming import *
from judge.games.refusals.course import *
from judge.games.refusals.founding import *
from judge.games.refusals.oneself import *
from judge.games.refusals.orders import *
from judge.games.refusals.talk import *

Refusal: TypeAlias = (
    access.Refusal
    | founding.Refusal
    | coming.Refusal
    | orders.Refusal
    | course.Refusal
    | talk.Refusal
    | oneself.Refusal
)


@dataclass(frozen=True, slots=True)
class Refused:
    """The request was refused, and why."""

    why: Refusal
