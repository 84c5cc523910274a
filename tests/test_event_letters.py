"""Every event, and every result of a command, has its words in all languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import get_args
from unittest.mock import patch

import pytest

from judge import commands as c
from judge.commands import Language
from judge.games import answers as a
from judge.games import events as e
from judge.games.withdrawn import Withdrawal
from judge.language.times import read_hours
from judge.reports.answers import answer_view
from judge.reports.catalogs import Catalog, Piece, Variant, catalog_of
from judge.reports.columns import WIDTH, width
from judge.reports.news import VIEWS, event_view
from judge.reports.readers import Reader, Receipt, Role
from judge.reports.render import event_letter, reply
from judge.reports.sections import Past, PastPhase, YearOfCenters
from judge.reports.wording import wording_in
from judge.rules import load_map
from judge.rules.outcomes import Outcome, Unexplained
from judge.rules.position import Location, province_of
from tests.catalogs import messages_of
from tests.happenings import ADA, ARMY, EVENTS, FRANCE, GAME, HAPPENED, ITALY, NOON, SPRING

DONE: list[c.Command] = [
    *(command for command in HAPPENED if not isinstance(command, c.TakeOver | c.Elect | c.Absence | c.SetReady)),
    c.Wait(),
    c.Decline((province_of(Location("POR")),)),
    c.Decline(()),
    c.Note(text="x"),
    c.Note(),
    c.ShareNotes(share=True),
    c.ShareNotes(share=False),
    c.SharePress(share=False),
    c.Statement(text="x"),
    *map(c.SetReceipts, c.ReceiptKind),
    *map(c.SetMaps, c.MapKind),
    c.SetCalendar(wanted=True),
    c.SetCalendar(wanted=False),
    c.SetHours(),
    c.SetHours(c.AsWritten("19-23, weekends", read_hours("19-23, weekends"))),
    c.SetPublic(named=True),
    c.SetPublic(named=False),
    c.SetWarnings(wanted=False),
    c.SetAddress("ada@players.test"),
    c.EraseMe(),
    c.Invite("ada@players.test"),
    c.Start(),
]
READY_SET = a.ReadySet(ready=True, waiting_for=1, closes_early=True, has_deadline=True, moved=True)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_is_told(event: e.LetterEvent, language: Language) -> None:
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
    assert {type(event) for event in EVENTS} == VIEWS.keys() == set(get_args(e.LetterEvent))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_a_view_is_called_after_its_event(event: e.LetterEvent) -> None:
    assert event_view(event, Reader(ADA, Role.PLAYER, (FRANCE,)), {ADA.id: ADA}, NOON).kind == type(event).__name__


@pytest.mark.parametrize("language", Language)
def test_no_variant_of_a_message_names_what_its_event_lacks(language: Language) -> None:
    """All variants are checked, including those that no event of the tests uses."""
    asked: dict[tuple[str, type], set[str]] = {}
    find = Catalog.pieces

    def watched(self: Catalog, name: str, values: Mapping[str, object], thing: object) -> tuple[Piece, ...] | None:
        asked.setdefault((name, type(thing)), set()).update(values)
        return find(self, name, values, thing)

    with patch.object(Catalog, "pieces", watched):
        for event, powers in product(EVENTS, ((FRANCE,), ())):
            event_letter(event, Reader(replace(ADA, language=language), Role.MASTER, powers), {ADA.id: ADA}, NOON)
    messages = catalog_of(language.value).messages
    assert {type_.__name__ for _, type_ in asked} >= {f"{event.__name__}View" for event in VIEWS}
    assert {
        (name, type_.__name__, one)
        for (name, type_), given in asked.items()
        for variant in messages.get(name, ())
        for one in named_in(variant) - given
        if not hasattr(type_, one)
    } == set()


def named_in(variant: Variant) -> set[str]:
    """Return the names in a message's variant, in its conditions or its words."""
    pieces = {piece.name for form in variant.forms for piece in form} - {""}
    return pieces | {condition.name for condition in variant.conditions}


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
        a.Undone(((ARMY,),), ((ARMY,),)),
        a.AbsenceSet(NOON, NOON, NOON, is_later=False),
        a.AbsenceSet(None, None, None, is_later=False),
        a.AbsenceSet(None, None, NOON, is_later=True),
        a.AbsenceSet(None, None, None, is_later=True),
        a.AbsenceSet(None, None, None, is_later=False, was_away=False),
        a.AbsenceSet(None, None, None, is_later=False, ends_sitting=True),
        a.SeatKept((FRANCE, ITALY), SPRING),
        replace(READY_SET, keeps=(FRANCE,)),
        replace(READY_SET, ready=False, keeps=(FRANCE,)),
        a.Joined("ardennes", FRANCE, 0, powers=(FRANCE, ITALY), after_somebody=True),
        a.Done(c.Wait()),
        *(
            a.DoneInAll(c.InAllGames(what, c.AsWritten("2 days", timedelta(days=2))), ("ardennes", "verdun"), left)
            for what in c.Everywhere
            for left in ((), ("ypres",))
        ),
        a.Voted(c.VoteDraw(agrees=True), 3, 4),
        a.Voted(c.VoteDraw(agrees=True), 3, 0),
        a.Voted(c.VoteDraw(agrees=True), 13, 10, in_centers=True),
        a.Voted(c.VoteDraw(agrees=True), 0, 1, is_held=True),
        a.Voted(c.Concede(ITALY), 0, 1, is_held=True),
        a.Voted(c.VoteDraw(agrees=False), 3, 4),
        a.Voted(c.Concede(ITALY), 3, 4),
        a.Voted(c.Concede(None), 0, 0),
        a.Voted(c.Elect(ITALY), 3, 1),
        a.Voted(c.Elect(None), 0, 0),
        a.Sent((ITALY,), c.Press((ITALY,), text="x"), ran_on=True),
        a.Sent((), c.Broadcast(text="x")),
        a.Sent((), c.PressToMaster(text="x")),
        a.Overridden(c.SetReady(ready=False)),
        a.AskedAgain(),
        a.AskedToConfirm(c.Resign(), "ada@players.test"),
        a.AskedToConfirm(c.EndGame("ardennes"), "ada@players.test"),
        a.Registered("Ada", "ada@players.test", Language.ENGLISH, ""),
        a.SettingsShown(GAME),
        a.Shown(c.Who()),
    ],
    ids=lambda answer: type(answer).__name__,
)
def test_every_answer_is_said(answer: a.Answer, language: Language) -> None:
    assert len(wording_in(language).say("answer", answer_view(answer)).strip()) > 5


@pytest.mark.parametrize("language", Language)
def test_every_result_has_its_word(language: Language) -> None:
    """HISTORY tells outcomes from the record, in the words of `judge adjudicate`."""
    results = [outcome.result for outcome in get_args(Outcome) if outcome is not Unexplained]  # it has its own
    names = {f"result-{result.replace(' ', '-')}" for result in results}
    assert names == {name for name in messages_of(language) if name.startswith("result-")}
    words = [wording_in(language).speech.message(name) for name in names]
    past = Past((PastPhase(SPRING, {FRANCE: (("A PAR - BUR", tuple(dict.fromkeys(results))),)}),))
    told = reply(Receipt(Reader(replace(ADA, language=language), Role.PLAYER), (), sections=(past,)), NOON)
    text = " ".join(told.text.split())
    assert all(word in text and word in told.html for word in words)
    if language is Language("ja"):
        assert not [result for result in results if result in told.text]


@pytest.mark.parametrize("language", Language)
def test_what_a_rollback_withdrew_is_struck_through(language: Language) -> None:
    withdrawn = Withdrawal(NOON, NOON, SPRING, "Ada was <ill>")
    orders = {FRANCE: (("A PAR - BUR", ()),)}
    past = Past((PastPhase(SPRING, orders, withdrawn), PastPhase(SPRING, orders)))
    told = reply(Receipt(Reader(replace(ADA, language=language), Role.PLAYER), (), sections=(past,)), NOON)
    struck, counts = (line.strip() for line in told.text.splitlines() if line.startswith("  "))
    assert struck == f"× {counts}"
    assert [re.sub("<[^>]*>", "", one) for one in re.findall("<s>.*?</s>", told.html)] == [counts]
    assert told.html.count(counts) == 2
    assert "<ill>" in told.text
    assert "&lt;ill&gt;" in told.html


@pytest.mark.parametrize("language", Language)
def test_columns_stand_straight(language: Language) -> None:
    """The columns fit long names of powers and long games."""
    years = tuple(YearOfCenters(1900 + n, dict.fromkeys(load_map().powers, n)) for n in range(30))
    reader = Reader(replace(ADA, language=language), Role.PLAYER)
    told = reply(Receipt(reader, (), sections=(Past((), years),)), NOON).text
    rows = [line for line in told.split("\n") if line.startswith("  ")]
    assert len(rows) == 3 * (len(load_map().powers) + 1)
    assert len({width(line) for line in rows[:8]}) == 1
    assert max(map(width, rows)) <= WIDTH
