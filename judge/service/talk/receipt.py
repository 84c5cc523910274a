"""The receipt for a mail: answers line by line, and the state of its games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from judge.budget import OF_A_MAIL
from judge.commands import Permitted, ReceiptKind, SetSecondAddress
from judge.games import Game
from judge.games.answers import DidYouMean, Done, StatusShown
from judge.games.next_step import NextStep, StepKind, next_step
from judge.games.sight import seen_by
from judge.language import OF_ORDERS, OF_SENTENCES
from judge.language.asking.consent import only_courtesies
from judge.mail.letters import Attachment, LetterKind
from judge.mail.passing_on import MOST_PICTURES
from judge.reports.readers import AnsweredLine, Fate, Illustration, Reader, Receipt, Remark, Role
from judge.reports.render import reply
from judge.service.post.addresses import address_book
from judge.service.post.budgets import WORK_OF_A_PICTURE
from judge.service.post.calendars import deadline_file, has_news_for
from judge.service.post.facts import on_file
from judge.service.post.gathering import queue_with_what_waits
from judge.service.post.letters import LetterWriter, note_zone_hints, with_links
from judge.service.post.pictures import illustrated, of_orders
from judge.service.talk.asking import with_questions
from judge.service.talk.enclosing import Enclosed, enclosed_in
from judge.service.talk.handling import MailHandling
from judge.service.talk.mail import in_answer_to, names_of
from judge.service.talk.pacing import Pace, pace_of
from judge.service.talk.tongues import language_to_offer
from judge.storage import UNPROVED, LetterTags

_SAID_IN_SHORT = (StepKind.ORDERS, StepKind.READY, StepKind.WAIT, StepKind.SEVERAL)
"""Steps that are not told to a sender who only greets or thanks.

A line says how each game stands.
"""


def queue_receipt(handling: MailHandling, writer: LetterWriter, lines: Sequence[AnsweredLine]) -> None:
    """Queue the receipt for a mail, answering it line by line."""
    person, letter, waiting = handling.person, handling.letter, handling.waiting
    shown = handling.games.get(handling.shown or "")
    game = seen_by(shown, handling.person.id) if shown is not None and handling.has_part_in(shown) else None
    lines, asks = with_questions(handling, lines)
    books = _address_books(handling, writer)
    enclosed = enclosed_in(handling, (*_calendars(handling, writer), *books), _own_map(handling, game))
    receipt = _with_addresses(_receipt(handling, lines, game, enclosed), writer, is_tapped=handling.tapped)
    if not handling.is_registered and not handling.is_proved:
        receipt = _for_a_stranger(receipt)
    tags = LetterTags(
        _key(handling, lines),
        person=person.id if handling.is_registered else None,
        game=game.name if game else None,
        phase=str(game.position.phase) if game and game.is_running else None,
        inbox=waiting.id,
        work=_work(handling, enclosed),
        asks=asks,
    )
    pace = pace_of(receipt, handling)
    if pace is Pace.NEVER:
        return
    rendered = reply(receipt, handling.now)
    written = writer.write(LetterKind.REPLY, handling.answers_to, rendered, tags, handling.now, game)
    files = (*enclosed.files, *_files(receipt, writer, handling))
    written = replace(in_answer_to(letter, written), attachments=files)
    match pace:
        case datetime() as until:
            brief = _brief(handling, receipt)
            handling.work.outbox.queue(replace(written, brief=brief), tags, handling.now, until)
        case Pace.WITH_WHAT_WAITS:
            queue_with_what_waits(handling.work, written, tags, person.language, handling.now)
        case Pace.AT_ONCE:
            handling.work.outbox.queue(written, tags, handling.now)
    note_zone_hints(handling.work, [handling.person.id] if rendered.hints_zone and handling.is_registered else [])
    for address in _also_at(lines):  # the new second address, which has confirmed
        its = replace(tags, key=f"{tags.key}, to {address}")
        there = writer.write(LetterKind.REPLY, address, rendered, its, handling.now, game)
        handling.work.outbox.queue(there, its, handling.now)


def _with_addresses(receipt: Receipt, writer: LetterWriter, *, is_tapped: bool) -> Receipt:
    """Return the receipt with the judge's address for its links.

    If the mail came from a link for a single order, links for single orders are added.
    """
    receipt = replace(receipt, address=writer.address)
    if receipt.game is None or not is_tapped:
        return receipt
    return replace(receipt, reader=with_links(writer, receipt.game, receipt.reader))


def _brief(handling: MailHandling, receipt: Receipt) -> tuple[str, str]:
    """Return text and HTML of a receipt that is followed by another one.

    That other one tells the state of the game.
    """
    rendered = reply(replace(receipt, illustrations=()), handling.now, is_followed=True)
    return rendered.text, rendered.html or ""


def _receipt(handling: MailHandling, lines: Sequence[AnsweredLine], game: Game | None, enclosed: Enclosed) -> Receipt:
    letter, remarks = handling.letter, _remarks(handling, lines)
    return Receipt(
        reader=_reader(handling, game),
        lines=tuple(lines),
        game=game,
        others=tuple(
            (seen_by(other, handling.person.id), _reader(handling, other)) for other in _others(handling, game, lines)
        ),
        remarks=(*remarks, *((enclosed.withheld,) if enclosed.withheld is not None else ())),
        withdrawn=handling.withdrawn,
        next_step=_next_step(handling, game, remarks) if _is_only_of_orders(lines) else None,
        offers=language_to_offer(handling, lines),
        tells_state=_tells_state(handling, game, lines),
        unread_parts=(*letter.unread_parts, *letter.left_out),
        attached=handling.attached,
        set_aside=letter.set_aside,
        unused=() if Remark.COURTESY in remarks else handling.unused,
        first_unread=handling.first_unread,
        subject=letter.subject,
        sections=tuple(handling.sections),
        ready_before=handling.ready_before,
        section_lines=tuple(handling.asked_in.get("sections", ())),
        left_out=enclosed.left_out,
        illustrations=enclosed.pictures,
    )


def _work(handling: MailHandling, enclosed: Enclosed) -> int:
    """Return the units of work of the mail.

    They are those of reading it, and of drawing what it shows, asks for or sends on.
    """
    sent = len(handling.letter.pictures[:MOST_PICTURES]) if Fate.SENT in handling.attached else 0
    return OF_A_MAIL - handling.budget.left + (len(enclosed.pictures) + sent) * WORK_OF_A_PICTURE


def _for_a_stranger(receipt: Receipt) -> Receipt:
    """Reduce the receipt to our own words.

    A stranger may know nothing of a mail written in their name.
    """
    refused = tuple(filter(_asks_for_what_is_only_for_the_known, receipt.lines))
    remarks = tuple(one for one in receipt.remarks if one not in (Remark.UNREAD_PARTS, Remark.UNREAD_LINES))
    lines = refused or receipt.lines
    ours = replace(
        receipt, lines=lines, remarks=remarks, attached={}, withdrawn=None, subject="", unread_parts=(), first_unread=""
    )
    return replace(ours, unused=(), set_aside=())


def _also_at(lines: Sequence[AnsweredLine]) -> Iterator[str]:
    """Yield a second address that was just accepted."""
    for line in lines:
        for answer in line.answers:
            if isinstance(answer, Done) and isinstance(answer.command, SetSecondAddress) and answer.command.address:
                yield answer.command.address


def _next_step(handling: MailHandling, game: Game | None, remarks: Sequence[Remark]) -> NextStep | None:
    """Suggest a next step to a sender whose mail held no understandable request.

    After a courtesy, the steps in `_SAID_IN_SHORT` are left out.
    """
    step = next_step(game, handling.own_games(), handling.person.id)
    return step if Remark.COURTESY not in remarks or step.kind not in _SAID_IN_SHORT else None


def _tells_state(handling: MailHandling, game: Game | None, lines: Sequence[AnsweredLine]) -> bool:
    """Whether the receipt tells the state of its game.

    The mail changed something in the game, tried to order something, or asked for the state.
    """
    if game is None or game.name in handling.changed | handling.founded or handling.withdrawn is not None:
        return True
    if handling.letter.set_aside or handling.first_unread or handling.waiting.confirmed:
        return True
    return any(map(_is_about_the_state, lines))


def _is_about_the_state(line: AnsweredLine) -> bool:
    is_of_play = any(request.card.who is Permitted.PLAYER and not request.card.is_question for request in line.requests)
    asks = any(isinstance(answer, StatusShown) for answer in line.answers)
    return is_of_play or asks or any(fault.kind in OF_ORDERS for fault in line.faults)


def _own_map(handling: MailHandling, game: Game | None) -> tuple[Illustration, ...]:
    """Return a map of the orders on file, for senders who prefer it."""
    if game is None or not handling.config.delivery.pictures or handling.person.receipts is not ReceiptKind.MAP:
        return ()
    filed = {seat.power: [filed.order for filed in seat.filed.orders] for seat in game.seats_of(handling.person.id)}
    return illustrated(handling.work, [of_orders(game, filed)] if any(filed.values()) else [], handling.person)


def _files(receipt: Receipt, writer: LetterWriter, handling: MailHandling) -> Iterator[Attachment]:
    """Yield the JSON files of the reader's orders on file, one per game."""
    shown = [(receipt.game, receipt.reader), *receipt.others] if handling.is_proved else []
    for game, reader in shown:
        filed = on_file(game, writer.secret, reader, handling.now) if game is not None else None
        if filed is not None:
            yield filed


def _calendars(handling: MailHandling, writer: LetterWriter) -> Iterator[Attachment]:
    """Yield deadlines as calendar files.

    They are those of games for which the sender asked for the file, or has just moved the deadline.
    """
    person = handling.person
    moved = {event.game.name for event in handling.events if person.calendar and has_news_for(event, person.id)}
    for name in sorted(handling.calendars | moved):
        yield deadline_file(handling.games[name], writer.address, person, handling.now)


def _address_books(handling: MailHandling, writer: LetterWriter) -> list[Attachment]:
    """Add the sender's private addresses to the sections; return them as files."""
    books = []
    for name in sorted(handling.addresses):
        game = handling.games[name]
        addresses = writer.addresses_of(game, handling.person.id)
        if addresses is not None:
            handling.sections.append(addresses)
            books.append(address_book(addresses, game, handling.person.language))
    return books


def _key(handling: MailHandling, lines: Sequence[AnsweredLine]) -> str:
    """Return the key of the receipt, which is queued once per key.

    Normally there is one key per mail.
    Small talk may come from a robot that answers all of our mails, and a robot repeats itself. It is answered once a
    day per text from a proved sender, and once a day from any other sender. The same applies to mails of which
    everything is a guess, such as `I am at the sea until Monday`.
    """
    if _is_small_talk(handling, lines) or _is_guessed(handling, lines):
        words = sha256(handling.letter.own_text.encode()).hexdigest()[:16] if handling.is_proved else ""
        return f"nothing asked by {handling.letter.sender} on {handling.now.date()} {words}".rstrip()
    if _is_refused_to_a_stranger(handling, lines):  # anyone may write such mails in their name again and again
        words = sha256("\n".join(line.text for line in lines if line.requests).encode()).hexdigest()[:16]
        return f"{UNPROVED}refused to {handling.letter.sender} on {handling.now.date()} {words}"
    whose = "" if handling.is_proved else UNPROVED
    return f"{whose}reply to mail {handling.waiting.id}" + (
        ", confirmed" if handling.waiting.is_worked or handling.waiting.has_filed else ""
    )


def _is_refused_to_a_stranger(handling: MailHandling, lines: Sequence[AnsweredLine]) -> bool:
    """Whether an unregistered, unproved sender asked for something only registered people may do."""
    acts = any(map(_asks_for_what_is_only_for_the_known, lines))
    return acts and not handling.is_registered and not handling.is_proved


def _asks_for_what_is_only_for_the_known(line: AnsweredLine) -> bool:
    return any(request.card.needs_proof and not request.card.is_question for request in line.requests)


def _is_small_talk(handling: MailHandling, lines: Sequence[AnsweredLine]) -> bool:
    return not (handling.letter.set_aside or handling.first_unread) and _asks_for_nothing(lines)


def _is_only_of_orders(lines: Sequence[AnsweredLine]) -> bool:
    """Whether the lines ask for nothing, and at most order lines were not understood."""
    wrong = (fault for line in lines for fault in line.faults)
    return not any(line.requests for line in lines) and all(fault.kind in OF_ORDERS for fault in wrong)


def _asks_for_nothing(lines: Sequence[AnsweredLine]) -> bool:
    return not any(line.requests or line.faults for line in lines)


def _is_guessed(handling: MailHandling, lines: Sequence[AnsweredLine]) -> bool:
    answers = [answer for line in lines for answer in line.answers]
    faults = [fault for line in lines for fault in line.faults]
    is_all = all(isinstance(one, DidYouMean) for one in answers) and all(one.kind in OF_SENTENCES for one in faults)
    return is_all and bool(answers or faults) and not handling.letter.set_aside


def _others(handling: MailHandling, game: Game | None, lines: Sequence[AnsweredLine]) -> list[Game]:
    """Return the other games that changed, and those whose state the sender asked for."""
    touched = [handling.games[name] for name in sorted(handling.changed) if game is None or name != game.name]
    answers = [answer for line in lines for answer in line.answers]
    names = [answer.game.name for answer in answers if isinstance(answer, StatusShown)]
    asked = [handling.games[name] for name in names if name in handling.games]
    return [*touched, *(one for one in asked if (game is None or one.name != game.name) and handling.has_part_in(one))]


def _reader(handling: MailHandling, game: Game | None) -> Reader:
    here = handling.person.id
    powers = tuple(seat.power for seat in game.seats_of(here)) if game is not None else ()
    if game is not None and here in game.masters:
        return Reader(handling.person, Role.MASTER, powers)
    return Reader(handling.person, Role.PLAYER if powers else Role.OBSERVER, powers)


def _remarks(handling: MailHandling, lines: Sequence[AnsweredLine]) -> tuple[Remark, ...]:
    remarks = [Remark.CONFIRMED] if handling.waiting.confirmed else []
    remarks += [Remark.LACKS_PROOF] if handling.lacks_proof else []
    if handling.first_unread:
        remarks.insert(0, Remark.UNREAD_LINES)
    elif not handling.letter.own_text.strip() and Fate.SENT not in handling.attached:
        remarks.append(Remark.EMPTY)
    elif _is_small_talk(handling, lines):
        is_polite = only_courtesies(handling.letter.own_text, names_of(handling.person, handling.letter))
        remarks.append(Remark.COURTESY if is_polite else Remark.NOTHING_UNDERSTOOD)
    if (handling.letter.unread_parts or handling.letter.left_out) and not handling.attached:
        remarks.append(Remark.UNREAD_PARTS)
    return tuple(remarks)
