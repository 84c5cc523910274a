"""Carry out the requests of a mail one by one, in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from judge import commands as c
from judge.games import not_taken, refusals
from judge.games.answers import Answer, AskedAgain, Overridden
from judge.games.events import FoundTooLate
from judge.games.insight import having_seen
from judge.games.refusals import Refused
from judge.language import OF_ORDERS, ReadLine
from judge.language.asking.below import is_wrong_correction
from judge.reports.readers import AnsweredLine
from judge.rules.position import Phase
from judge.service.talk.agenda import LineScope, RequestedCommand
from judge.service.talk.correcting import correct_together, is_correction
from judge.service.talk.handlers import HANDLERS
from judge.service.talk.handling import MailHandling
from judge.service.talk.of_a_game import mail_context
from judge.service.talk.request import MailRequest

_GENERAL = get_args(c.GeneralCommand)
_ON_A_BOARD = c.Clear | c.Give | c.SetReady | c.Undo
"""Below SANDBOX these may be meant for the private board.

They are not passed to a game.
"""


def do(handling: MailHandling, lines: Sequence[ReadLine]) -> tuple[AnsweredLine, ...]:
    """Carry out all requests of the lines and save the changes.

    Return the lines with their answers.
    """
    for line in handling.aside:
        _remember_if_not_taken(handling, line, handling.agenda.first)
    answers = _carried_out(handling, lines)
    _note_what_came_in_time(handling, answers)
    handling.save()
    is_told_already = handling.waiting.is_worked and handling.chosen is None
    return tuple(
        AnsweredLine(
            line.text,
            tuple(item.request for item in row),
            tuple(answers[item.number] for item in row),
            () if is_told_already or _is_asked(line) else line.faults,
        )
        for line, row in zip(lines, handling.agenda.rows, strict=True)
    )


def _carried_out(handling: MailHandling, lines: Sequence[ReadLine]) -> Mapping[int, Answer]:
    """Return number → answer of all requests.

    Requests that decide how answers are written come first. Requests that may close a phase come last.
    """
    answers: dict[int, Answer] = {}
    are_whole = not any(map(is_wrong_correction, lines))

    def carry_out(items: Iterable[RequestedCommand]) -> None:
        for item in items:
            if item.number not in answers:
                answers.update(_answers(handling, item, are_whole=are_whole))

    carry_out(item for item in handling.agenda if item.request.card.comes_first)
    for line, row, scope in zip(lines, handling.agenda.rows, handling.agenda.scopes, strict=True):
        carry_out(item for item in row if not item.request.card.comes_last)
        if any(fault.kind in OF_ORDERS for fault in line.faults) and not _is_asked(line):
            _remember_if_not_taken(handling, line, scope)
    carry_out(handling.agenda)
    return answers


def _answers(handling: MailHandling, item: RequestedCommand, *, are_whole: bool) -> dict[int, Answer]:
    """Return number → answer of a request and those carried out together with it."""
    if is_correction(item):
        return dict(correct_together(handling, item, are_whole=are_whole))
    if item.overridden_by is not None:
        return {item.number: Overridden(item.overridden_by)}
    if item.is_asked_again:
        return {item.number: AskedAgain()}
    answer = _done(handling, item)
    handling.note_what_was_shown(item.line)
    return {item.number: answer}


def _remember_if_not_taken(handling: MailHandling, line: ReadLine, scope: LineScope) -> None:
    """Note an order line that was not accepted.

    READY does not count until that line is settled.
    """
    game = handling.known(scope.game) if scope.game is not None else None
    is_told_already = handling.waiting.is_worked and handling.chosen is None
    if game is None or scope.for_board or is_told_already or not game.seats_of(handling.person.id):
        return
    context = mail_context(handling, scope, line.text, game)
    handling.take(not_taken(game, handling.person.id, context, handling.now, line.places))


def _is_asked(line: ReadLine) -> bool:
    """Whether a question about the line already says what was not understood in it."""
    doubts = (c.Doubt.WORDS, c.Doubt.PLACE)
    return any(isinstance(request, c.Doubted) and request.doubt in doubts for request in line.requests)


def _done(handling: MailHandling, item: RequestedCommand) -> Answer:
    """Carry out a request, or ask first if it is a guess.

    A guess to a game is checked by that game before it is asked.
    """
    if item.scope.for_board and isinstance(item.request, _ON_A_BOARD):
        return Refused(refusals.MeantForTheBoard())
    is_general = isinstance(item.request, _GENERAL)
    if item.is_guess and is_general and not handling.is_confirmed(item.request):
        return handling.ask_first(item, handling.answers_to)
    return HANDLERS[type(item.request)](MailRequest(handling, item, item.request))


def _note_what_came_in_time(handling: MailHandling, answers: Mapping[int, Answer]) -> None:
    """Tell the master of orders that were read after their phase was closed.

    They arrived before it was closed.
    """
    late: dict[tuple[str, Phase], list[str]] = {}
    for item in handling.agenda:
        answer, scope = answers[item.number], item.scope
        refused = isinstance(answer, Refused) and isinstance(answer.why, refusals.WrongPhase)
        if refused and isinstance(item.request, c.Give) and scope.game and scope.phase:
            late.setdefault((scope.game, scope.phase), []).append(item.line)
    for (name, phase), lines in late.items():
        closed_at = handling.work.records.closed_at(name, phase)
        arrived = handling.waiting.raw.received_at
        if closed_at is not None and arrived <= closed_at:
            found = tuple(dict.fromkeys(lines))
            handling.events.append(FoundTooLate(handling.games[name], phase, handling.person.id, found, arrived))
            # The letter shows these lines to the masters who do not play, and a rollback may open that phase again.
            readers = [one for one in handling.games[name].referees if one != handling.person.id]
            handling.change(having_seen(handling.games[name], readers, phase))
