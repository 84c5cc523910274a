"""Every subject says what the mail is, for which game, and until when.

No name in it does harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from itertools import product
from pathlib import Path

import pytest

from judge import commands as c
from judge.commands import Language
from judge.games import Game, PersonId
from judge.games import events as e
from judge.games.game import Ended, GameState, MasterOffer
from judge.language import Context, read
from judge.mail.composing import compose
from judge.mail.letters import LetterKind, Outgoing
from judge.reports.phases import phase_reports
from judge.reports.readers import AnsweredLine, NoticeKind, Reader, Receipt, Rendered, Role
from judge.reports.render import event_letter, reply
from judge.reports.views import game_view
from judge.reports.wording import wording_in
from judge.rules import Phase, adjudicate
from tests.happenings import ADA, EVENTS, FRANCE, GAME, ITALY, NOON

OVER = replace(GAME, state=GameState.FINISHED, clock=replace(GAME.clock, deadline=None))
PLAYER, WATCHER = Reader(ADA, Role.PLAYER, (FRANCE,)), Reader(ADA, Role.OBSERVER)

FOLDER = Path(__file__).parent / "subjects"


def _written(language: Language) -> Mapping[str, str]:
    """Map each kind of mail to its expected subject."""
    lines = (FOLDER / f"{language}.txt").read_text("utf-8").splitlines()
    return dict(line.split(" | ", 1) for line in lines)


SUBJECTS = {language: _written(language) for language in Language}
"""Subjects reviewed by eye, written by `python -m tests.test_subjects`."""


def kind_of(event: object) -> str:  # noqa: C901, PLR0911, PLR0912 - a table
    """Return the table row of an event."""
    command = getattr(event, "command", None)
    name = type(event).__name__ + (f" {type(command).__name__}" if command is not None else "")
    name += ", before the start" if isinstance(command, c.Eject) and command.power is None else ""
    name += ", allowed" if isinstance(event, e.PetitionDecided) and event.is_allowed else ""
    name += ", their own" if isinstance(event, e.SeatGivenUp) and event.person == ADA.id else ""
    match event:
        case e.Extended(missing=missing, is_back=is_back) if missing or is_back:
            return f"{name}, {'waiting' if missing else 'as it was'}"
        case e.PlayerOut(is_back=True):
            return f"{name}, back"
        case e.Invited(game=game, invitation=offer):
            if isinstance(offer, MasterOffer):
                return f"{name}, as {'the' if offer.is_first else 'a second'} master"
            return f"{name}, forming" if game.state is GameState.FORMING else name
        case e.SitterNews(step=step, powers=powers):
            return f"{name}, {step}" + ("" if powers else ", without the seat")
        case e.GameNews(command=c.ChangeSetting(setting="update_type")):
            return f"{name}, of the rules"
        case e.GameNews(command=c.Coach(ends=True)):
            return f"{name}, ended"
        case e.Relayed(command=c.PressToCoach(), power=None):
            return f"{name}, of the coach"
        case e.GameNews(command=c.Absence(period=None) | c.SetReady(ready=False)):
            return f"{name}, taken back"
        case e.GameNews(command=c.HouseRules(text="")):
            return f"{name}, taken away"
        case e.GameNews(command=c.Resign(), power=None) | e.OfferRefused(power=None):
            return f"{name}, of a master"
        case e.GameNews(command=c.EndGame() | c.Eject(), by_vote=True):
            return f"{name}, by vote"
        case e.VoteTold(command=c.VoteDraw(agrees=False)):
            return f"{name}, taken back"
        case e.ProposalFailed(with_its_phase=True):
            return f"{name}, with its phase"
        case e.DrawAsked(is_counted=True):
            return f"{name}, counted"
        case e.VoteTold(command=c.VoteDraw(among=among)) | e.VoteDropped(command=c.VoteDraw(among=among)) if among:
            return f"{name}, of some"
        case e.Relayed(command=c.Press(is_anonymous=True)):
            return f"{name}, of nobody"
        case e.Relayed(command=c.Press(about="Tunis")):
            return f"{name}, of a room"
        case e.Relayed(command=c.Press(), power=None):
            return f"{name}, of the master"
        case e.Relayed(command=c.PressToMaster(), power=None):
            return f"{name}, of a watcher"
    return name


def of_event(event: e.Event, language: Language) -> str:
    reader = replace(PLAYER, person=replace(ADA, language=language))
    return event_letter(event, reader, {ADA.id: ADA}, NOON).subject  # type: ignore[arg-type]


def closed(game: Game, phase: str) -> e.Event:
    """Return the report of a phase in which nothing happened."""

    before = replace(game.position, phase=Phase.parse(phase))
    return e.PhaseClosed(game, before.phase, before, adjudicate(game.map, before, {}, game.settings.rules), NOON)


def in_phase(phase: str, **changes: object) -> Game:
    return replace(GAME, position=replace(GAME.position, phase=Phase.parse(phase)), **changes)  # type: ignore[arg-type]


REPORTS: Mapping[str, tuple[e.Event, Reader]] = {
    "opening": (e.GameStarted(GAME, NOON), PLAYER),
    "opening, watched": (e.GameStarted(GAME, NOON), WATCHER),
    "orders": (closed(in_phase("F1901M"), "S1901M"), PLAYER),
    "orders of two powers": (closed(in_phase("F1901M"), "S1901M"), replace(PLAYER, powers=(FRANCE, ITALY))),
    "no deadline": (closed(in_phase("F1901M", clock=replace(GAME.clock, deadline=None)), "S1901M"), PLAYER),
    "nothing to do": (closed(in_phase("F1901R"), "F1901M"), PLAYER),
    "watched": (closed(in_phase("W1901A"), "F1901M"), WATCHER),
    "won": (e.GameEnded(replace(OVER, ended=Ended.CONCESSION, winner=FRANCE, sharers=(FRANCE,)), NOON), PLAYER),
    "drawn": (e.GameEnded(replace(OVER, ended=Ended.DRAW, sharers=(FRANCE, ITALY)), NOON), WATCHER),
    "ended": (e.GameEnded(replace(OVER, ended=Ended.BY_MASTER), NOON), PLAYER),
}


def of_report(kind: str, language: Language) -> Rendered:
    event, reader = REPORTS[kind]
    reader = replace(reader, person=replace(ADA, language=language))
    return phase_reports(event, [reader], {ADA.id: ADA}, NOON)[0]  # type: ignore[arg-type]


ASKED: Mapping[str, tuple[tuple[c.Command, ...], Game | None]] = {
    "help": ((c.Help("orders"),), None),
    "two": ((c.Who(), c.Status()), GAME),
    "many": ((c.Who(), c.Status(), c.ShowVotes(), c.ShowLog()), GAME),
    "nothing": ((), GAME),
}


def of_answer(kind: str, language: Language, subject: str = "") -> str:
    """Return the subject of the answer to a mail with this subject."""
    requests, game = ASKED[kind]
    lines = tuple(AnsweredLine("x", (request,)) for request in requests)
    reader = replace(PLAYER, person=replace(ADA, language=language))
    return reply(Receipt(reader, lines, game, subject=subject), NOON).subject


VERDICTS = [(4, 5, 1), (1, 1, 0), (0, 2, 0), (0, 0, 2)]
"""Orders on file, orders written, questions."""


def of_notice(kind: NoticeKind, language: Language) -> str:
    values: dict[str, object] = {"asked": ["A PAR H"], "mails": [1, 2], "subject": "x", "domain": "x"}
    values |= {"game": "ardennes", "person": "Ada", "address": "a@b.test", "alarm": "disk"}
    return wording_in(language).say_from("notices", "subject", kind.value, values)


def subjects(language: Language) -> Mapping[str, str]:
    """Map everything that is mailed to its subject in this language."""
    words = wording_in(language)
    return {
        **{f"event {kind_of(event)}": of_event(event, language) for event in EVENTS},
        **{f"report {kind}": of_report(kind, language).subject for kind in REPORTS},
        **{f"answer {kind}": of_answer(kind, language) for kind in ASKED},
        **{f"verdict {numbers}": words.say("verdict", *numbers) for numbers in VERDICTS},
        **{f"notice {kind}": of_notice(kind, language) for kind in NoticeKind},
        "asked": words.say_from("reports", "asked", game_view(GAME), 3, ("READY",)),
    }


DUE = ("event GraceBegan", "event Reminded", "report opening", "report orders", "report orders of two powers")
SHOWN = 45
"""The number of characters of a subject that a phone shows."""


@pytest.mark.parametrize("language", Language)
def test_a_subject_says_what_it_is_and_whose(language: Language) -> None:
    assert subjects(language) == SUBJECTS[language]


@pytest.mark.parametrize("language", Language)
def test_events_of_a_kind_have_one_subject(language: Language) -> None:
    for event in EVENTS:
        assert of_event(event, language) == SUBJECTS[language][f"event {kind_of(event)}"]
        assert of_event(event, language).startswith("[ardennes] ")


@pytest.mark.parametrize("language", Language)
def test_a_list_of_mails_shows_what_is_due_and_until_when(language: Language) -> None:
    due = [subject for kind, subject in SUBJECTS[language].items() if kind in DUE]
    assert len(due) == len(DUE)
    for subject in due:
        assert "12:00" in subject[:SHOWN], subject


@pytest.mark.parametrize("language", Language)
def test_notices_are_told_apart_by_their_subjects(language: Language) -> None:
    assert len({of_notice(kind, language) for kind in NoticeKind}) == len(NoticeKind)


@pytest.mark.parametrize("language", Language)
def test_the_sender_has_a_name(language: Language) -> None:
    name = {"en": "Diplomacy judge", "de": "Diplomacy-Judge", "ja": "ディプロマシーのジャッジ"}[language]
    assert of_report("orders", language).sender == name


def test_the_answer_to_a_mail_keeps_its_subject() -> None:
    for kind, language in product(ASKED, Language):
        assert of_answer(kind, language, "my orders") == "Re: my orders"


UNTIMED = {SUBJECTS[language]["report no deadline"] for language in Language}
OURS = [
    subject
    for language in Language
    for kind, subject in SUBJECTS[language].items()
    if kind.startswith(("event ", "report "))
]


@pytest.mark.parametrize("begins", ["", "Re: ", "Subject: Re: ", "件名: Re: ", "AW: ", "Betreff: AW: "])
@pytest.mark.parametrize("subject", sorted(set(OURS)))
def test_a_subject_of_ours_in_a_mail_asks_for_nothing(subject: str, begins: str) -> None:
    """A subject with a phase alone means the open phase."""
    lines = read(f"{begins}{subject}", Context(GAME.map, GAME.position, (FRANCE,)))
    meant = [c.ForPhase(Phase.parse("F1901M"))] if subject in UNTIMED else []
    assert [request for line in lines for request in line.requests] == meant
    assert [fault for line in lines for fault in line.faults] == []


# Names

NAMES = {
    "markup": "<script>alert(1)</script><b>",
    "markup of ours": "{{ game }} & {% raw %}",
    "right to left": "\u202eadA\u202c \u05d0\u05d3\u05d4",
    "emoji": "👩‍🚀 Ada 🇫🇷",
    "long": "A" * 200,
    "long Japanese": "長い名前" * 50,
    "a heading and a table": "\x1eAda\x1d\tB",
}


def letters_with(name: str, language: Language) -> Iterator[Rendered]:
    """Yield every kind of mail that names people, with a person of that name.

    Players also write that name in press.
    """
    people = {PersonId(n): replace(ADA, id=PersonId(n), name=name, language=language) for n in (1, 9)}
    reader = replace(PLAYER, person=people[PersonId(1)])
    for event in EVENTS:
        changed = event
        if isinstance(event, e.Relayed) and isinstance(event.command, c.Press):
            changed = replace(event, command=replace(event.command, text=f"{name}\n{name}"))
        yield event_letter(changed, reader, people, NOON)
    yield phase_reports(e.GameStarted(GAME, NOON), [reader], people, NOON)[0]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_does_no_harm(name: str, language: Language) -> None:
    for rendered in letters_with(name, language):
        assert "<script" not in rendered.html
        assert "{{ game }} &" not in rendered.html.replace("&amp;", "+")
        letter = Outgoing(LetterKind.NOTICE, "ada@players.test", "<a@b.test>", NOON, "judge@b.test", None, "", "")
        letter = replace(
            letter, subject=rendered.subject, text=rendered.text, html=rendered.html, sender_name=rendered.sender
        )
        content = compose(letter)
        mail = message_from_bytes(content, policy=policy.default)
        assert mail["Subject"].startswith("[ardennes] ")
        assert "\u202e" not in mail["Subject"]
        assert str(mail["From"].addresses[0].addr_spec) == "judge@b.test"
        assert max(map(len, content.split(b"\r\n"))) <= 998


def test_a_long_subject_is_cut() -> None:
    (event,) = (event for event in EVENTS if isinstance(event, e.PlayerLeft))
    rendered = event_letter(event, PLAYER, {ADA.id: replace(ADA, name="A" * 400)}, NOON + timedelta(days=1))
    letter = Outgoing(LetterKind.NOTICE, "a@b.test", "<a@b.test>", NOON, "j@b.test", None, rendered.subject, "x")
    assert len(message_from_bytes(compose(letter), policy=policy.default)["Subject"]) <= 250


if __name__ == "__main__":
    for language in Language:
        lines = [f"{kind} | {subject}\n" for kind, subject in subjects(language).items()]
        (FOLDER / f"{language}.txt").write_text("".join(lines), "utf-8")
