"""People who saw orders of others in an open phase hold no seat in it.

The reverse holds as well: people who hold or held a seat see no orders of others. The rule applies to persons, whatever
their role is now. The game remembers what they saw until the phase has closed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256

from judge.commands import Command
from judge.games import refusals
from judge.games.draws import living
from judge.games.game import Game, Insight, Seat
from judge.games.person import Person, PersonId
from judge.rules.notation import write_order
from judge.rules.position import Phase, Power

Same = Mapping[PersonId, PersonId]
"""Registration → the first registration of the same person.

A registration that is missing stands for itself.
"""
NOBODY_ELSE: Same = {}


def is_secret(game: Game) -> bool:
    """Whether anything is on file in the open phase that no report has told."""
    return any(_has_secrets(game, seat) for seat in game.seats)


def _has_secrets(game: Game, seat: Seat) -> bool:
    filed = seat.filed
    told = {line for line in game.told if line.startswith(f"{seat.power} ")}
    said = filed.questions or filed.refused or filed.ready or filed.ready_by or filed.waits
    return bool(said) or set(written(seat)) != told


def written(seat: Seat) -> tuple[str, ...]:
    """Return the orders of a seat in the form of `Game.told`."""
    return tuple(f"{seat.power} {write_order(filed.order)}" for filed in seat.filed.orders)


def having_seen(game: Game, people: Iterable[PersonId], phase: Phase | None = None) -> Game:
    """Return the game with a note that these people saw orders of others.

    Without `phase` the note is about the open phase.
    """
    if phase is None and not (is_secret(game) or game.is_foggy):
        return game
    phase = phase or game.position.phase
    new = (Insight(phase, person) for person in people)
    return replace(game, saw=tuple(dict.fromkeys((*game.saw, *new))))


def may_be_told(game: Game, person: PersonId) -> bool:
    """Whether a master's letters may name powers that lack orders.

    They may if nothing is secret, or if the master has seen orders already.
    """
    return not is_secret(game) or any(one.person == person for one in _now(game, game.saw))


def why_not_seated(
    game: Game, person: PersonId, same: Same = NOBODY_ELSE, power: Power | None = None
) -> refusals.HasSeenOrders | refusals.HasPlayedAnother | refusals.Coaches | refusals.SitsAlready | None:
    """Return why a person may not take a seat; None if they may.

    They may not if they sit or are going to, or saw orders in a phase that has not closed, for example as a sitter. In
    fog the player of a power that is out has seen what another power does not see. A person who gave up the seat of a
    `power` in fog, or sat for it, may come back to it (R-FOG-6). A coach may take the seat of the player they coach.
    """
    coached = powers_coached(game, person, same)
    if coached and power not in coached:
        return refusals.Coaches(game.name, coached)
    sits_for = _powers_sat_for(game, person, same)
    if sits_for:
        return refusals.SitsAlready(game.name, sits_for)
    if game.is_foggy and _has_only_powers_out(game, person, same):
        return refusals.HasSeenOrders(game.name, game.position.phase, in_fog=True)
    seen = [one for one in game.saw if _is_still_open(game, one) and _are_one(one.person, person, same)]
    if not seen:
        return None
    if all(one.powers for one in seen):
        left = seats_left(game, person, same)
        if power in left or game.is_foggy:
            return None if power in left else refusals.HasPlayedAnother(game.name, left)
    last = max((one.phase for one in seen), key=lambda phase: phase.order_key)
    return refusals.HasSeenOrders(game.name, last, in_fog=game.is_foggy)


def _powers_sat_for(game: Game, person: PersonId, same: Same) -> tuple[Power, ...]:
    """Return the powers for whose player a person sits, or has agreed to sit."""
    if not game.is_running:
        return ()
    players = {one.player for one in game.sittings if one.sitter is not None and _are_one(one.sitter, person, same)}
    return tuple(seat.power for seat in game.seats if seat.holder in players)


def is_one_of(game: Game, person: PersonId, same: Same) -> bool:
    """Whether a person plays, will sit, or runs the game.

    All their registrations count.
    """
    people = {*(seat.holder for seat in game.seats), *game.masters}
    has_part = any(one is not None and _are_one(one, person, same) for one in people)
    return has_part or bool(_powers_sat_for(game, person, same))


def powers_coached(game: Game, person: PersonId, same: Same = NOBODY_ELSE) -> tuple[Power, ...]:
    """Return the powers that a person coaches, under any of their registrations."""
    coaches = ((seat.power, game.coach_of(seat)) for seat in game.seats if seat.coach is not None)
    return tuple(power for power, coach in coaches if coach is not None and _are_one(coach.person, person, same))


def why_not_coach(
    game: Game, person: PersonId, powers: Collection[Power], same: Same = NOBODY_ELSE
) -> refusals.MayNotCoach | None:
    """Return why a person may not coach these powers; None if they may.

    They may not if they have another part in the game, or know orders that no report has told.
    """
    plays_or_runs = is_one_of(game, person, same)
    coaches = set(powers_coached(game, person, same)) - set(powers)
    has_left = any(_are_one(one.person, person, same) for one in _now(game, game.played))
    knows = any(_is_still_open(game, one) and _are_one(one.person, person, same) for one in game.saw)
    return refusals.MayNotCoach(game.name) if plays_or_runs or coaches or has_left or knows else None


def seats_left(game: Game, person: PersonId, same: Same = NOBODY_ELSE) -> tuple[Power, ...]:
    """Return the powers whose seats a person gave up in fog, or sat for."""
    left = (power for one in game.saw if _are_one(one.person, person, same) for power in one.powers)
    return tuple(dict.fromkeys(left))


def _has_only_powers_out(game: Game, person: PersonId, same: Same) -> bool:
    mine = {seat.power for seat in game.seats if seat.holder is not None and _are_one(seat.holder, person, same)}
    return bool(mine) and mine.isdisjoint(living(game))


def why_not_shown(
    game: Game, person: PersonId, command: Command, same: Same = NOBODY_ELSE
) -> refusals.PlayingMaster | refusals.HasPlayed | None:
    """Return why a master may not see orders of others; None if they may.

    They may not if they hold a seat or are going to sit, or held a seat in the open phase.
    """
    plays = any(seat.holder is not None and _are_one(seat.holder, person, same) for seat in game.seats)
    if plays or _powers_sat_for(game, person, same):
        return refusals.PlayingMaster(command)
    if any(_are_one(one.person, person, same) for one in _now(game, game.played)):
        return refusals.HasPlayed(command, game.position.phase)
    return None


def seated_with_insight(game: Game, phase: Phase) -> bool:
    """Whether a player knows untold orders of a phase, or of a later one.

    Untold orders are those that no report has told.
    """
    knowing = {one.person for one in game.saw if one.phase.order_key >= phase.order_key and not one.powers}
    return any(seat.holder in knowing for seat in game.seats)


def noting_who_left(before: Game, after: Game) -> Game:
    """Return the game with notes on people who gave up their last seat.

    The notes are about the open phase. In fog these people have seen what one power sees, and must not use that in the
    seat of another power.
    """
    if not after.is_running:
        return after
    left = {seat.holder for seat in before.seats} - {seat.holder for seat in after.seats} - {None}
    new = [Insight(after.position.phase, person) for person in sorted(one for one in left if one is not None)]
    if not new:
        return after
    after = replace(after, played=tuple(dict.fromkeys((*after.played, *new))))
    if not after.is_foggy:
        return after
    seen = [replace(one, powers=tuple(seat.power for seat in before.seats_of(one.person))) for one in new]
    return replace(after, saw=tuple(dict.fromkeys((*after.saw, *seen))))


def noting_who_sat(game: Game, sitter: PersonId, powers: tuple[Power, ...]) -> Game:
    """Return the game with notes on a person who sat for some powers.

    They know the orders of these powers, and must not use that in another seat.
    """
    note = Insight(game.position.phase, sitter)
    saw = (*game.saw, replace(note, powers=powers))
    return replace(game, saw=tuple(dict.fromkeys(saw)), played=tuple(dict.fromkeys((*game.played, note))))


def once_told(game: Game) -> Game:
    """Return the game with the notes for the time after the phase's report.

    The report tells every order to all, and the notes on the phase are dropped. In fog it does not, and what people saw
    stays noted.
    """
    saw, played = ([one for one in notes if one.phase != game.position.phase] for notes in (game.saw, game.played))
    return replace(game, saw=game.saw if game.is_foggy else tuple(saw), played=tuple(played), told=(), previews=())


def once_erased(game: Game, person: Person) -> Game:
    """Return the game with digests of a person's addresses in its notes.

    It is called before the data of the person are erased.
    """
    marks = tuple(sorted(map(_digest, person.known_mailboxes)))

    def marked(notes: Iterable[Insight]) -> tuple[Insight, ...]:
        return tuple(replace(one, marks=marks) if one.person == person.id else one for one in notes)

    return replace(game, saw=marked(game.saw), played=marked(game.played))


def people_concerned(game: Game) -> Collection[PersonId]:
    """Return people whose other registrations matter.

    They are players, their coaches and sitters, masters, applicants, and people in the notes on seen orders and seats
    given up.
    """
    coaches = {seat.coach.person for seat in game.seats if seat.coach is not None}
    noted = [one.person for one in (*game.saw, *game.played)]
    noted += [one.sitter for one in game.sittings if one.sitter is not None]
    asking = [*(one.person for one in game.applicants), *(one.person for one in game.petitions)]
    return {seat.holder for seat in game.seats if seat.holder is not None}.union(coaches, game.masters, asking, noted)


def same_people(game: Game, people: Iterable[Person]) -> Same:
    """Return which of these registrations belong to one person.

    Equal addresses show it, including past ones. People who share a mailbox count as one person: each of them may read
    the other's mail.
    """
    marks = {person.id: set(map(_digest, person.known_mailboxes)) for person in people}
    for one in (*game.saw, *game.played):
        marks.setdefault(one.person, set()).update(one.marks)
    first: dict[str, PersonId] = {}
    same: dict[PersonId, PersonId] = {}
    for person in sorted(marks):
        same[person] = min((same[first[mark]] for mark in marks[person] if mark in first), default=person)
        first |= {mark: person for mark in marks[person] if mark not in first}
    return same


def _digest(address: str) -> str:
    return sha256(address.encode()).hexdigest()[:16]


def _are_one(one: PersonId, other: PersonId, same: Same) -> bool:
    return same.get(one, one) == same.get(other, other)


def _now(game: Game, notes: Iterable[Insight]) -> list[Insight]:
    return [one for one in notes if one.phase == game.position.phase]


def _is_still_open(game: Game, one: Insight) -> bool:
    """Whether the phase is open or could be reopened by a rollback.

    In fog everything a person saw stays secret.
    """
    return game.is_foggy or one.phase.order_key >= game.position.phase.order_key
