"""Questions about orders that may not be meant.

Yes files the orders. No, or another order for the unit, drops them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from judge.commands import AnswerQuestion, Doubted
from judge.games import refusals
from judge.games.answers import Asked, Filed, QuestionAnswered
from judge.games.filed import OpenQuestion
from judge.games.filing import seats_meant, settled_by, subject_of
from judge.games.game import Game, Seat
from judge.games.handled import Handled, refused
from judge.games.orders import give
from judge.games.person import PersonId
from judge.games.refused_lines import next_number, refused_lines
from judge.games.request import Request
from judge.rules.notation import read_order, write_order
from judge.rules.orders import Order
from judge.rules.position import Phase


def open_questions(game: Game, person: PersonId) -> tuple[OpenQuestion, ...]:
    """Return the open questions to a person, by number."""
    found = [question for seat in game.seats_of(person) for question in seat.filed.questions]
    return tuple(sorted(found, key=lambda question: question.number))


def ask(request: Request[Doubted]) -> Handled:
    """Ask the sender whether an order is meant; orders on file stay until the answer."""
    game, person, command, context = request.game, request.person, request.command, request.mail
    seats = seats_meant(game, person, context)
    if isinstance(seats, Handled):
        return seats
    code = write_order(command.order)
    for seat in seats:  # this mail replaces older questions about the unit
        game = game.with_seat(replace(seat, filed=settled_by(seat.filed, command.order, context.mail)))
    seat = game.seat(_asked_for(game, seats, command.order).power)
    mine = open_questions(game, person)
    known = [one for one in mine if (one.mail, one.group) == (context.mail, command.group)]
    number = known[0].number if known else next_number(game, person)
    phase = str(context.meant_phase) if context.meant_phase is not None else ""
    written = ((code, context.line),)
    question = OpenQuestion(number, (code,), command.because, context.mail, command.group, phase, written)
    here = next((one for one in seat.filed.questions if one.number == number), None)
    if here is None:
        questions = (*seat.filed.questions, question)
    else:
        whole = replace(here, orders=tuple(dict.fromkeys((*here.orders, code))), written=(*here.written, *written))
        questions = tuple(whole if one is here else one for one in seat.filed.questions)
    game = game.with_seat(replace(seat, filed=replace(seat.filed, questions=questions)))
    return Handled(game, Asked(number, command.order, command.doubt, command.because, is_more=bool(known)))


def _asked_for(game: Game, seats: Sequence[Seat], order: Order) -> Seat:
    """Return the seat of the unit an order is for, else the first seat."""
    place = subject_of(order)
    owners = {power for unit, power in game.position.units.items() if unit.province == place}
    owners |= {loss.power for unit, loss in game.position.dislodged.items() if unit.province == place}
    return next((seat for seat in seats if seat.power in owners), seats[0])


def settle(request: Request[AnswerQuestion]) -> Handled:
    """File the orders of questions answered with yes; drop those answered with no."""
    game, person, command, context = request.game, request.person, request.command, request.mail
    before, mine = game, open_questions(game, person)
    lines = () if command.yes else refused_lines(game, person)
    if not mine and not lines:
        return refused(game, refusals.NothingAsked())
    known = [*(one.number for one in mine), *(line.number for line in lines)]
    unknown = [number for number in command.numbers if number not in known]
    if unknown:
        return refused(game, refusals.NoSuchQuestion(unknown[0], tuple(sorted(known))))
    meant = [one for one in mine if not command.numbers or one.number in command.numbers]
    dropped = [line for line in lines if not command.numbers or line.number in command.numbers]
    if command.yes and _contradict(meant):
        return refused(game, refusals.WhichQuestion(tuple(one.number for one in meant)))
    filed: list[Filed] = []
    orders = tuple(read_order(code) for question in meant for code in question.orders)
    numbers = {question.number for question in meant}
    for seat in game.seats_of(person):
        left = tuple(question for question in seat.filed.questions if question.number not in numbers)
        settled = replace(seat.filed, questions=left).without_lines(lambda line: line in dropped)
        game = game.with_seat(replace(seat, filed=settled))
    if not command.yes:
        return Handled(game, QuestionAnswered(dropped=orders, lines=tuple(line.text for line in dropped)))
    for question in meant:
        phase = Phase.parse(question.phase) if question.phase else None
        for code in question.orders:
            line = f"{dict(question.written).get(code, code)}\n{context.line}"
            about = replace(context, line=line, meant_phase=phase or context.meant_phase, adds=True)
            given = give(game, person, read_order(code), about)
            if not isinstance(given.answer, Filed):
                return Handled(before, given.answer)
            game = given.game
            filed.append(given.answer)
    return Handled(game, QuestionAnswered(tuple(filed)))


def _contradict(questions: Iterable[OpenQuestion]) -> bool:
    """Whether two questions are about the same unit."""
    subjects = [subject_of(read_order(code)) for one in questions for code in one.orders]
    units = [subject for subject in subjects if subject is not None]
    return len(set(units)) < len(units)
