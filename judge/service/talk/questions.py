"""Answers that need more than the game itself: its record, its log, its people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from judge import commands as c
from judge.commands import Part
from judge.games import Game, GameState, Person, PersonId
from judge.games.answers import Answer, SettingsShown, Supposed
from judge.games.events import Happened
from judge.reports.ballots import all_votes_seen_by
from judge.reports.naming import named
from judge.reports.readers import Illustration
from judge.reports.sections import (
    Board,
    Diary,
    Log,
    LogLine,
    Outcome,
    OwnOrder,
    OwnOrdersOnFile,
    Past,
    PlayerRow,
    Players,
    Section,
    SettingsInWords,
)
from judge.reports.wording import wording_for
from judge.rules.position import Phase, Power
from judge.service.post.past import centers_by_year, history, whole_history
from judge.service.post.pictures import (
    PictureSource,
    illustrated,
    of_closed_phase,
    of_open_phase,
    of_outcome,
    of_whole_game,
)
from judge.service.talk.tables import season_table
from judge.storage import Work


def sections_for(work: Work, request: c.Command, answer: Answer, game: Game, person: Person) -> tuple[Section, ...]:
    """Return the sections of a receipt that answer one request."""
    match answer:
        case Supposed(_, resolution, unsettled):
            return (Outcome(resolution.phase, resolution.verdicts, unsettled),)
        case SettingsShown(tried, upcoming, asked):
            zone, is_registered = person.zone or tried.settings.zone, bool(person.id)
            return (SettingsInWords(tried, upcoming, zone, person.language, asked, is_registered),)
        case _:
            shown = request.card.shows
            return (_part(shown, work, request, game, person),) if shown is not None else ()


def pictures_for(
    work: Work, request: c.Command, answer: Answer, game: Game, person: Person
) -> tuple[Illustration, ...]:
    """Return the pictures of a receipt that answer one request."""
    return illustrated(work, _pictured(work, request, answer, game), person)


def _pictured(work: Work, request: c.Command, answer: Answer, game: Game) -> tuple[PictureSource, ...]:
    match answer, request:
        case Supposed(supposed, resolution), _:
            return (of_outcome(supposed, resolution),)
        case _, c.ShowMap(None, to_enlarge):
            return (replace(of_open_phase(game), to_enlarge=to_enlarge),)
        case _, c.ShowMap(Phase() as phase, to_enlarge):
            found = of_closed_phase(work, game, phase)
            return (replace(found, to_enlarge=to_enlarge),) if found is not None else ()
        case _, c.Replay():
            return of_whole_game(work, game)
        case _:
            return ()


def players(work: Work, game: Game, reader: Person) -> Players:
    """Return the players of the powers, as far as the reader may know them."""
    asking = [one.person for one in game.petitions if not one.is_denied] if reader.id in game.masters else []
    holders = [seat.holder for seat in game.seats if seat.holder is not None]
    coaches = {seat.power: one.person for seat in game.seats if (one := game.coach_of(seat)) is not None}
    others = [*coaches.values(), *(one for one in map(game.sitter_of, game.seats) if one is not None)]
    known = named(
        work.people.many([game.master, *(one.person for one in game.applicants), *holders, *others, *asking]),
        game,
        wording_for(reader, game.settings.map),
    )
    secret = game.hides_names_from(reader.id)
    shows = game.settings.show_addresses or reader.id in game.referees

    def coach(power: Power) -> str | None:
        name = known[coaches[power]].name if power in coaches else None
        return "" if name and secret else name

    def row(power: Power) -> PlayerRow:
        person = known.get(game.seat(power).holder or PersonId(0))
        if person is not None and secret and person.id != reader.id:
            person = None
        return replace(_player_row(game, power, person, known, secret=secret, shows=shows), coach=coach(power))

    return Players(
        game=game.name,
        master=known[game.master].name,
        rows=tuple(row(seat.power) for seat in game.seats) if game.state is not GameState.FORMING else (),
        applicants=() if secret else tuple(known[applicant.person].name for applicant in game.applicants),
        asking=tuple(f"{known[one].name} <{known[one].address}>" for one in asking),
        robots=tuple(s.power for s in game.seats if s.is_robot) if game.state is GameState.FORMING else (),
        observers=len(game.observers),
        is_secret=secret,
    )


def _player_row(
    game: Game, power: Power, person: Person | None, known: Mapping[PersonId, Person], *, secret: bool, shows: bool
) -> PlayerRow:
    """Return the row of a power; `person` is None if the reader may not know them."""
    seat = game.seat(power)
    sitter = game.sitter_of(seat)
    row = PlayerRow(power, "", is_vacant=seat.holder is None, is_robot=seat.is_robot, has_sitter=sitter is not None)
    if person is None:
        return row
    return replace(
        row,
        name=person.name,
        address=person.address if shows else "",
        record=None if secret else person.record,
        sitter=known[sitter].name if sitter is not None and not secret else "",
    )


def _log(work: Work, game: Game, person: Person) -> Log:
    from judge.reports.logged import logged_line  # noqa: PLC0415 - few mails ask for it

    wording, zone = wording_for(person, game.settings.map), person.zone or game.settings.zone
    entries = work.records.entries(game)
    masters = work.people.many(entry.master for entry in entries if entry.master is not None)
    lines = tuple(
        LogLine(
            entry.at,
            entry.phase,
            entry.power,
            logged_line(entry.command, wording, entry.at, zone) if not isinstance(entry.command, Happened) else "",
            _said(entry.command, game, person),
            entry.command if isinstance(entry.command, Happened) else None,
            entry.by_vote,
            entry.command if isinstance(entry.command, c.Object) else None,
            masters[entry.master].name if entry.master is not None and entry.master in masters else "",
        )
        for entry in entries
    )
    return Log(lines, zone)


def _said(command: c.Command | Happened, game: Game, person: Person) -> str:
    """Return the reason of a logged command.

    A master's press is shown only to its recipients and to masters who do not play.
    """
    match command:
        case c.Press(text=text, to=to):
            may_read = person.id in game.referees or any(seat.power in to for seat in game.seats_held_by(person.id))
            return " ".join(text.split()) if may_read else ""
        case c.Announce(text=text):
            return " ".join(text.split())
    return getattr(command, "reason", "")


def _orders(game: Game, person: Person) -> OwnOrdersOnFile:
    on_file = []
    for seat in (*game.seats_of(person.id), *map(game.seat, game.coached_by(person.id))):
        filed = [(game.position.phase, one) for one in seat.filed.orders]
        filed += [(plan.phase, plan.filed) for plan in seat.filed.in_order_of_play]
        on_file += [OwnOrder(phase, seat.power, one.preferences, one.line) for phase, one in filed]
    return OwnOrdersOnFile(tuple(on_file))


def _diary(work: Work, game: Game, person: Person) -> Diary:
    return Diary(tuple((entry.phase, entry.text) for entry in work.records.diary(game.name, person.id)))


def _past(part: Part, work: Work, request: c.Command, game: Game, person: Person) -> Section:
    if part is Part.BOARD:
        return _board(work, game, getattr(request, "phase", None))
    if part is Part.HISTORY:
        first, last = getattr(request, "first", None), getattr(request, "last", None)
        return Past(whole_history(work, game, person.id, first, last), zone=person.zone or game.settings.zone)
    return Past((), centers_by_year(work, game))


def _board(work: Work, game: Game, phase: Phase | None) -> Section:
    """Return the open phase, or a closed one from the record."""
    return Board(game) if phase is None else Past(history(work, game, phase, phase))


def _part(part: Part, work: Work, request: c.Command, game: Game, person: Person) -> Section:
    """Return the section that answers a command."""
    match part:
        case Part.PLAYERS:
            return players(work, game, person)
        case Part.LOG:
            return _log(work, game, person)
        case Part.HISTORY | Part.CENTERS | Part.REPLAY | Part.BOARD:
            return _past(part, work, request, game, person)
        case Part.OWN_ORDERS:
            return _orders(game, person)
        case Part.VOTES:
            return all_votes_seen_by(game, person.id)
        case Part.SEASON:
            return season_table(work, game, person, getattr(request, "page", None) or 1)
        case Part.DIARY:
            return _diary(work, game, person)
        case _:
            assert_never(part)
