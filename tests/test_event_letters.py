"""Every event, and everything somebody did, has its words in both languages."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from judge import commands as c
from judge.commands import Language
from judge.games import answers as a
from judge.games import events as e
from judge.reports import Reader, Role, event_letter
from judge.reports.answers import answer_view
from judge.reports.news import LetterEvent
from judge.reports.wording import wording_in
from judge.rules.position import Location, province_of
from tests.happenings import ADA, ARMY, EVENTS, FRANCE, GAME, HAPPENED, ITALY, NOON

DONE: list[c.Command] = [
    *(command for command in HAPPENED if not isinstance(command, c.TakeOver | c.Elect | c.Absence)),
    c.Wait(),
    c.Decline((province_of(Location("POR")),)),
    c.Decline(()),
    c.Note(text="x"),
    c.Note(),
    c.ShareNotes(share=True),
    c.ShareNotes(share=False),
    c.SetReceipts(full=True),
    c.SetReceipts(full=False),
    c.SetCalendar(wanted=True),
    c.SetCalendar(wanted=False),
    c.SetAddress("ada@players.test"),
    c.EraseMe(),
    c.Invite("ada@players.test"),
    c.Start(),
]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_is_told(event: LetterEvent, language: Language) -> None:
    reader = Reader(replace(ADA, language=language), Role.PLAYER, (FRANCE,))
    letter = event_letter(event, reader, {ADA.id: ADA}, NOON)
    assert letter.subject.startswith("[ardennes] ")
    first = letter.text.strip().split("\n\n")[0]
    assert len(first) > 10
    if isinstance(event, e.Relayed):
        assert "psst" in letter.text
    if isinstance(event, e.GameNews) and isinstance(event.command, c.Override) and event.command.reason:
        assert "why" in letter.text
    assert "\n\n\n" not in letter.text
    assert letter.html.startswith("<!DOCTYPE html>")


def test_no_event_is_left_out() -> None:
    with_reports = {e.GameStarted, e.PhaseClosed, e.GameEnded}
    assert {type(event) for event in EVENTS} | with_reports == set(get_args(e.Event))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("command", DONE, ids=lambda command: type(command).__name__)
def test_everything_done_is_said(command: c.Command, language: Language) -> None:
    said = wording_in(language).say("done", a.Done(command, NOON)).strip()
    assert len(said) > 5
    assert said not in ("Done.", "承知しました。")


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    "answer",
    [
        a.Undone((ARMY,), (ARMY,)),
        a.AbsenceSet(NOON, NOON, NOON),
        a.AbsenceSet(None, None, None),
        a.Joined("ardennes", FRANCE, 0, GAME.settings, powers=(FRANCE, ITALY), after_somebody=True),
        a.Done(c.Wait()),
        a.Voted(c.VoteDraw(agrees=True), 3, 4),
        a.Voted(c.VoteDraw(agrees=True), 3, 0),
        a.Voted(c.VoteDraw(agrees=True), 13, 10, in_centers=True),
        a.Voted(c.VoteDraw(agrees=False), 3, 4),
        a.Voted(c.Concede(ITALY), 3, 4),
        a.Voted(c.Concede(None), 0, 0),
        a.Voted(c.Elect(ITALY), 3, 1),
        a.Voted(c.Elect(None), 0, 0),
        a.Sent((ITALY,), c.Press((ITALY,), text="x"), ran_on=True),
        a.Sent((), c.Broadcast(text="x")),
        a.Sent((), c.PressToMaster(text="x")),
        a.Overridden(c.SetReady(ready=False)),
        a.AskedToConfirm(c.Resign(), "ada@players.test"),
        a.Registered("Ada", "ada@players.test", Language.ENGLISH, ""),
        a.SettingsShown(GAME),
        a.Shown(c.Who()),
    ],
    ids=lambda answer: type(answer).__name__,
)
def test_every_answer_is_said(answer: a.Answer, language: Language) -> None:
    assert len(wording_in(language).say("answer", answer_view(answer)).strip()) > 5
