"""Views into mails: subject, text and HTML, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from markupsafe import Markup

from judge.commands import Language
from judge.games.answers import Answer, Asked, Filed, GamesListed, HelpShown, Noted, ReadySet, StatusShown
from judge.games.events import GameEnded, GameStarted, PhaseClosed
from judge.games.game import Game, GameState, Person, PersonId
from judge.games.refusals import Refused
from judge.reports.answers import LineView, line_views
from judge.reports.columns import wrapped
from judge.reports.manual import help_page
from judge.reports.news import LetterEvent, news
from judge.reports.readers import AnsweredLine, NoticeKind, Reader, Receipt, Remark, Rendered, Role
from judge.reports.sections import Board, Section, SettingsInWords, SharedDiary, YearOfCenters
from judge.reports.views import SettingsView, game_view, public_view, seat_views, status_view, time_view
from judge.reports.wording import Wording, wording_in
from judge.rules.orders import Order
from judge.rules.position import Power


def phase_reports(
    event: GameStarted | PhaseClosed | GameEnded,
    readers: Sequence[Reader],
    people: Mapping[PersonId, Person],
    now: datetime,
    years: Sequence[YearOfCenters] = (),
    diaries: Sequence[SharedDiary] = (),
) -> Mapping[PersonId, Rendered]:
    """The opening report, the report of a phase or the summary of a finished game, for each reader.

    What everybody may know is rendered once per language. Told at the end alone: `years`, how the centers
    changed hands, and the `diaries` that players share.
    """
    view = public_view(event, people)
    shared: dict[Language, tuple[str, str]] = {}
    reports = {}
    for reader in readers:
        language = reader.person.language
        wording = wording_in(language, event.game.settings.map)
        if language not in shared:
            values = {"view": view, "years": years}
            shared[language] = (_text(wording, "public", values), _html(wording, "public", values))
        text, html = shared[language]
        own = {
            "view": view,
            "game": event.game.name,
            "settings": event.game.settings,
            "seats": seat_views(event.game, reader),
            "time": time_view(event.game, reader, now),
            "powers": reader.powers,
            "diaries": diaries,
            "last": event.phase if isinstance(event, PhaseClosed) else event.game.position.phase,
        }
        reports[reader.person.id] = Rendered(
            subject_for(event.game, wording),
            _text(wording, "report", own | {"public": text}),
            _html(wording, "report", own | {"public": Markup(html)}),  # noqa: S704 - rendered by ourselves just now
        )
    return reports


def subject_for(game: Game, wording: Wording) -> str:
    """The same subject for all mails about a phase, so that mail programs keep them together."""
    return f"[{game.name}] {wording.phase(game.position.phase)}"


def reply(receipt: Receipt, now: datetime) -> Rendered:
    """The receipt of one mail: what was understood, what is on file, what lacks, how long is left."""
    game = receipt.game
    wording = wording_in(receipt.reader.person.language, game.settings.map if game else "standard")
    lines, filed = _settled([line for line in receipt.lines if _is_worth_an_answer(line)])
    answers = [answer for line in lines for answer in line.answers]
    attention = sum(bool(line.faults) or any(isinstance(a, Refused) for a in line.answers) for line in lines)
    questions = _open_questions(receipt)
    topics = dict.fromkeys(answer.topic for answer in answers if isinstance(answer, HelpShown))
    values: dict[str, object] = {
        "essence": wording.say(
            "essence",
            len(filed),
            sum(answer.warning is not None for answer in filed),
            attention,
            any(not isinstance(answer, Refused | Noted | Asked) and not _waits(answer) for answer in answers),
            any(map(_waits, answers)),
            questions,
        ),
        "groups": _groups(
            line_views(lines if not receipt.reader.person.short_receipts else list(filter(_needs_attention, lines)))
        ),
        "remarks": receipt.remarks,
        "set_aside": receipt.set_aside,
        "unread": receipt.unread_parts if Remark.UNREAD_PARTS in receipt.remarks else (),
        "statuses": [status_view(one, reader, now) for one, reader in _games_of(receipt)],
        "games": next((tuple(map(game_view, a.games)) for a in answers if isinstance(a, GamesListed)), ()),
        "sections": [_section_text(wording, section, now) for section in receipt.sections],
        "topics": [help_page(topic, wording.language) for topic in topics],
    }
    asked = next((answer.game for answer in answers if isinstance(answer, StatusShown)), None)
    board = public_view(GameStarted(asked, now), {}) if asked and asked.state is not GameState.FORMING else None
    subject = receipt.subject or (subject_for(game, wording) if game else wording.label("orders"))
    subject = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    subject = _with_questions(subject, questions, wording)
    values["asked"] = game_view(asked) if asked else None
    text = values | {"board": _text(wording, "public", {"view": board, "years": ()}) if board else ""}
    html = _html(wording, "public", {"view": board, "years": ()}) if board else ""
    shown = values | {"board": Markup(html)}  # noqa: S704 - rendered by ourselves just now
    return Rendered(subject, _text(wording, "reply", text), _html(wording, "reply", shown))


def _open_questions(receipt: Receipt) -> int:
    """How many questions about his orders the reader has not answered."""
    games = _games_of(receipt)
    return sum(len(game.seat(power).questions) for game, reader in games for power in reader.powers)


def _with_questions(subject: str, questions: int, wording: Wording) -> str:
    """The subject with the number of open questions, and without what an earlier receipt said of them."""
    for number in (1, 2):
        said = re.escape(wording.say("open_questions", number)).replace(str(number), r"\d+")
        subject = re.sub(rf" \({said}\)$", "", subject)
    return f"{subject} ({wording.say('open_questions', questions)})" if questions else subject


def _waits(answer: Answer) -> bool:
    """Whether it is a READY that does not count yet: that is no "Done."."""
    return isinstance(answer, ReadySet) and answer.ready and not answer.counts


def _games_of(receipt: Receipt) -> Sequence[tuple[Game, Reader]]:
    """The games the receipt tells about, each once: that of the mail first."""
    main = [(receipt.game, receipt.reader)] if receipt.game else []
    asked = [a.game for line in receipt.lines for a in line.answers if isinstance(a, StatusShown)]
    watched = [(game, Reader(receipt.reader.person, Role.OBSERVER)) for game in asked]
    found = {game.name: (game, reader) for game, reader in reversed([*main, *receipt.others, *watched])}
    return [found[name] for name in reversed(found)]


def _is_worth_an_answer(line: AnsweredLine) -> bool:
    return bool(line.faults or line.answers)


def _needs_attention(line: AnsweredLine) -> bool:
    """Whether a line belongs into a short receipt, too."""
    plain = [a for a in line.answers if isinstance(a, Filed) and not (a.warning or a.misnamed or a.phase)]
    return bool(line.faults) or len(plain) < len(line.answers)


def _settled(lines: Sequence[AnsweredLine]) -> tuple[list[AnsweredLine], list[Filed]]:
    """The lines as they read once the whole mail is done, and the orders on file from it.

    What a line replaced and a later one put back was not replaced.
    """
    on_file: dict[tuple[Power, Order], Filed] = {}
    for answer in (answer for line in lines for answer in line.answers if isinstance(answer, Filed)):
        for order in answer.replaced:
            on_file.pop((answer.power, order), None)
        on_file[answer.power, answer.order] = answer

    def settled(answer: Answer) -> Answer:
        if not isinstance(answer, Filed):
            return answer
        gone = tuple(order for order in answer.replaced if (answer.power, order) not in on_file)
        return replace(answer, replaced=gone)

    answered = [replace(line, answers=tuple(settled(answer) for answer in line.answers)) for line in lines]
    return answered, list(on_file.values())


def _groups(lines: Sequence[LineView]) -> list[tuple[list[LineView], LineView]]:
    """Lines that follow each other and are refused for the same reason are answered once."""
    groups: list[tuple[list[LineView], LineView]] = []
    for line in lines:
        same = groups and not line.faults and not groups[-1][1].faults and groups[-1][1].answers == line.answers
        if same and all(isinstance(answer, Refused) for answer in line.answers):
            groups[-1][0].append(line)
        else:
            groups.append(([line], line))
    return groups


def event_letter(event: LetterEvent, reader: Reader, people: Mapping[PersonId, Person], now: datetime) -> Rendered:
    """What somebody is told of an event that is no report; `people` are those it speaks of."""
    wording = wording_in(reader.person.language, event.game.settings.map)
    view = news(event, reader, people, now)
    return _letter(wording, wording.say_from("events", "subject", view), wording.say_from("events", "body", view))


def _letter(wording: Wording, subject: str, body: str) -> Rendered:
    """A mail of plain words."""
    text = wrapped(body.strip()) + "\n"
    return Rendered(subject, text, _html(wording, "notice", {"body": text, "subject": subject}))


def _section_text(wording: Wording, section: Section, now: datetime) -> str:
    """A longer answer, as plain text."""
    if isinstance(section, Board):
        board = public_view(GameStarted(section.game, now), {})
        return _text(wording, "public", {"view": board, "years": ()}).strip("\n")
    view: object = section
    if isinstance(section, SettingsInWords):
        view = SettingsView(game_view(section.game), section.upcoming, section.zone, section.asked)
    return wrapped(wording.say_from("sections", "section", view)).strip("\n")


def notice(kind: NoticeKind, language: Language, **values: object) -> Rendered:
    """A mail that is neither report nor receipt; `NoticeKind` says which values its wording needs."""
    wording = wording_in(language)
    subject = wording.say_from("notices", "subject", kind.value, values)
    return _letter(wording, subject, wording.say_from("notices", "body", kind.value, values))


def _text(wording: Wording, name: str, values: Mapping[str, object]) -> str:
    template = wording.text.get_template(f"{name}.txt")
    return wrapped(template.render(w=wording.words, lang=wording.language.value, **values))


def _html(wording: Wording, name: str, values: Mapping[str, object]) -> str:
    template = wording.html.get_template(f"{name}.html")
    return template.render(w=wording.html_words, lang=wording.language.value, **values)
