"""Positions of running games, read from reports of any judge or from words."""

from judge.language.adoption.amiss import Amiss, Fault, amiss_in, may_stand_on, position_on
from judge.language.adoption.reading import edited, mended, read_sheet
from judge.language.adoption.sheet import AS_SHOWN, MENDED, Lost, Sheet, in_lines, living

__all__ = [
    "AS_SHOWN",
    "MENDED",
    "Amiss",
    "Fault",
    "Lost",
    "Sheet",
    "amiss_in",
    "edited",
    "in_lines",
    "living",
    "may_stand_on",
    "mended",
    "position_on",
    "read_sheet",
]
