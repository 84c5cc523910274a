"""Views into mails: subject, text and HTML in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product

from markupsafe import Markup

from judge.commands import Doubted, Give, Language, ReceiptKind
from judge.games.answers import (
    AdoptionShown,
    Answer,
    Asked,
    AskedAgain,
    AskedToConfirm,
    AskedWhich,
    DidYouMean,
    Filed,
    GamesListed,
    HelpShown,
    Joined,
    Noted,
    ReadySet,
    Registered,
    SettingsShown,
    Shown,
    StatusShown,
    Supposed,
)
from judge.games.events import GameStarted, LetterEvent
from judge.games.game import Game, GameState
from judge.games.person import Person, PersonId
from judge.games.refusals import Refused
from judge.language.faults import OF_ORDERS
from judge.language.writing import word_of
from judge.reports.adopted import adopted_view
from judge.reports.answers import LineView, line_views
from judge.reports.buttons import Button, UnitTaps, buttons_for, taps_left_out
from judge.reports.columns import flowed
from judge.reports.layout import Block, as_text, blocks
from judge.reports.lists import games_page_view, own_games_view
from judge.reports.manual import help_blocks, help_page
from judge.reports.moves import move_answer
from judge.reports.naming import named
from judge.reports.news import GameNewsView, PetitionDecidedView, RelayedView, SitterNewsView, event_view
from judge.reports.readers import AnsweredLine, NoticeKind, Reader, Receipt, Remark, Rendered, Role, in_the_letter
from judge.reports.rulebook import rulebook
from judge.reports.sections import (
    Addresses,
    AdoptedPosition,
    Board,
    GamesPage,
    OwnGames,
    Section,
    SettingsInWords,
)
from judge.reports.views import (
    PublicView,
    SettingsView,
    game_view,
    public_view,
    status_view,
)
from judge.reports.wording import Wording, wording_for, wording_in
from judge.rules.map import USUAL_BOARD
from judge.rules.options import Options
from judge.rules.orders import Order, Waive
from judge.rules.position import Power

_REFUSED = Refused | AskedToConfirm
_NOT_DONE = Refused | Noted | Asked | DidYouMean | AskedToConfirm | AskedWhich | AdoptionShown
_SHOWN = AskedAgain | StatusShown | GamesListed | HelpShown | Shown | SettingsShown | Supposed | Registered


_MOST_IN_SECTIONS = 600_000
"""The most bytes of all longer answers in one letter, text and HTML together."""


def reply(receipt: Receipt, now: datetime, *, is_followed: bool = False) -> Rendered:
    """Return the receipt of one mail.

    It tells what was understood, what is on file, what is missing and how much time is left. If another receipt follows
    in the same letter, only that one tells how the game stands. This one may then be empty.
    """
    game = receipt.game
    wording = wording_for(receipt.reader.person, game.settings.map if game else USUAL_BOARD)
    lines, filed = _settled([line for line in receipt.lines if _is_worth_an_answer(line)])
    lines = [line for line in lines if not (is_followed and _is_of_the_state(line))]
    answers = [answer for line in lines for answer in line.answers]
    is_short = receipt.reader.person.receipts is ReceiptKind.SHORT
    questions = _open_questions(receipt)
    statuses = [
        replace(status_view(one, reader, now), was_ready=receipt.ready_before.get(one.name))
        for one, reader in (() if is_followed else _games_of(receipt))
    ]
    is_open = questions or any(status.ready_waits for status in statuses)
    is_brief = is_short and not is_open and not any(isinstance(answer, StatusShown) for answer in answers)
    is_courtesy = Remark.COURTESY in receipt.remarks
    told = [] if is_brief else [one for one in statuses if receipt.tells_state or one.game.name != receipt.about]
    topics = dict.fromkeys(answer for answer in answers if isinstance(answer, HelpShown))
    rules = game.settings.rules if game else None
    values: dict[str, object] = {
        "essence": (wording.speech.message("courtesy") if is_courtesy else _essence(wording, lines, filed, questions))
        + "".join(wording.say("in_short", one) for one in statuses if is_brief or (is_courtesy and one.is_awaited)),
        "groups": _groups(
            line_views(
                list(filter(_needs_attention, lines)) if is_short else lines,
                receipt.address,
                receipt.subject,
                wording.meant,
            ),
        ),
        "remarks": [one for one in receipt.remarks if one is not Remark.COURTESY],
        "offer": wording_in(receipt.offers).speech.message("offer-language") if receipt.offers is not None else "",
        "withdrawn": receipt.withdrawn,
        "zone": receipt.reader.person.zone or (game.settings.zone if game else "UTC"),
        "next_step": receipt.next_step,
        "listed": _listed(wording, receipt),
        "unread": receipt.unread_parts if Remark.UNREAD_PARTS in receipt.remarks else (),
        "first_unread": receipt.first_unread if Remark.UNREAD_LINES in receipt.remarks else "",
        "statuses": told,
        "asks_for_status": any(isinstance(answer, StatusShown) for answer in answers),
        "gets_no_receipts": receipt.reader.person.receipts is ReceiptKind.NONE,
        "says_ready": any(isinstance(answer, ReadySet) for answer in answers) and not receipt.others,
        "topics": [_page(wording, topic, rules) for topic in topics],
        "taps": _taps(receipt, wording, filed),
    }
    asked = next((answer.game for answer in answers if isinstance(answer, StatusShown)), None)
    taken = any(isinstance(answer, Joined) and answer.after_somebody for answer in answers)
    shown = asked if asked and asked.state is not GameState.FORMING else game if taken else None
    board = public_view(GameStarted(shown, now), {}) if shown else None
    if is_followed and not values["groups"]:
        return Rendered("", "", "")
    subject = receipt.subject or _asked(wording, receipt, len(filed))
    subject = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    subject = _with_verdict(subject, _verdict(wording, receipt, filed, questions), wording)
    values["asked"] = game_view(shown) if shown else None
    parts, left_out = _sections(wording, receipt, now)
    if left_out:
        values["listed"] = [*_listed(wording, receipt), (wording.speech.message("left-out"), left_out)]
    boards = (wording.in_text("public", {"view": board, "years": ()}) if board else "", _board_html(wording, board))
    text = {"board": boards[0], "sections": [one for one, _ in parts]}
    html = {"board": boards[1], "sections": [one for _, one in parts]}
    sender = wording.say_from("reports", "sender", game.name if game else "")
    page = wording.in_html("reply", values | html | {"images": in_the_letter(receipt.illustrations)})
    hints = any(one.game.state is GameState.ACTIVE and one.time.hints_zone for one in told)
    written = flowed(wording.in_text("reply", values | text))
    return Rendered(subject, written, page, sender, receipt.illustrations, hints)


def _taps(receipt: Receipt, wording: Wording, filed: Sequence[Filed]) -> tuple[UnitTaps, ...]:
    """Return supports and convoys left out of the report, for the units the mail ordered."""
    units = {one.order.unit for one in filed if not isinstance(one.order, Waive)}
    return taps_left_out(receipt.game, receipt.reader, wording, units) if receipt.game is not None else ()


def _page(wording: Wording, shown: HelpShown, rules: Options | None) -> tuple[str, tuple[Block, ...]]:
    """Return the answer to HELP with a topic, as text and as blocks for HTML."""
    about_a_move = move_answer(wording, shown.topic)
    if about_a_move:
        return about_a_move, blocks(about_a_move)
    asked = shown.topic, wording.language, rules, shown.on
    return help_page(*asked), help_blocks(*asked)


def _essence(wording: Wording, lines: Sequence[AnsweredLine], filed: Sequence[Filed], questions: int) -> str:
    """Return the outcome of the mail in one sentence."""
    asked = questions + _questions(lines)
    void = sum(answer.warning is not None for answer in filed)
    return wording.say("essence", len(filed), void, _attention(lines), _deed(lines), asked)


def _deed(lines: Sequence[AnsweredLine]) -> str:
    """Return "done", "shown", "waits" or "": what was done of the requests in a mail."""
    answers = [answer for line in lines for answer in line.answers]
    done = [answer for answer in answers if not isinstance(answer, _NOT_DONE) and not _waits(answer)]
    if any(not isinstance(answer, _SHOWN) for answer in done):
        return "done"
    return "shown" if done else "waits" if any(map(_waits, answers)) else ""


def _attention(lines: Sequence[AnsweredLine]) -> int:
    """Return how many lines the sender should look at again."""
    return sum(bool(line.faults) or any(map(_is_amiss, line.answers)) for line in lines)


def _is_amiss(answer: Answer) -> bool:
    return isinstance(answer, _REFUSED) or (isinstance(answer, AdoptionShown) and not answer.is_possible)


def _questions(lines: Sequence[AnsweredLine]) -> int:
    """Count the answers that ask something, apart from those about orders."""
    return sum(_asks(answer) for line in lines for answer in line.answers)


def _asks(answer: Answer) -> bool:
    return isinstance(answer, DidYouMean | AskedWhich) or (isinstance(answer, AdoptionShown) and answer.is_possible)


def _verdict(wording: Wording, receipt: Receipt, filed: Sequence[Filed], about_orders: int) -> str:
    """Return the outcome of the mail in a few words, for its subject.

    It counts the orders on file and the open questions.
    """
    lines = receipt.lines
    units = {
        getattr(request.order, "unit", request.order)
        for line in lines
        for request in line.requests
        if isinstance(request, Give | Doubted)
    }
    amiss = sum(any(fault.kind in OF_ORDERS for fault in line.faults) for line in lines)
    questions = about_orders + _questions(lines)
    given = max(len(filed), len(units)) + amiss
    attention = _attention(lines)
    deed = _deed(lines) or ("nothing" if attention else "")
    return wording.say("verdict", len(filed), given, questions, "part" if attention and deed == "done" else deed)


def _with_verdict(subject: str, verdict: str, wording: Wording) -> str:
    """Put the verdict at the end of a subject.

    It replaces the verdict of the receipt that the mail replied to.
    """
    # Few subjects have one, and trying all its forms takes long.
    for said in _verdicts(wording) if subject.endswith(")") else ():
        subject = re.sub(rf" \({said}\)$", "", subject)
    return f"{subject} ({verdict})" if verdict else subject


def _verdicts(wording: Wording) -> Iterator[str]:
    """Yield a pattern for every verdict there is."""
    counted = [(*numbers, "") for numbers in product((1, 2), (0, 1, 2, 3), (0, 1, 2))]
    for one in (*counted, *((0, 0, 0, deed) for deed in ("done", "part", "waits", "nothing"))):
        yield re.sub(r"\d+", r"\\d+", re.escape(wording.say("verdict", *one)))


def _not_used(receipt: Receipt) -> Sequence[tuple[str, Sequence[str]]]:
    """Return pairs of message id and the lines not used for that reason."""
    return (("lines-set-aside", receipt.set_aside), ("lines-unused", receipt.unused))


def _listed(wording: Wording, receipt: Receipt) -> list[tuple[str, Sequence[str]]]:
    attached = [(wording.speech.told("attached", fate), names) for fate, names in receipt.attached.items()]
    return [*attached, *((wording.speech.message(why), lines) for why, lines in _not_used(receipt) if lines)]


def _sections(wording: Wording, receipt: Receipt, now: datetime) -> tuple[Sequence[tuple[str, Markup]], Sequence[str]]:
    """Return the longer answers that fit, and all lines whose answers are left out.

    Each answer is a pair of text and HTML.
    """
    parts: list[tuple[str, Markup]] = []
    room, left_out = _MOST_IN_SECTIONS, list(receipt.left_out)
    for number, section in enumerate(receipt.sections):
        part = _section(wording, section, now) if room > 0 else None
        room -= sum(len(one.encode()) for one in part or ())
        if part is not None and (room >= 0 or not parts):
            parts.append(part)
        else:
            left_out += receipt.section_lines[number : number + 1]
    return parts, tuple(dict.fromkeys(left_out))


def _asked(wording: Wording, receipt: Receipt, orders: int) -> str:
    """Return the subject for an answer to a mail without one: what it asked for."""
    requests = [request for line in receipt.lines for request in line.requests]
    words = dict.fromkeys(word_of(one) for one in requests if not isinstance(one, Give) and not one.card.steers)
    game = game_view(receipt.game) if receipt.game else None
    return wording.say_from("reports", "asked", game, orders, tuple(words))


def _board_html(wording: Wording, board: PublicView | None) -> Markup:
    html = wording.in_html("public", {"view": board, "years": ()}) if board else ""
    return Markup(html)  # noqa: S704 - rendered by our template


def _open_questions(receipt: Receipt) -> int:
    """Return how many questions about their orders the reader has not answered."""
    games = _games_of(receipt)
    return sum(len(game.seat(power).filed.questions) for game, reader in games for power in reader.powers)


def _waits(answer: Answer) -> bool:
    """Whether the answer is a READY that does not count yet, which is not "done"."""
    return isinstance(answer, ReadySet) and answer.ready and not answer.counts


def _games_of(receipt: Receipt) -> Sequence[tuple[Game, Reader]]:
    """Return the games the receipt is about, each once, that of the mail first."""
    main = [(receipt.game, receipt.reader)] if receipt.game else []
    asked = [a.game for line in receipt.lines for a in line.answers if isinstance(a, StatusShown)]
    watched = [(game, Reader(receipt.reader.person, Role.OBSERVER)) for game in asked]
    found = {game.name: (game, reader) for game, reader in reversed([*main, *receipt.others, *watched])}
    return [found[name] for name in reversed(found)]


def _is_worth_an_answer(line: AnsweredLine) -> bool:
    return bool(line.faults or line.answers)


def _is_of_the_state(line: AnsweredLine) -> bool:
    """Whether the line is only about READY, which the state of the game tells too."""
    return not line.faults and all(isinstance(answer, ReadySet) for answer in line.answers)


def _needs_attention(line: AnsweredLine) -> bool:
    """Whether a line is shown even in a short receipt."""
    plain = [
        a for a in line.answers if isinstance(a, Filed) and not (a.warning or a.misnamed or a.phase or a.otherwise)
    ]
    return bool(line.faults) or len(plain) < len(line.answers)


def _settled(lines: Sequence[AnsweredLine]) -> tuple[list[AnsweredLine], list[Filed]]:
    """Return the lines as they stand after the whole mail, and its orders on file.

    An order that one line replaced and a later line restored is not shown as replaced.
    """
    on_file: dict[tuple[Power, tuple[Order, ...]], list[Filed]] = {}
    for answer in (answer for line in lines for answer in line.answers if isinstance(answer, Filed)):
        for order in answer.replaced:
            same = on_file.get((answer.power, order), [])
            del same[-1:]
        waived = on_file.get((answer.power, answer.on_file), []) if isinstance(answer.order, Waive) else []
        on_file[answer.power, answer.on_file] = [*waived, answer]

    def settled(answer: Answer) -> Answer:
        if not isinstance(answer, Filed):
            return answer
        gone = tuple(order for order in answer.replaced if not on_file.get((answer.power, order)))
        return replace(answer, replaced=gone)

    answered = [replace(line, answers=tuple(settled(answer) for answer in line.answers)) for line in lines]
    return answered, [one for filed in on_file.values() for one in filed]


def _groups(lines: Sequence[LineView]) -> list[tuple[list[LineView], LineView]]:
    """Group consecutive lines that are refused for the same reason; each group is answered once."""
    groups: list[tuple[list[LineView], LineView]] = []
    for line in lines:
        same = groups and not line.faults and not groups[-1][1].faults and groups[-1][1].answers == line.answers
        if same and all(isinstance(answer, Refused) for answer in line.answers):
            written, first = groups[-1]
            groups[-1] = ([*written, line], replace(first, choices=line.choices or first.choices))
        else:
            groups.append(([line], line))
    return groups


def event_letter(event: LetterEvent, reader: Reader, people: Mapping[PersonId, Person], now: datetime) -> Rendered:
    """Render an event that is no report as a letter.

    `people` are those that the event is about.
    """
    wording = wording_for(reader.person, event.game.settings.map)
    people = named(people, event.game, wording)
    view = event_view(event, reader, people, now)
    shows_board = isinstance(view, PetitionDecidedView | GameNewsView | SitterNewsView) and view.shows_board
    written = wording.say_from("events", "body", view)
    about = _About(
        wording.say_from("reports", "title", event.game.name, reader.powers),
        _said(view, wording) if isinstance(view, RelayedView) else "",
        public_view(GameStarted(event.game, now), people if isinstance(view, GameNewsView) else {})
        if shows_board
        else None,
        buttons_for(event.game, reader, wording),
        reader.addresses,
    )
    letter = _letter(wording, wording.say_from("events", "subject", view), written, about)
    if not isinstance(view, RelayedView):
        return letter
    return replace(letter, sender=wording.say_from("reports", "press_sender", view))


def _said(view: RelayedView, wording: Wording) -> str:
    """Return the sender's own words."""
    return wording.speech.message("picture-alone") if view.command.is_picture else view.command.text


@dataclass(frozen=True, slots=True)
class _About:
    """What a letter about a game holds besides the text of its template."""

    title: str = ""
    said: str = ""
    board: PublicView | None = None
    buttons: tuple[Button, ...] = ()
    addresses: Addresses | None = None


def _letter(wording: Wording, subject: str, written: str, about: _About | None = None) -> Rendered:
    """Return a mail of plain text, with the board if `about` has one."""
    about = about or _About()
    parts = [about.title, as_text(written.strip("\n"), about.said)]
    if about.addresses is not None:
        parts.append(_section_text(wording, about.addresses))
    if about.board is not None:
        parts.append(wording.in_text("public", {"view": about.board, "years": ()}).strip("\n"))
    values = {
        "title": about.title,
        "blocks": blocks(written, about.said),
        "board": _board_html(wording, about.board),
        "buttons": about.buttons,
        "addresses": about.addresses,
    }
    text = flowed("\n\n".join(part for part in parts if part)) + "\n"
    sender = wording.say_from("reports", "sender", "")
    return Rendered(" ".join(subject.split()), text, wording.in_html("notice", values), sender)


def _section(wording: Wording, section: Section, now: datetime) -> tuple[str, Markup]:
    """Return a longer answer as text and HTML."""
    if isinstance(section, Board):
        board = public_view(GameStarted(section.game, now), {})
        text = wording.in_text("public", {"view": board, "years": ()}).strip("\n")
        return text, _board_html(wording, board)
    view: object = section
    match section:
        case SettingsInWords():
            view = _settings_view(section, wording.language)
        case GamesPage():
            view = games_page_view(section)
        case OwnGames():
            view = own_games_view(section, now)
        case AdoptedPosition():
            wording = wording_in(wording.language, section.sheet.board)
            view = adopted_view(section)
        case Addresses():
            html = wording.in_html("addresses", {"addresses": section})
            return _section_text(wording, section), Markup(html)  # noqa: S704 - rendered by our template
    written = wording.say_from("sections", "section", view).strip("\n")
    html = wording.in_html("section", {"blocks": blocks(written)})
    return as_text(written), Markup(html)  # noqa: S704 - rendered by our template


def _section_text(wording: Wording, addresses: Addresses) -> str:
    return as_text(wording.say_from("sections", "section", addresses).strip("\n"))


def _settings_view(section: SettingsInWords, language: Language) -> SettingsView:
    settings, book = section.game.settings, rulebook(language)
    told, profile = book.told(settings.rules), book.profiles[settings.profile]
    rules, tells = section.game.house_rules, section.tells_house_rules
    terms = profile, told, section.upcoming, section.zone, section.asked, rules, tells
    return SettingsView(game_view(section.game), *terms)


def notice(kind: NoticeKind, language: Language, **values: object) -> Rendered:
    """Return a mail that is neither report nor receipt.

    `NoticeKind` says which values its wording needs.
    """
    wording = wording_in(language)
    subject = wording.say_from("notices", "subject", kind.value, values)
    return _letter(wording, subject, wording.say_from("notices", "body", kind.value, values))
