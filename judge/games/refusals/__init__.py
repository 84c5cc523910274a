"""Why a request was not done: one small class for each reason, with what its sentence needs; a room by subject."""

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
    """Not done, and why."""

    why: Refusal


__all__ = ["Refusal", "Refused"]
__all__ += access.__all__
__all__ += coming.__all__
__all__ += course.__all__
__all__ += founding.__all__
__all__ += oneself.__all__
__all__ += orders.__all__
__all__ += talk.__all__
