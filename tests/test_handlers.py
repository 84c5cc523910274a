"""Every command has one handler, in the table of the service or of the games."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import get_args

import pytest

import judge.games
from judge.commands import Command, GameCommand, Perhaps, SetMail, SetReady, SetReminders, Steering
from judge.games import handlers as of_games
from judge.games.persons import CHANGES
from judge.games.request import on, table
from judge.games.showing import show
from judge.service.talk import adopting, all_games, founding, lists, of_a_game, oneself, reporting
from judge.service.talk.handlers import HANDLERS

ALL = set(get_args(Command)) - {Perhaps}
"""All commands but `Perhaps`.

The agenda unpacks it, and its handler is that of the command inside.
"""


def test_every_command_has_a_handler_and_no_other_class_has_one() -> None:
    assert set(HANDLERS) == ALL


def test_what_is_asked_of_a_game_has_its_handler_in_the_games() -> None:
    assert set(of_games.HANDLERS) == set(get_args(GameCommand)) | set(get_args(Steering))


def subjects() -> Iterator[ModuleType]:
    """Yield the modules of the games with handlers, including those not used anywhere yet."""
    for found in iter_modules(judge.games.__path__, "judge.games."):
        module = import_module(found.name)
        if hasattr(module, "HANDLERS") and module is not of_games and not found.name.endswith(".handling"):
            yield module


def test_the_table_of_the_games_holds_those_of_all_its_subjects() -> None:
    rows = [kind for subject in subjects() for kind in subject.HANDLERS]
    assert len(rows) == len(set(rows))
    assert set(rows) == set(of_games.HANDLERS)


def test_no_command_has_two_handlers() -> None:
    modules = (of_a_game, all_games, founding, adopting, oneself, lists, reporting)
    assert sum(len(module.HANDLERS) for module in modules) == len(HANDLERS)
    with pytest.raises(AssertionError, match="two handlers"):
        table(on(SetReady, show), on(SetReady, show))


def test_what_changes_a_person_is_done_by_one_handler_but_for_what_has_more_to_do() -> None:
    others = {kind for kind in CHANGES if HANDLERS[kind] is not oneself.change_oneself}
    assert others == {SetMail, SetReminders}
