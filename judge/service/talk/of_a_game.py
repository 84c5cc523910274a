"""Requests to a game: load what it needs, save what is stored outside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge import commands as c
from judge.calendar import moment_meant
from judge.commands import Permitted
from judge.games import Game, LookedUp, MailContext, Person, PersonId, Request, handle, handlers, refusals
from judge.games.answers import (
    Answer,
    Appears,
    AskedWhich,
    Done,
    Joined,
    Noted,
    Petitioning,
    Sent,
    SettingsShown,
    SittingAgreed,
    Supposed,
)
from judge.games.handled import Handled, refused
from judge.games.insight import NOBODY_ELSE, Same, people_concerned, same_people
from judge.games.press import answered
from judge.games.refusals import Refused
from judge.games.reopening import Past
from judge.games.request import C, table
from judge.games.setup import next_name
from judge.games.sight import seen_by
from judge.language.times import read_moment
from judge.language.words.tongue import KANJI
from judge.language.writing import word_of
from judge.mail.letters import Attachment, LetterKind
from judge.mailbox import name_before
from judge.reports.sections import LetterBack
from judge.reports.terms import terms_view
from judge.rules.map import USUAL_BOARD, load_map
from judge.rules.position import Phase
from judge.service.post.telling import said_by
from judge.service.talk.agenda import LineScope, RequestedCommand
from judge.service.talk.consequences import is_harmless, may_end_a_game
from judge.service.talk.founding import is_of_a_new_game, try_settings, why_no_founder
from judge.service.talk.handling import MailHandling
from judge.service.talk.inviting import why_not_invited
from judge.service.talk.lists import show_own_games
from judge.service.talk.named import called
from judge.service.talk.questions import pictures_for, sections_for
from judge.service.talk.request import MailRequest, on
from judge.service.talk.suiting import with_deadlines
from judge.storage.moving import write_game

_HOUR = timedelta(hours=1)
_MOST_SAID_AN_HOUR = 120
"""The most letters to others: fifteen announcements to all, or many letters to one player."""
_IDEOGRAPH = re.compile(f"[{KANJI}]")


def ask_which(asked: MailRequest[c.PressOrOrders]) -> Answer:
    """Ask whether a letter is press or contains lines for the judge.

    If the letter can only be refused, the question says why.
    """
    handling, item, request = asked.handling, asked.item, asked.command
    game = handling.known(item.scope.game) if item.scope.game is not None else None
    if game is None:
        handling.sections.append(LetterBack(request.letter.text))
        return Refused(refusals.WhichGame())
    if handling.chosen is not None:  # the sender was asked about the outer letter, not about one within it
        handling.sections.append(LetterBack(request.letter.text))
        return Refused(refusals.OnItsOwn(word_of(request)))
    letter = _as_it_goes_out(handling, request.letter, game)
    of_game = game_request(handling, item, game, letter)
    answer = _why_not_now(handling, of_game) or handle(of_game).answer
    handling.to_confirm.append(item)
    handling.sections.append(LetterBack(request.letter.text))
    handling.shown = game.name
    return AskedWhich(request, answer if isinstance(answer, Sent | Refused) else None)


def _is_power(handling: MailHandling, name: str) -> bool:
    """Whether a name is that of a power.

    The boards searched are the usual one and those of the sender's games.
    """
    maps = (load_map(USUAL_BOARD), *(game.map for game in handling.own_games()))
    return any(name.upper() in map_.powers for map_ in maps)


def do_in_a_game(asked: MailRequest[c.GameCommand | c.Steering]) -> Answer:
    """Carry out a request to one game, or ask first.

    A letter that cannot be sent is returned to its sender.
    """
    handling, command = asked.handling, asked.command
    if isinstance(command, c.OfPress) and handling.misaddressed is not None:
        answer: Answer = Refused(refusals.Misaddressed(handling.misaddressed))
    else:
        answer = _do_in_a_game(asked)
    if isinstance(answer, Refused) and isinstance(command, c.Talk) and command.text.strip() and handling.is_proved:
        handling.sections += [] if isinstance(command, c.HouseRules) else [LetterBack(command.text)]
    return answer


def block(asked: MailRequest[c.Block]) -> Answer:
    """Block the player of a power in all games, or unblock them.

    In an anonymous game the block holds in that game only.
    """
    handling, power, answer = asked.handling, asked.command.power, do_in_a_game(asked)
    game = handling.games.get(handling.shown or "")
    if game is None or not isinstance(answer, Done) or (power is not None and game.hides_names):
        return answer
    preferences, who = handling.person.preferences, game.seat(power).holder if power is not None else None
    blocked = tuple(one for one in preferences.blocked if power is not None and one != who)
    blocked = (*blocked, who) if asked.command.blocks and who is not None else blocked
    handling.person = replace(handling.person, preferences=replace(preferences, blocked=blocked))
    handling.work.people.save(handling.person)
    return answer


def state(asked: MailRequest[c.Statement]) -> Answer:
    """Store a closing statement on a finished game, or remove it."""
    handling, answer = asked.handling, do_in_a_game(asked)
    game = handling.games.get(handling.shown or "")
    if game is not None and isinstance(answer, Done):
        said = "" if answer.about == "none" else asked.command.text.strip()
        handling.work.publications.state(game, handling.person.id, said)
    return answer


def show_status(asked: MailRequest[c.Status]) -> Answer:
    """Show the state of a game, with deadlines that would suit the players better."""
    handling, answer = asked.handling, do_in_a_game(asked)
    return with_deadlines(handling.work, answer, handling.person.id, handling.now)


def _do_in_a_game(asked: MailRequest[c.GameCommand | c.Steering]) -> Answer:
    """Answer a request.

    A sentence may name who shares a draw in a game where all share it. The plain vote is then asked for instead.
    """
    answer = _do_as_written(asked)
    is_shared = isinstance(answer, Refused) and isinstance(answer.why, refusals.AllShareADraw)
    if not (is_shared and asked.item.is_guess):
        return answer
    plain = c.VoteDraw(agrees=True)  # its question names all who share
    return _do_as_written(replace(asked, item=replace(asked.item, request=plain), command=plain))


def _do_as_written(asked: MailRequest[c.GameCommand | c.Steering]) -> Answer:
    handling, item, request = asked.handling, asked.item, asked.command
    name = getattr(request, "game", None) or item.scope.game
    game = handling.known(name) if name is not None else None
    if isinstance(request, c.CheckSettings) and is_of_a_new_game(handling, request, name, game):
        return try_settings(handling, request)
    if name is None:
        return _of_no_game(handling, request)
    if game is None:
        return Refused(refusals.NoSuchGame(name, is_power=_is_power(handling, name)))
    if not isinstance(request, c.Status) or handling.shown is None:
        handling.shown = game.name
    request = _as_it_goes_out(handling, as_it_is_here(handling, request, game), game)
    of_game = game_request(handling, item, game, request)
    why_not = _why_not_now(handling, of_game)
    if why_not is not None:
        return why_not
    handled = _handled(handling, of_game)
    is_refused = isinstance(handled.answer, Refused)
    is_known = not _binds_at_once(handling, request, game, handled.game)
    if not is_refused and (not is_known or _needs_a_yes(handling, item, request, game)):
        return handling.ask_first(_as_asked(handling, item, request, game), handling.answers_to)
    answer = handling.take(_with_name(handled, handling.person))
    if not is_refused:
        _record(handling, item, request, game)
        _show(handling, request, answer, seen_by(handled.game, handling.person.id))
    return answer


def _of_no_game(handling: MailHandling, request: c.GameCommand | c.Steering) -> Answer:
    """Answer a request that names no game.

    STATUS from a person in several games shows a table of them.
    """
    if isinstance(request, c.Status) and handling.own_games():
        return show_own_games(handling, request)
    return Noted(request) if request.card.steers else Refused(refusals.WhichGame())


def _handled(handling: MailHandling, of_game: Request[c.GameCommand | c.Steering]) -> Handled:
    """Carry out a request to a game.

    It is refused if it brings in a person whose name looks like that of another person there.
    """
    handled, game, person = handle(of_game), of_game.game, handling.person
    is_new = person.id not in game.members and person.id in handled.game.members
    if is_new and handling.has_namesake(person, [game]):
        return refused(game, refusals.NameClashes(person.name, game=game.name))
    why_not = why_not_invited(handling, handled) if handled.events else None
    return refused(game, why_not) if why_not is not None else handled


def _is_from_before_a_rollback(handling: MailHandling, game: Game) -> bool:
    """Whether a confirmed mail was written before a rollback reopened a phase."""
    if not (handling.waiting.confirmed and game.rollbacks):
        return False
    again = [one.at for one in handling.work.records.entries(game) if isinstance(one.command, c.Rollback | c.Redo)]
    return max(again, default=handling.waiting.raw.received_at) > handling.waiting.raw.received_at


def _with_name(handled: Handled, person: Person) -> Handled:
    """Tell a person who joins the name under which the others see them."""
    answer, game = handled.answer, handled.game
    if not isinstance(answer, Joined) or game.hides_names:
        return handled
    return replace(handled, answer=replace(answer, appears=Appears(person.name, game.place_in_line(person.id))))


def _why_not_now(handling: MailHandling, of_game: Request[c.GameCommand | c.Steering]) -> Refused | None:
    """Return why a request may not be done now; None if it may.

    Reasons: the sender may not open games, wrote too much, or voted before a rollback.
    """
    request, game = of_game.command, of_game.game
    if request.card.founds and of_game.looked_up.next_game is None:
        return why_no_founder(handling)
    if isinstance(request, c.VoteDraw | c.Concede) and _is_from_before_a_rollback(handling, game):
        return Refused(refusals.OpenedAgain(game.position.phase))
    if not isinstance(request, c.OfPress):
        return None
    person, now = handling.person, handling.now
    said = handling.work.outbox.count_keyed(said_by(person.id), now - _HOUR)
    if said < _MOST_SAID_AN_HOUR:
        return None
    return Refused(refusals.TooMuchSaid(_MOST_SAID_AN_HOUR, now + _HOUR, person.zone or game.settings.zone))


def _show(handling: MailHandling, request: c.Command, answer: Answer, game: Game) -> None:
    """Add terms, sections and pictures that go beyond the answer to the receipt."""
    if _brings_addresses(request, answer):
        handling.addresses.add(game.name)
    is_new = isinstance(answer, Joined | Petitioning) and not _has_read_the_terms(handling, request, game)
    if is_new or isinstance(answer, SittingAgreed):
        handling.sections.append(terms_view(game, handling.person.language))
    if request.card.shows is None and not isinstance(answer, Supposed | SettingsShown):
        return
    handling.sections += sections_for(handling.work, request, answer, game, handling.person)
    if handling.config.delivery.pictures:
        handling.illustrations += pictures_for(handling.work, request, answer, game, handling.person)


def _brings_addresses(request: c.Command, answer: Answer) -> bool:
    """Whether the receipt lists the sender's private addresses.

    They are asked for, or are new: those of a new player, or by NEW SECRET.
    """
    is_new = isinstance(answer, Joined) and answer.after_somebody
    return is_new or isinstance(request, c.ShowAddresses | c.NewSecret)


def _has_read_the_terms(handling: MailHandling, request: c.Command, game: Game) -> bool:
    """Whether the sender has read the terms, and they are unchanged.

    The terms were told in the question that the sender has confirmed, or in the invitation.
    """
    told_at = handling.waiting.raw.received_at if handling.waiting.confirmed else _invited_at(handling, request, game)
    changes = (c.ChangeSetting, c.HouseRules)
    changed = (one.at for one in handling.work.records.entries(game) if isinstance(one.command, changes))
    is_told = told_at is not None and all(at < told_at for at in changed)
    return is_told and _has_read_the_house_rules(handling, game)


def _has_read_the_house_rules(handling: MailHandling, game: Game) -> bool:
    """Whether the sender has read the house rules.

    They were told in the question that the sender has confirmed, or in the letter to a stand-in.
    They are told to no address that has not written here. Neither invitations nor the first question to a new address
    contain them.
    """
    waiting, addresses = handling.waiting, handling.person.addresses
    stands_in = any(one.until is not None and one.address in addresses for one in game.invitations)
    is_asked = waiting.confirmed and (waiting.is_worked or not handling.is_new)
    return not game.house_rules.exist or stands_in or is_asked


def _invited_at(handling: MailHandling, request: c.Command, game: Game) -> datetime | None:
    """Return when the invitation that the mail accepts was written.

    Return None if the mail is no reply to an invitation.
    """
    answered = handling.letter.in_reply_to if isinstance(request, c.Accept) else None
    sent = handling.work.outbox.by_message_id(answered) if answered else None
    return sent.date if sent is not None and sent.game == game.name and sent.kind is not LetterKind.REPLY else None


def _needs_a_yes(handling: MailHandling, item: RequestedCommand, request: c.Command, game: Game) -> bool:
    """Whether the request is a guess or irreversible, and not confirmed yet."""
    is_final = request.card.is_final and not is_harmless(request, game, handling.person)
    is_asked = item.is_guess or is_final or may_end_a_game(request, game, handling.person) or _names_no_phase(item)
    return is_asked and not handling.is_confirmed(request)


def _names_no_phase(item: RequestedCommand) -> bool:
    """Whether it is PROCESS in a mail that tells no phase.

    The mail neither names a phase nor answers a letter of one.
    """
    return isinstance(item.request, c.Process) and item.request.phase is None and item.scope.phase is None


def _as_asked(handling: MailHandling, item: RequestedCommand, request: c.Command, game: Game) -> RequestedCommand:
    """Return the request as it is asked about.

    A first vote for a draw is asked about as a certain request, because its question names who would share it.
    PROCESS without a phase is asked about with the open one.
    """
    if isinstance(request, c.Process) and request.phase is None:
        return replace(item, is_guess=True, request=c.Process(item.scope.phase or game.position.phase))
    return replace(item, is_guess=False) if may_end_a_game(request, game, handling.person) else item


def _binds_at_once(handling: MailHandling, request: c.Command, before: Game, after: Game) -> bool:
    """Whether the request puts the sender into a running game before its terms were told."""
    person = handling.person.id
    if not request.card.binds or person in before.members or not after.is_running:
        return False
    if isinstance(request, c.Accept):  # the invitation told the terms
        return bool(after.seats_held_by(person)) and not _has_read_the_house_rules(handling, before)
    return not handling.waiting.confirmed or not _has_read_the_house_rules(handling, before)


def as_it_is_here(
    handling: MailHandling, request: c.GameCommand | c.Steering, game: Game
) -> c.GameCommand | c.Steering:
    """Return a request in this game's terms: `until` a day becomes a length of time."""
    match request:
        case c.Extend(length=length) | c.Propose(length=c.AsWritten() as length) if length.meant is None:
            return replace(request, length=_until(length, handling, game))
        case _:
            return request


def _until(length: c.AsWritten[timedelta], handling: MailHandling, game: Game) -> c.AsWritten[timedelta]:
    """Return `until Friday` as the time between the deadline and that day.

    It stays as it is if the text names no moment, or one before the deadline.
    """
    moment, deadline = read_moment(length.text), game.clock.deadline
    if moment is None or deadline is None:
        return length
    until = moment_meant(moment, handling.now, handling.person.zone or game.settings.zone)
    is_later = isinstance(until, datetime) and until > deadline
    return c.AsWritten(length.text, until - deadline) if is_later and isinstance(until, datetime) else length


def _as_it_goes_out(
    handling: MailHandling, request: c.GameCommand | c.Steering, game: Game
) -> c.GameCommand | c.Steering:
    if isinstance(request, c.Press):
        request = answered(request, handling.room, game, handling.person.id)
    if isinstance(request, c.Broadcast) and _speaks_as_master(handling, request, game):
        return c.Announce(text=request.text, about=request.about, ran_on=request.ran_on)
    if isinstance(request, c.Press | c.Broadcast | c.PressToMaster):
        return _disguised(handling, request, game)
    if isinstance(request, c.Object):
        return replace(request, reason=_disguised(handling, c.Broadcast(text=request.reason), game).text)
    return request


def _speaks_as_master(handling: MailHandling, request: c.Broadcast, game: Game) -> bool:
    """Whether a broadcast comes from a master who plays no power.

    It is then an announcement.
    """
    is_signed = not request.is_anonymous and request.as_power is None
    return is_signed and handling.person.id in game.masters and not game.seats_of(handling.person.id)


def _disguised(
    handling: MailHandling, request: c.Press | c.Broadcast | c.PressToMaster, game: Game
) -> c.Press | c.Broadcast | c.PressToMaster:
    """Remove the sender's names and addresses from press of a hidden sender.

    Those of the absent player, and of the sitter, would tell who plays the power as well.
    """
    person, letter = handling.person, handling.letter
    is_hidden = game.hides_names or (isinstance(request, c.Signed) and (request.is_anonymous or request.as_power))
    mine = game.seats_of(person.id)
    if not is_hidden or not mine:
        return request
    others = {one for seat in mine for one in (seat.holder, game.sitter_of(seat)) if one is not None} - {person.id}
    people = (person, *(handling.work.people.many(others).values() if others else ()))
    names = (letter.sender_name, *(one.name for one in people))
    words = [word for name in names for word in name.split()]
    telling = {
        *(box for one in people for box in one.mailboxes),
        letter.sender,
        *names,
        *words,
        *(part for word in words for part in _parts_of(word)),
    }
    known = [re.escape(name) for name in sorted(telling, key=lambda name: (-len(name), name)) if len(name) > 1]
    # Japanese is written without spaces: a name may stand within other characters.
    pattern = "|".join(rf"(?<!\w){name}(?!\w)" if name.isascii() else name for name in known)
    text, about = (re.sub(pattern, "…", words, flags=re.IGNORECASE) for words in (request.text, request.about))
    return replace(request, text=text, about=about)


def _parts_of(word: str) -> Iterator[str]:
    """Yield possible family and given names of a Japanese name written without a space."""
    if _IDEOGRAPH.search(word) is not None and len(word) > 2:
        for end in range(1, len(word)):
            yield from (part for part in (word[:end], word[end:]) if len(part) > 1)


def mail_context(handling: MailHandling, scope: LineScope, line: str, game: Game) -> MailContext:
    """Return what the mail tells about a line: times, phase, power, proof."""
    # Nothing comes before the first phase, therefore no line can be meant for an earlier one.
    is_one_of_several = game.has_begun and not game.is_sandbox
    fresh_minutes = handling.config.games.fresh_phase_minutes if is_one_of_several else 0
    return MailContext(
        mail=handling.waiting.id,
        line=line,
        received_at=handling.waiting.raw.received_at,
        # After BACK, the report that the mail answers is on a phase that is no longer open.
        meant_phase=None if game.is_sandbox else scope.phase,
        fresh=timedelta(minutes=fresh_minutes),
        written_at=handling.letter.written_at if is_one_of_several else None,
        power=scope.power,
        ordering=scope.ordering,
        is_proved=handling.is_proved or handling.waiting.confirmed,
        zone=handling.person.zone or game.settings.zone,
        adds=handling.tapped,
        answers_withdrawn=handling.withdrawn is not None and scope.game == handling.agenda.first.game,
    )


def game_request(handling: MailHandling, item: RequestedCommand, game: Game, command: C) -> Request[C]:
    """Build the request of a line to a game, with all its handler needs."""
    person = handling.person
    context = mail_context(handling, item.scope, item.line, game)
    if heard := _heard(handling, command, game):
        context = replace(context, heard=heard)
    address = getattr(command, "address", None)
    meant = _people_at(handling, command, address, game) if address else ()
    known = meant[0] if len(meant) == 1 else None
    founds = command.card.founds
    looked_up = LookedUp(
        addresses=_addresses(handling, game) if founds else _addresses_at_mailboxes(meant),
        several=tuple(one.name or name_before(one.address) or one.address for one in meant) if len(meant) > 1 else (),
        next_game=handling.named(next_name(game.name)) if founds else None,
        people={address: known.id} if address and known else {},
        address=_known_by(game, person),
        percent=person.record.percent,
        past=_past(handling, command, game),
        settings=handling.agenda.settings(game.name),
        results=_results_meant(handling, item.scope, game) if isinstance(command, c.Object) else None,
        same=_same_people(handling, item.scope, command, game),
        is_shunned=isinstance(command, c.Accept) and bool(game.sittings) and _is_shunned(handling, game),
    )
    return Request(game, person.id, command, context, handling.now, looked_up)


def _people_at(handling: MailHandling, command: c.Command, address: str, game: Game) -> Sequence[Person]:
    """Return the people whom a command may mean by an address.

    Of people who share a mailbox, it is the one who asks for a seat, who may be ejected, who has a part in the game, or
    who is not in it yet, and only the one whose name the command tells.
    """
    people = handling.work.people.at(address)
    if len(people) < 2:
        by_address = None if people else handling.work.people.by_address(address)
        return (by_address,) if by_address is not None else people
    joined = {one.person for one in game.applicants}
    match command:
        case c.Allow() | c.Deny():
            asking = {one.person for one in game.petitions}
            return [one for one in people if one.id in asking]
        case c.Eject():
            return [one for one in people if one.id in joined.union(game.observers)]
        case c.Promote(called=name) | c.HandOver(called=name):
            named = called(name, people)
            return [one for one in ([named] if named else [] if name else people) if one.id in game.members]
        case c.Invite() | c.Replace():
            joined.update(seat.holder for seat in game.seats if seat.holder is not None)
            return [next((one for one in people if one.id not in joined), people[0])]
    return people[:1]


def _addresses_at_mailboxes(people: Sequence[Person]) -> dict[PersonId, str]:
    """Return the addresses of people who are registered with their name at a shared mailbox."""
    return {one.id: one.address for one in people if name_before(one.address)}


def _results_meant(handling: MailHandling, scope: LineScope, game: Game) -> tuple[Phase, datetime] | None:
    """Return the closed phase whose results an objection is about.

    A PHASE line names it, else the letter that the mail answers does.
    A report of results is the one that opened the next phase.
    """
    closed = [(one.phase, one.closed_at) for one in handling.work.records.phases(game.name)]
    if scope.phase is not None and scope.phase != handling.agenda.first.phase:
        return next((one for one in closed if one[0] == scope.phase), None)
    opened = scope.phase if any(one[0] == scope.phase for one in closed) else None
    before = [one for one in closed if opened is None or one[0].order_key < opened.order_key]
    return before[-1] if before else None


def _same_people(handling: MailHandling, scope: LineScope, command: c.Command, game: Game) -> Same:
    """Return which people are one person under several addresses.

    They are looked up only where orders of others are shown or a seat is taken.
    """
    has_coaches = bool(game.coach_offers) or any(seat.coach is not None for seat in game.seats)
    matters = game.saw or game.is_foggy or game.sittings or has_coaches
    seats_someone = isinstance(command, c.Accept | c.Allow | c.Join | c.TakeOver) and bool(matters)
    is_shown = isinstance(command, c.Status) or command.card.who is Permitted.REFEREE or scope.ordering is not None
    if not seats_someone and not (is_shown and handling.person.id in game.masters):
        return NOBODY_ELSE
    known = handling.work.people.many(people_concerned(game))
    return same_people(game, [*known.values(), handling.person])


def _is_shunned(handling: MailHandling, game: Game) -> bool:
    """Whether a player has blocked the sender, or the sender a player."""
    mine = handling.person
    holders = {seat.holder for seat in game.seats if seat.holder is not None}
    players = handling.work.people.many(holders).values()
    return not holders.isdisjoint(mine.preferences.blocked) or any(
        mine.id in one.preferences.blocked for one in players
    )


def _heard(handling: MailHandling, request: c.Command, game: Game) -> frozenset[int]:
    """Return earlier mails whose answers said what blocks READY.

    Only mails whose answers the sender may have read count.
    """
    told = [
        one for seat in game.seats_of(handling.person.id) for one in seat.filed.told if one.mail != handling.waiting.id
    ]
    if not told or request != c.SetReady(ready=True):
        return frozenset()
    outbox, letter = handling.work.outbox, handling.letter
    replied_to = outbox.by_message_id(letter.in_reply_to) if letter.in_reply_to else None
    read = {replied_to.inbox} if replied_to is not None and replied_to.person == handling.person.id else set()
    before = [one.mail for one in told if one.at <= handling.waiting.raw.received_at]
    return outbox.mails_answered(before) | {one.mail for one in told if one.mail in read}


def _known_by(game: Game, person: Person) -> str:
    """Return the person's address in the game's invitations; the first if none was invited."""
    return next((one for one in person.invited_at if one in game.addresses_asked), person.address)


def _addresses(handling: MailHandling, game: Game) -> dict[PersonId, str]:
    """Return the addresses of the players."""
    players = handling.work.people.many(seat.holder for seat in game.seats if seat.holder is not None)
    return {id_: player.address for id_, player in players.items()}


def _past(handling: MailHandling, request: c.Command, game: Game) -> Past | None:
    match request:
        case c.Rollback(phase):
            return handling.work.records.past(game.name, phase)
        case c.Redo():
            return handling.work.records.before_rollback(game.name)
        case c.Back():
            latest = handling.work.records.latest(game.name)
            return handling.work.records.past(game.name, latest.phase) if latest is not None else None
    return None


def _phase_undone(handling: MailHandling, request: c.Rollback | c.Back, name: str) -> Phase:
    """Return the phase that is open again.

    In a sandbox it is the one that was closed last.
    """
    if isinstance(request, c.Rollback):
        return request.phase
    latest = handling.work.records.latest(name)
    assert latest is not None  # otherwise BACK would have been refused
    return latest.phase


def _record(handling: MailHandling, item: RequestedCommand, request: c.Command, before: Game) -> None:
    """Save what a request changes outside the game itself."""
    records, name = handling.work.records, before.name
    match request:
        case c.Rollback() | c.Back():
            records.roll_back(name, _phase_undone(handling, request, name))
        case c.Redo():
            records.redo(name)
        case c.Unstart():
            records.forget_rollback(name)
            handling.work.publications.forget_press(name)
        case c.Export():
            content = write_game(before, records, handling.now)
            handling.attachments.append(Attachment(f"{name}-export.json", "application/json", content))
        case c.Calendar():
            handling.calendars.add(name)
        case c.Note(text=text) if text:
            records.note(before, handling.person.id, text, handling.now)
        case c.Give(order, otherwise=otherwise) if item.scope.ordering is not None:
            handling.ordered.setdefault((name, item.scope.ordering), []).append((order, *otherwise))


HANDLERS = {
    **dict.fromkeys(handlers.HANDLERS, do_in_a_game),
    **table(on(c.PressOrOrders, ask_which), on(c.Block, block), on(c.Statement, state), on(c.Status, show_status)),
}
