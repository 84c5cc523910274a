"""A game in its first phase, and every event with its own letter."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from judge import commands as c
from judge.calendar import Day, DaysAhead, Period, Timetable, WallTime, Weekday
from judge.games import Game, Person, PersonId
from judge.games import events as e
from judge.games.ballots import Proposal
from judge.games.clock import Clock
from judge.games.game import CoachOffer, GameState, Invitation, MasterOffer, Seat
from judge.games.hours import DeadlineOffer
from judge.games.leave import Sitting
from judge.games.setup import set_out
from judge.games.terms import Settings
from judge.rules import Phase, Power, load_map, read_order, read_unit

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
ENGLAND, FRANCE, ITALY = Power("ENGLAND"), Power("FRANCE"), Power("ITALY")
DAY = Day(DaysAhead(1))
SPRING = Phase.parse("S1901M")
ADA = Person(PersonId(1), "ada@players.test", "Ada")
GAME: Game = replace(
    set_out("ardennes", Settings(), PersonId(9)),
    state=GameState.ACTIVE,
    seats=tuple(Seat(power, PersonId(1)) for power in load_map().powers),
    clock=Clock(NOON, deadline=NOON + timedelta(days=1)),
)

GATHERING: Game = set_out("ardennes", Settings(), PersonId(9))
OFFERS = (
    DeadlineOffer(Timetable(timedelta(hours=60), at=time(21)), "Europe/Berlin", outside=("Ben", "Dan")),
    DeadlineOffer(
        Timetable(weekdays=frozenset({Weekday.TUESDAY}), at=time(22)),
        "Europe/Berlin",
        Timetable(weekdays=frozenset({Weekday.WEDNESDAY}), at=time(6)),
        ("", ""),
    ),
    DeadlineOffer(Timetable(at=time(19)), "Europe/Berlin"),
)
ARMY, UNIT = read_order("A PAR H"), read_unit("A PAR")

ASKED = Sitting(PersonId(1), (FRANCE,), NOON, NOON + timedelta(days=9), "ivy@players.test")
SITTING = replace(ASKED, address="", sitter=PersonId(2), since=NOON)

HAPPENED: list[c.Command] = [
    c.Resign(),
    c.Absence(c.AsWritten("1 Dec", Period(DAY, DAY))),
    c.Absence(),
    c.Absence(power=FRANCE),
    c.SetReady(ready=True),
    c.SetReady(ready=False),
    c.TakeOver("ardennes"),
    c.ChangeSetting("press", c.AsWritten("none"), reason="why"),
    c.Unstart(reason="why"),
    c.Pause(reason="why"),
    c.ClearVotes(reason="why"),
    c.Resume(),
    c.SetDeadline(c.AsWritten("Fri 21:00", WallTime(DAY)), reason="why"),
    c.Extend(c.AsWritten("2 days", timedelta(days=2)), reason="why"),
    c.Rollback(SPRING, reason="why"),
    c.Redo(),
    c.Object("why", 1, SPRING),
    c.DecideObjection(upholds=True, number=1, reason="why"),
    c.DecideObjection(upholds=False, number=1, reason="why"),
    c.Put(UNIT, FRANCE, reason="why"),
    c.Take(UNIT, reason="why"),
    c.Own(UNIT.province, FRANCE, reason="why"),
    c.Own(UNIT.province, reason="why"),
    c.Eject(FRANCE, reason="why"),
    c.Eject(address="ada@players.test"),
    c.MakeDummy(FRANCE, reason="why"),
    c.Robot((FRANCE,)),
    c.Replace(FRANCE, "ada@players.test", reason="why"),
    c.Promote("ada@players.test"),
    c.HandOver("ada@players.test"),
    c.Coach("ada@players.test"),
    c.Coach("ada@players.test", reads_press=True),
    c.Coach(ends=True),
    c.Elect(FRANCE),
    c.ShutPress(reason="why"),
    c.HouseRules(text="One player, one seat.\nA PAR - BUR"),
    c.HouseRules(),
    c.EndGame("ardennes", reason="why"),
]
PROPOSAL = c.Propose(c.Proposable.EXTEND, c.AsWritten("2 days", timedelta(days=2)))
PROPOSED = replace(
    GAME,
    proposed=1,
    proposals=(Proposal(1, PROPOSAL.what, FRANCE, (FRANCE,), written="2 days", length=timedelta(days=2)),),
)
VOTED: list[c.Command] = [
    c.Pause(),
    c.Resume(),
    c.Extend(c.AsWritten("2 days", timedelta(days=2))),
    c.Eject(FRANCE),
    c.EndGame("ardennes"),
]
EVENTS: list[e.LetterEvent] = [
    e.CoinTossed(GAME, ITALY, (FRANCE,), NOON),
    e.Extended(GAME, NOON),
    e.Extended(GAME, NOON, (FRANCE,)),
    e.Extended(GAME, NOON, is_back=True),
    e.HeldUp(GAME, NOON),
    e.HeldUp(GAME, NOON, by_mail=True),
    e.FoundTooLate(GAME, SPRING, PersonId(1), ("A Par H",), NOON),
    e.FoundTooLate(GAME, SPRING, PersonId(1), (), NOON),
    e.ExtensionUsed(GAME, ((FRANCE, 1),), NOON),
    e.GraceBegan(GAME, (FRANCE,), NOON),
    e.Invited(GAME, PersonId(1), MasterOffer("ada@players.test", NOON, is_first=True), NOON),
    e.Invited(GAME, PersonId(1), MasterOffer("ada@players.test", NOON, is_first=False), NOON),
    e.CoachAsked(GAME, PersonId(1), CoachOffer("ivy@players.test", (FRANCE,), PersonId(1), NOON), NOON),
    e.CoachAsked(
        GAME, PersonId(1), CoachOffer("ivy@players.test", (FRANCE,), PersonId(1), NOON, reads_press=True), NOON
    ),
    e.CoachDeclined(GAME, (FRANCE,), NOON),
    e.SeatShown(GAME, FRANCE, PersonId(1), NOON),
    e.StandInAsked(GAME, PersonId(1), FRANCE, NOON),
    e.SitterAsked(GAME, PersonId(1), ASKED, NOON),
    e.SitterNews(GAME, e.SitterStep.DECLINED, ASKED, (FRANCE,), NOON),
    e.SitterNews(GAME, e.SitterStep.DECLINED, SITTING, (FRANCE,), NOON),
    *(e.SitterNews(GAME, step, SITTING, (FRANCE,), NOON) for step in e.SitterStep if step is not e.SitterStep.DECLINED),
    e.SitterNews(GAME, e.SitterStep.AGREED, SITTING, (FRANCE,), NOON, was=NOON),
    e.SitterNews(GAME, e.SitterStep.DECLINED, replace(SITTING, player=PersonId(8)), (FRANCE,), NOON, was=NOON),
    e.SitterNews(GAME, e.SitterStep.ENDED, SITTING, (), NOON),
    e.OfferRefused(GAME, PersonId(1), FRANCE, NOON),
    e.OfferRefused(GAME, PersonId(1), None, NOON, is_office=True),
    e.PlayerOut(GAME, (FRANCE,), NOON),
    e.PlayerOut(GAME, (FRANCE,), NOON, is_back=True),
    e.SeatOffered(GAME, (FRANCE,), PersonId(1), NOON),
    e.SeatOffered(GAME, (FRANCE,), PersonId(1), NOON, by_vote=True, reason="why"),
    e.VacancyOpened(GAME, FRANCE, NOON),
    e.MailboxShared(GAME, (PersonId(1), PersonId(9)), (PersonId(1),), NOON),
    e.WaitEnded(GAME, (FRANCE,), NOON),
    e.MusterOffered(GATHERING, NOON),
    e.MusterAsked(GATHERING, PersonId(1), NOON),
    e.PublicationAsked(replace(GAME, state=GameState.FINISHED), PersonId(1), NOON + timedelta(days=14), NOON),
    e.SeatGivenUp(GATHERING, PersonId(1), NOON),
    e.SeatGivenUp(GATHERING, PersonId(2), NOON),
    e.DeadlinesOffered(GAME, PersonId(1), OFFERS),
    e.DeadlinesOffered(GAME, PersonId(1), OFFERS[:1]),
    e.Reminded(GAME, (FRANCE,), NOON),
    e.StartReset(GAME, (FRANCE,), NOON),
    e.PlayerLeft(GAME, PersonId(1)),
    e.Petitioned(GAME, PersonId(1), FRANCE),
    e.PetitionDecided(GAME, PersonId(1), is_allowed=True),
    e.PetitionDecided(replace(GAME, state=GameState.FORMING), PersonId(1), is_allowed=True),
    e.PetitionDecided(GAME, PersonId(1), is_allowed=False),
    e.Invited(GAME, PersonId(1), Invitation("ivy@players.test", FRANCE), NOON),
    e.Invited(replace(GAME, state=GameState.FORMING), PersonId(1), Invitation("ivy@players.test"), NOON),
    e.OrderedFor(GAME, FRANCE, ((ARMY,),), "why", NOON),
    *(e.GameNews(GAME, command, NOON, FRANCE, PersonId(1)) for command in HAPPENED),
    e.GameNews(GAME, c.Resign(), NOON, None, PersonId(1)),
    e.GameNews(GAME, c.ChangeSetting("update_type", c.AsWritten("manual"), reason="why"), NOON),
    e.GameNews(PROPOSED, PROPOSAL, NOON, FRANCE),
    *(e.GameNews(GAME, command, NOON, FRANCE, by_vote=True) for command in VOTED),
    e.ProposalFailed(GAME, PROPOSED.proposals[0], NOON),
    e.ProposalFailed(GAME, PROPOSED.proposals[0], NOON, with_its_phase=True),
    e.DrawAsked(GAME, (FRANCE,), PersonId(1), NOON),
    e.DrawAsked(GAME, (FRANCE, ITALY), PersonId(1), NOON, is_counted=True),
    *(
        e.VoteDropped(GAME, (FRANCE,), vote, PersonId(1), NOON, why)
        for vote in (
            c.VoteDraw(agrees=True),
            c.VoteDraw(agrees=True, among=(FRANCE, ITALY)),
            c.Concede(ITALY),
            c.Elect(ITALY),
        )
        for why in e.Dropped
    ),
    e.VoteTold(GAME, c.VoteDraw(agrees=True), NOON, PersonId(9), FRANCE),
    e.VoteTold(GAME, c.VoteDraw(agrees=True, among=(FRANCE, ITALY)), NOON, PersonId(9)),
    e.VoteTold(GAME, c.VoteDraw(agrees=False), NOON, PersonId(9)),
    e.Relayed(GAME, c.Press((FRANCE,), text="psst"), PersonId(1), None, NOON, (FRANCE,)),
    e.Relayed(GAME, c.Press((ENGLAND, ITALY), text="psst", about="Tunis"), PersonId(1), FRANCE, NOON, (ENGLAND, ITALY)),
    e.Relayed(GAME, c.Press((ITALY,), text="psst", is_anonymous=True), PersonId(1), FRANCE, NOON, (ITALY,)),
    e.Relayed(GAME, c.PressToMaster(text="psst"), PersonId(1), None, NOON),
    e.Relayed(GAME, c.PressToCoach(text="psst"), PersonId(1), None, NOON, (FRANCE,)),
    e.Relayed(GAME, c.PressToCoach(text="psst"), PersonId(9), FRANCE, NOON),
    *(
        e.Relayed(GAME, command, PersonId(1), FRANCE, NOON, (ITALY,))
        for command in (
            c.Press((ITALY,), text="psst"),
            c.Broadcast(text="psst"),
            c.PressToMaster(text="psst"),
            c.Announce(text="psst"),
        )
    ),
]
