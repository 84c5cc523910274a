"""A mail read: the game it is about, and its lines, each on the board of the game that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from judge.commands import (
    Command,
    Doubted,
    GameCommand,
    Give,
    OrderFor,
    Perhaps,
    Press,
    PressToMaster,
    UseGame,
)
from judge.games import Game, PersonId
from judge.games.access import is_unknown_to
from judge.games.questions import open_questions
from judge.language import Context, ReadLine, read
from judge.language.asking.below import with_topic
from judge.language.faults import FaultKind
from judge.rules.map import load_map
from judge.rules.position import Power
from judge.service.talk.senders import Author
from judge.storage import Work

_OF_COMMANDS = (FaultKind.UNKNOWN_ADDRESSEE, FaultKind.UNKNOWN_COMMAND, FaultKind.MALFORMED_COMMAND)


def read_mail(work: Work, sender: Author, text: str) -> tuple[Game | None, tuple[ReadLine, ...]]:
    """The usual game of a mail and its lines."""
    game = _usual_game(work, sender)
    lines = list(read(text, context_of(game, sender)))
    for place, line in enumerate(lines):
        context = _context_below(work, sender, line, game)
        if context is not None:
            # Numbers count all lines: those above are left empty.
            below = "\n" * line.number + "\n".join(text.splitlines()[line.number :])
            lines[place + 1 :] = read(below, context)
    if sender.room is not None:
        return game, _in_answer_to_press(lines, text, Press(()))
    person = sender.person
    if sender.answers_master and game is not None and person is not None and person.id not in game.masters:
        return game, _in_answer_to_press(lines, text, PressToMaster())
    if sender.game is None and (person is None or not work.games.of_person(person.id)):
        return game, _without_what_needs_a_game(lines, context_of(None, sender))
    return game, tuple(lines)


def _without_what_needs_a_game(lines: Sequence[ReadLine], context: Context) -> tuple[ReadLine, ...]:
    """The lines of somebody without a game, who says `I would like to play`: no sentence of his asks it of a game.

    What is written as a command stands, and what names a game, and what is written below that.
    """
    plain = replace(context, hears_sentences=False)
    named = next((place for place, line in enumerate(lines) if any(map(_names_a_game, line.requests))), len(lines))
    return tuple(
        replace(line, requests=(), faults=()) if place < named and _is_asked_of_a_game(line, plain) else line
        for place, line in enumerate(lines)
    )


def _names_a_game(request: Command) -> bool:
    return getattr(_meant(request), "game", None) is not None


def _is_asked_of_a_game(line: ReadLine, plain: Context) -> bool:
    """Whether a line asks something of a game, orders nothing, and is understood only as a sentence."""
    if any(isinstance(one, Give | Doubted) for one in line.requests):
        return False
    if not any(isinstance(_meant(one), get_args(GameCommand)) for one in line.requests):
        return False
    return line.is_guess or not any(one.requests for one in read(line.text, plain))


def _meant(request: Command) -> Command:
    return request.command if isinstance(request, Perhaps) else request


def _context_below(work: Work, sender: Author, line: ReadLine, game: Game | None) -> Context | None:
    """How the lines below a line are to be read, if otherwise than those above."""
    for request in line.requests:
        if isinstance(request, UseGame):
            named = work.games.get(request.game.lower())
            person = sender.person.id if sender.person is not None else PersonId(0)
            is_known = named is not None and not is_unknown_to(named, person, sender.address)
            return context_of(named, sender) if is_known else None
        if isinstance(request, OrderFor) and game is not None:
            return context_of(game, sender, (request.power,))
    return None


def _usual_game(work: Work, sender: Author) -> Game | None:
    """That of the report the mail answers, or the only one the sender has a part in."""
    if sender.game is not None:
        return work.games.get(sender.game)
    names = work.games.of_person(sender.person.id) if sender.person is not None else ()
    return work.games.get(names[0]) if len(names) == 1 else None


def context_of(game: Game | None, sender: Author, powers: tuple[Power, ...] | None = None) -> Context:
    """The board that words of a sender are read on."""
    if game is None:
        return Context(load_map())
    if powers is None:
        powers = tuple(seat.power for seat in game.seats_of(sender.person.id)) if sender.person else ()
    # Who writes leads his power again, so that civil disorder is none of what his words can mean.
    terms = replace(game.circumstances, disorder=frozenset())
    asked = sender.person is not None and bool(open_questions(game, sender.person.id))
    context = Context(game.map, game.position, powers, game.settings.rules, terms, has_questions=asked)
    # In an answer to press what is said in a sentence is said to whoever wrote it.
    return replace(context, hears_sentences=sender.room is None and not sender.answers_master)


def _in_answer_to_press(lines: Sequence[ReadLine], text: str, answer: Press | PressToMaster) -> tuple[ReadLine, ...]:
    """A mail without commands that answers press is press; what reads as orders is neither until its sender says."""
    requests = [request for line in lines for request in line.requests]
    if any(not isinstance(request, Give | Doubted) for request in requests) or not text.strip():
        return tuple(lines)
    faults = [fault for line in lines for fault in line.faults]
    if any(fault.kind in _OF_COMMANDS for fault in faults):
        return tuple(lines)
    is_unsure = bool(requests or faults)
    press = (
        Press((), text=text.strip(), is_unsure=True) if is_unsure else with_topic(replace(answer, text=text.strip()))
    )
    return (ReadLine(1, text.strip().splitlines()[0], (press,)),)
