"""A game before its first phase: creating, joining, inviting, starting."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from judge.commands import Create, Invite, Join, Observe, Rematch, Start, Unstart
from judge.games import refusals
from judge.games.answers import Created, Done, Joined, Observing
from judge.games.chance import NO_CHANCE, Drawer, Lot, drawn, without_text
from judge.games.events import GameNews, GameStarted, Invited
from judge.games.filed import OnFile
from judge.games.game import Applicant, Game, GameState, Invitation, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.refusals import Refusal, Refused
from judge.games.remembering import remembered
from judge.games.request import Request, on, table
from judge.games.schedule import opened
from judge.games.settings import read_settings, usual_settings
from judge.games.terms import PressRule, Settings
from judge.rules.map import load_map
from judge.rules.options import CountryAssignment
from judge.rules.position import Power
from judge.settings import setting_named

_RESERVED = ("confirm", "bounce")
"""These names are part of the judge's own addresses."""
_LONGEST_NAME = 16
"""An invitation names the game, and must not carry an advertisement."""
_MOST_INVITED = 20
"""The most unanswered invitations.

Each is a mail to a person who did not ask for it.
"""
NAME = re.compile(r"[a-z][a-z0-9]*")
"""The name of a game."""


def is_name(name: str) -> bool:
    """Whether a name is valid for a game."""
    is_free = name not in _RESERVED and not name.startswith(Game.SANDBOX)
    return bool(NAME.fullmatch(name)) and len(name) <= _LONGEST_NAME and is_free


def next_name(name: str) -> str:
    """Return the name of the game that follows a game.

    >>> next_name("ardennes"), next_name("ardennes2"), next_name("a-long-name-of-old-9")
    ('ardennes2', 'ardennes3', 'alongnameofold10')
    """
    word = name.replace("-", "")
    stem = word.rstrip("0123456789")
    ending = str(int(word[len(stem) :] or 1) + 1)
    return stem[: _LONGEST_NAME - len(ending)] + ending


def create(command: Create, master: PersonId, zone: str = "UTC", like: Game | None = None) -> Handled | Refused:
    """Return a new game, or a refusal with every wrong setting.

    Settings that are not given are copied from `like`. Without it they have their defaults, with the time zone `zone`.
    """
    name = command.game.lower()
    if not is_name(name):
        return Refused(refusals.BadName(command.game))
    usual = like.next_settings if like is not None else replace(usual_settings(), zone=zone)
    settings = read_settings(command.settings, usual)
    if not isinstance(settings, Settings):
        return wrong_settings(settings)
    game = set_out(name, settings, master)
    if like is not None:
        game = replace(game, house_rules=like.house_rules.next)
    written = {setting_named(name) or name: value for name, value in command.settings.items()}
    return Handled(game, Created(game, written))


def wrong_settings(wrong: Sequence[refusals.WrongSetting]) -> Refused:
    """Return a refusal with all wrong settings and possible values."""
    if all(one.is_fixed for one in wrong):
        return Refused(refusals.FixedSetting(", ".join(one.name.replace("_", " ") for one in wrong)))
    return Refused(refusals.BadSetting(tuple(wrong)))


def set_out(name: str, settings: Settings, master: PersonId) -> Game:
    """Return a forming game with its starting position."""
    map_ = load_map(settings.map)
    return Game(
        name=name,
        settings=settings,
        master=master,
        state=GameState.FORMING,
        position=map_.start(map_.setup_for(settings.rules.players)),
        seats=tuple(Seat(power) for power in map_.powers),
    )


def join(game: Game, person: PersonId, command: Join, now: datetime, seed: int, address: str = "") -> Handled:
    """Take a seat; the last one starts the game. Random choices are drawn with `seed`.

    Seats are kept for addresses that were invited.
    """
    if game.state is not GameState.FORMING:
        return refused(game, refusals.HasStarted(game.name))
    by_lot = game.settings.rules.country_assignment is CountryAssignment.LOT
    wished = command.wishes or ((command.power,) if command.power is not None else ())
    promised = next((one.power for one in game.invitations if one.address == address), None)
    promised = promised if promised is not None and promised in (wished or (promised,)) else None
    wishes = (promised,) if promised is not None else () if by_lot else wished
    is_in_vain = by_lot and bool(wished) and promised is None
    applied = _applied(game, person, wishes)
    if not isinstance(applied, Applicant):
        return refused(game, applied)
    others = tuple(applicant for applicant in game.applicants if applicant.person != person)
    kept = tuple(invitation for invitation in game.invitations if invitation.address != address)
    is_invited = kept != game.invitations
    seats = game.seats_of_people
    taken = sum(other.seats for other in others) + applied.seats
    if taken > seats or (not is_invited and taken + len(kept) > seats):
        return refused(game, refusals.SeatsKept(game.name))
    reasons = {wish: why_not(game, others, wish, kept) for wish in wishes}
    if wishes and all(reasons.values()):
        return refused(game, next(reason for reason in reasons.values() if reason))
    wishes = tuple(wish for wish in wishes if not reasons[wish])
    applied = replace(applied, wishes=tuple(wish for wish in applied.wishes if not reasons.get(wish)))
    applied = replace(applied, promised=promised or applied.promised)
    applicants = (*others, applied)
    observers = tuple(observer for observer in game.observers if observer != person)
    petitions = tuple(one for one in game.petitions if one.person != person)
    is_new = all(applicant.person != person for applicant in game.applicants)
    arrivals = (*game.arrivals, (person, now)) if is_new else game.arrivals
    game = replace(game, applicants=applicants, observers=observers, invitations=kept, petitions=petitions)
    game = replace(game, arrivals=arrivals)
    wish = wishes[0] if wishes else None
    left = game.seats_left
    answer = Joined(game.name, wish, left, by_lot=is_in_vain)
    if left:
        return Handled(game, answer)
    game = start(game, now, seed)
    powers = tuple(seat.power for seat in game.seats_of(person))
    return Handled(game, Joined(game.name, powers[0], 0, powers=powers), (GameStarted(game, now),))


def _applied(game: Game, person: PersonId, wishes: tuple[Power, ...]) -> Applicant | Refusal:
    """Combine a person's new wishes with earlier ones.

    They ask for another power, or for one more seat where several are allowed.
    """
    most = game.settings.seats_per_person
    mine = next((applicant for applicant in game.applicants if applicant.person == person), None)
    if mine is None or most == 1:
        same = mine is not None and mine.wishes == wishes
        return refusals.AlreadyIn(game.name) if same else Applicant(person, wishes if most == 1 else wishes[:1])
    if wishes and wishes[0] in mine.wishes:
        return refusals.AlreadyIn(game.name)
    if mine.seats >= most:
        return refusals.SeatsEnough(most)
    return replace(mine, wishes=(*mine.wishes, *wishes[:1]), seats=mine.seats + 1)


def _seat_by_seat(applicants: Sequence[Applicant]) -> Iterator[Applicant]:
    """Yield each applicant once per seat, with the wish for that seat."""
    for one in applicants:
        if one.seats == 1:
            yield one
        else:
            yield from (Applicant(one.person, one.wishes[place : place + 1]) for place in range(one.seats))


def why_not(game: Game, others: Sequence[Applicant], wish: Power, kept: Sequence[Invitation]) -> Refusal | None:
    """Return why a person cannot have the power they wish for; None if they can."""
    assignment = game.settings.rules.country_assignment
    wanted = _group_of(game, wish)
    if wanted is None:
        return refusals.PowerNotPlayed(wish)
    if game.seat(wish).is_robot:
        return refusals.PowerTaken(wish)
    if any(invitation.power is not None and _group_of(game, invitation.power) == wanted for invitation in kept):
        return refusals.PowerTaken(wish)
    first_come = assignment is CountryAssignment.REGISTRATION_ORDER
    wished = [other.wishes[0] for other in _seat_by_seat(others) if other.wishes and first_come]
    promised = [other.promised for other in others if other.promised is not None]
    if any(_group_of(game, other) == wanted for other in (*wished, *promised)):
        return refusals.PowerTaken(wish)
    return None


def _group_of(game: Game, power: Power) -> int | None:
    """Return the index of a power's player in the set-up, or None.

    None means that the power is not played.
    """
    groups = enumerate(game.set_up.assignments)
    found = [place for place, powers in groups if power in powers and not game.was_out(powers)]
    return found[0] if found else None


def start(game: Game, now: datetime, seed: int) -> Game:
    """Seat the applicants and open the first phase.

    The powers are drawn with the seed of the game's chance; games that have none use `seed`.
    """
    lot = _lot(game, seed)
    players = {
        place: applicant.person
        for applicant, places in zip(game.applicants, drawn(lot), strict=True)
        for place in places
    }
    holders = {power: players.get(place) for place, powers in enumerate(lot.places) for power in powers}
    seats = tuple(
        replace(
            seat,
            holder=holders.get(seat.power),
            serial=seat.serial + 1,
            filed=OnFile(),
            is_dummy=game.was_out([seat.power]),
        )
        for seat in game.seats
    )
    chance = replace(game.chance, words=(), lot=lot) if game.chance.root else NO_CHANCE
    game = replace(game, state=GameState.ACTIVE, seats=seats, applicants=(), invitations=())
    game = replace(game, asked_whether_there=(), muster_at=None, chance=chance)
    return remembered(opened(game, now, is_first=True))


def _lot(game: Game, seed: int) -> Lot:
    """Return how the powers are drawn (R-ASSIGN)."""
    robots = {seat.power for seat in game.seats if seat.is_robot}
    told = without_text if game.settings.press is PressRule.NONE else str
    groups = game.set_up.assignments
    return Lot(
        seed=game.chance.seed_of_lot or str(seed),
        assignment=game.settings.rules.country_assignment,
        places=tuple(powers for powers in groups if robots.isdisjoint(powers) and not game.was_out(powers)),
        players=tuple(
            Drawer(one.wishes, one.seats, one.promised, told(game.chance.word_of(one.person)))
            for one in game.applicants
        ),
    )


def observe(request: Request[Observe]) -> Handled:
    """Receive the public reports from now on."""
    game, person, command = request.game, request.person, request.command
    if game.seats_of(person) or any(applicant.person == person for applicant in game.applicants):
        return refused(game, refusals.AlreadyIn(command.game))
    if not game.settings.observers:
        return refused(game, refusals.NoObservers(game.name))
    if any(one.person == person and one.is_denied for one in game.petitions):
        return refused(game, refusals.NotLetIn(game.name))
    if person not in game.observers:
        game = replace(game, observers=(*game.observers, person))
    return Handled(game, Observing(game.name))


def invite(request: Request[Invite]) -> Handled:
    """Keep a seat for an address, registered or not, and send it a letter."""
    game, command = request.game, request.command
    invited, power = request.looked_up.people.get(command.address), command.power
    if power is not None and _group_of(game, power) is None:
        return refused(game, refusals.PowerNotPlayed(power))
    if any(invitation.address == command.address for invitation in game.invitations):
        return refused(game, refusals.InvitedAlready(command.address))
    if any(applicant.person == invited for applicant in game.applicants):
        return refused(game, refusals.JoinedAlready(command.address))
    if len(game.invitations) >= _MOST_INVITED:
        return refused(game, refusals.TooManyInvited(_MOST_INVITED))
    if power is not None and why_not(game, game.applicants, power, game.invitations) is not None:
        return refused(game, refusals.PowerTaken(power))
    invitation = Invitation(command.address, command.power)
    game = replace(game, invitations=(*game.invitations, invitation))
    return Handled(game, Done(command), (Invited(game, request.person, invitation, request.now),))


def rematch(request: Request[Rematch]) -> Handled:
    """Create a new game with the same settings.

    The sender is its master, and plays in it if they played before. The other players are invited. Each game has one
    rematch: an invited player who asks for one joins it.
    """
    game, person, now = request.game, request.person, request.now
    addresses, other = request.looked_up.addresses, request.looked_up.next_game
    name, own = next_name(game.name), addresses.get(person, "")
    if other is not None:
        is_invited = any(invitation.address == own for invitation in other.invitations)
        if not is_invited:
            return refused(game, refusals.NameTaken(name))
        return join(other, person, Join(name), now, seed=0, address=own)
    others = tuple(Invitation(address) for holder, address in addresses.items() if holder != person)
    applicants = (Applicant(person),) if game.seats_of(person) else ()
    rules = game.house_rules.next
    new = set_out(name, game.next_settings, person)
    new = replace(new, applicants=applicants, invitations=others, house_rules=rules)
    return Handled(new, Done(request.command, about=name), tuple(Invited(new, person, one, now) for one in others))


def start_now(request: Request[Start]) -> Handled:
    """Start with the players who joined; powers without a player become dummies."""
    game, now = request.game, request.now
    if not game.applicants:
        return refused(game, refusals.NobodyJoined(game.name))
    game = start(game, now, request.mail.mail)
    played = {power for powers in game.set_up.assignments for power in powers}
    for seat in game.seats:
        if seat.power in played and seat.holder is None and not seat.is_robot:
            game = game.with_seat(replace(seat, is_dummy=True))
    return Handled(game, Done(request.command), (GameStarted(game, now),))


def unstart(request: Request[Unstart]) -> Handled:
    """Return the game to before its start with all its players.

    This is possible only while no phase has closed.
    """
    game, command = request.game, request.command
    if game.has_begun:
        return refused(game, refusals.TooLateToUnstart(game.name))
    after = form_anew(game)
    return Handled(after, Done(command), (GameNews(after, command, request.now),))


def form_anew(game: Game, without: Sequence[PersonId] = ()) -> Game:
    """Return the game to before its first phase; the players keep their powers as wishes."""
    firsts = [game.seat(powers[0]) for powers in game.set_up.assignments]
    holders = Counter(seat.holder for seat in firsts if seat.holder is not None)
    by_lot = game.settings.rules.country_assignment is CountryAssignment.LOT
    wishes = {one: () if by_lot else tuple(seat.power for seat in firsts if seat.holder == one) for one in holders}
    joined = dict.fromkeys(holders, game.clock.opened_at) | dict(game.arrivals)  # older games forgot who joined when
    anew = set_out(game.name, game.next_settings, game.master)
    return replace(
        anew,
        position=game.position if game.adopted is not None else anew.position,
        adopted=game.adopted,
        seats=tuple(
            replace(seat, serial=game.seat(seat.power).serial + 1, is_robot=game.seat(seat.power).is_robot)
            for seat in anew.seats
        ),
        applicants=tuple(Applicant(one, wishes[one], seats) for one, seats in holders.items() if one not in without),
        arrivals=tuple((one, at) for one in holders if (at := joined[one]) is not None and one not in without),
        muster_offered=game.muster_offered,
        observers=game.observers,
        co_masters=game.co_masters,
        petitions=game.petitions,
        saw=game.saw,
        previews=game.previews,
        house_rules=game.house_rules.next,
        chance=game.chance.anew(),
        version=game.version,
    )


HANDLERS = table(
    on(Observe, observe),
    on(Invite, invite),
    on(Rematch, rematch),
    on(Start, start_now),
    on(Unstart, unstart),
)
