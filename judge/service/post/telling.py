"""Choose who is told of an event, and queue the letters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from judge import commands as c
from judge.commands.question import coaching_in, offer_in, sitting_in
from judge.games import Game, Person, PersonId
from judge.games.clock import Clock
from judge.games.events import (
    CoachAsked,
    CoachDeclined,
    CoinTossed,
    DeadlinesOffered,
    DrawAsked,
    Event,
    Extended,
    ExtensionUsed,
    FoundTooLate,
    GameEnded,
    GameNews,
    GameStarted,
    GraceBegan,
    HeldUp,
    Invited,
    MailboxShared,
    MusterAsked,
    MusterOffered,
    Notice,
    OfferRefused,
    OrderedFor,
    PetitionDecided,
    Petitioned,
    PhaseClosed,
    PlayerLeft,
    PlayerOut,
    ProposalFailed,
    PublicationAsked,
    Relayed,
    Reminded,
    SeatGivenUp,
    SeatOffered,
    SeatShown,
    SitterAsked,
    SitterNews,
    SitterStep,
    StandInAsked,
    StartReset,
    VacancyOpened,
    VoteDropped,
    VoteTold,
    WaitEnded,
)
from judge.games.game import CoachOffer, Invitation
from judge.games.insight import why_not_coach
from judge.games.leave import Sitting
from judge.games.sight import event_seen_by
from judge.mail.letters import Attachment, LetterKind, Outgoing
from judge.mail.proof import new_message_id, offer_address, press_address
from judge.mailbox import mailbox_of
from judge.reports.readers import Reader, Role
from judge.reports.render import event_letter
from judge.reports.views import blocked_powers
from judge.rules.position import Power
from judge.service.post.addresses import address_book
from judge.service.post.calendars import deadline_file, has_news_for
from judge.service.post.facts import on_file
from judge.service.post.gathering import Piece, may_be_gathered, may_wait, of_one_moment, queue_pieces
from judge.service.post.letters import (
    LetterWriter,
    about_a_report,
    below,
    queue_reports,
    readers_of,
    with_addresses,
    with_links,
    with_way_out,
)
from judge.service.post.older_press import press_file
from judge.service.post.questions import asked_by
from judge.storage import LetterTags, Work

log = structlog.get_logger(__name__)

INVITATION, QUESTION, VACANCY = "unasked invitation ", "unasked question ", "unasked vacancy "
"""Key prefixes of letters to people who did not write first.

They are counted separately, because an invited person who writes is asked to confirm that the mail is theirs.
"""
SITTING = f"{INVITATION}to sit by "
"""Key prefix of requests to sit, which count as invitations of their addresses."""
STRANGERS_REST = timedelta(days=30)
MOST_QUESTIONS = 3
"""The most questions to an unregistered address within STRANGERS_REST."""
_MOST_TO_ONE = 3
"""The most letters to one registered person per day."""
MOST_BY_ONE = 30
"""The most letters caused by one person per day, over all games."""
_MOST_BY_ALL = 300
"""The most letters of one prefix per day."""


def tell(work: Work, writer: LetterWriter, event: Event, now: datetime, cause: str) -> None:
    """Queue the letters for an event; `cause` is its unique, permanent name."""
    tell_all(work, writer, [(event, cause)], now)


def tell_all(
    work: Work,
    writer: LetterWriter,
    events: Iterable[tuple[Event, str]],
    now: datetime,
    pictures: tuple[Attachment, ...] = (),
    by: PersonId | None = None,
) -> None:
    """Queue the letters for simultaneous events, each with its cause.

    The notices of a game are merged into one letter per reader. The pictures are attached to the press.
    The letters to others count for `by`, the person whose mail caused them.
    """
    notices: list[Piece] = []
    zones: dict[str, str] = {}
    for event, cause in events:
        zones[event.game.name] = event.game.settings.zone
        match event:
            case GameStarted() | PhaseClosed() | GameEnded():
                queue_reports(work, writer, event, now)
            case Invited() | CoachAsked() | SitterAsked():
                _invite(work, writer, event, now)
            case StandInAsked():
                _ask_stand_in(work, writer, event, now)
            case Relayed():
                _relay(work, writer, event, now, cause, pictures)
            case _:
                notices += _notices(work, writer, event, now, cause)
    queue_pieces(work, of_one_moment(notices), zones, by, now)


def _notices(work: Work, writer: LetterWriter, event: Notice, now: datetime, cause: str) -> Iterator[Piece]:
    """Yield the letters to each reader about an event without a report."""
    known = work.people.many(_concerned(event))
    asker = known[event.person] if isinstance(event, Petitioned) else None
    for reader in _hearers(work, event):
        has_links = isinstance(event, Reminded | GraceBegan)
        seen = event_seen_by(event, reader.person.id)
        linked = with_links(writer, event.game, reader) if has_links else reader
        if _seats(event, reader):
            linked = with_addresses(writer, event.game, linked)
        rendered = event_letter(seen, linked, known, now)
        tags = LetterTags(
            f"{cause} {type(event).__name__} to {reader.person.id}",
            person=reader.person.id,
            game=event.game.name,
            phase=str(event.game.position.phase) if event.game.is_running else None,
            asks=asked_by(event, reader, asker.mailboxes[0] if asker is not None else ""),
        )
        letter = writer.write(LetterKind.NOTICE, reader.person.address, rendered, tags, now, event.game)
        phase = event.phase if isinstance(event, FoundTooLate) else None
        letter = about_a_report(work, letter, event.game, reader.person.id, phase)
        files = (*_files(writer, seen, linked, now), *_older_press(work, event, reader))
        letter = replace(letter, attachments=files)
        yield Piece(with_way_out(letter, reader), tags, reader, may_wait(event, reader), may_be_gathered(event, reader))


def _seats(event: Notice, reader: Reader) -> bool:
    """Whether the reader plays from now on: a master let them in, or they sit."""
    match event:
        case PetitionDecided():
            return event.is_allowed and event.game.is_running
        case SitterNews(step=SitterStep.BEGAN, sitting=sitting):
            return sitting.sitter == reader.person.id
        case _:
            return False


def _files(writer: LetterWriter, event: Notice, reader: Reader, now: datetime) -> tuple[Attachment, ...]:
    """Return the files for a notice.

    They are the deadline if it moved, the orders on file if the master ordered for the reader, or private addresses.
    """
    if isinstance(event, OrderedFor):
        filed = on_file(event.game, writer.secret, reader, now)
        return (filed,) if filed is not None else ()
    if reader.addresses is not None:
        return (address_book(reader.addresses, event.game, reader.person.language),)
    if has_news_for(event, reader.person.id) and reader.person.calendar:
        return (deadline_file(event.game, writer.address, reader.person, now),)
    return ()


def _older_press(work: Work, event: Notice, reader: Reader) -> tuple[Attachment, ...]:
    """Return the older press of a seat for its new sitter, if that is allowed."""
    if not isinstance(event, SitterNews) or not _seats(event, reader) or not event.sitting.shows_press:
        return ()
    return press_file(work, event.game, event.sitting.player)


def gathered(events: Iterable[Event]) -> list[Event]:
    """Merge press of one mail that goes to the same readers in the same way."""
    found: list[Event] = []
    places: dict[object, int] = {}
    for event in events:
        if not isinstance(event, Relayed):
            found.append(event)
            continue
        same = (event.game.name, event.sender, event.power, event.to, replace(event.command, text="", ran_on=False))
        place = places.setdefault(same, len(found))
        if place == len(found):
            found.append(event)
            continue
        before = found[place]
        assert isinstance(before, Relayed)
        text = f"{before.command.text.rstrip()}\n\n{event.command.text}"
        found[place] = replace(event, command=replace(event.command, text=text))
    return found


def _hearers(work: Work, event: Notice) -> Sequence[Reader]:
    """Return the readers of a letter about an event."""
    everybody = readers_of(work, event.game)
    match event:
        case CoinTossed() | Extended() | ExtensionUsed() | HeldUp(by_mail=True) | ProposalFailed() | VacancyOpened():
            return everybody
        case (
            PlayerLeft() | Petitioned() | FoundTooLate() | HeldUp() | OfferRefused() | MailboxShared() | MusterOffered()
        ):
            return _among(everybody, event.to if isinstance(event, MailboxShared) else event.game.masters)
        case (
            PetitionDecided()
            | SeatOffered()
            | DrawAsked()
            | VoteDropped()
            | SeatShown()
            | DeadlinesOffered()
            | MusterAsked()
            | PublicationAsked()
        ):
            return _him(work, everybody, event.person)
        case Reminded() | OrderedFor() | GraceBegan() | PlayerOut() | WaitEnded() | CoachDeclined():
            return _playing(everybody, (event.power,) if isinstance(event, OrderedFor) else event.powers)
        case GameNews(command=c.Process() | c.Preview()):
            return ()  # it is in the log, and the report says who closed the phase
        case GameNews() | VoteTold() | SitterNews():
            return _others(work, everybody, event)
        case StartReset() | SeatGivenUp():
            return _gathering(work, everybody, event)


def _among(everybody: Sequence[Reader], ids: Collection[PersonId]) -> Sequence[Reader]:
    return [reader for reader in everybody if reader.person.id in ids]


def _playing(everybody: Sequence[Reader], powers: Iterable[Power]) -> Sequence[Reader]:
    wanted = set(powers)
    return [reader for reader in everybody if wanted.intersection(reader.powers)]


def _others(work: Work, everybody: Sequence[Reader], event: GameNews | VoteTold | SitterNews) -> Sequence[Reader]:
    """Return all readers except the person who acted and those told otherwise.

    Observers read of votes in the reports.
    """
    match event:
        case SitterNews():
            return _told_of_a_sitter(work, everybody, event)
        case VoteTold(by=by):
            return [one for one in everybody if one.person.id != by and (one.powers or one.role is Role.MASTER)]
        case GameNews(command=c.OrderFor(power=power), by=by):  # its player gets a copy
            return [one for one in everybody if one.person.id != by and power not in one.powers]
        case GameNews(command=c.EndGame(), game=Game(clock=Clock(opened_at=datetime()))):
            return ()  # the last report says it
        case GameNews(command=c.Eject(), by_vote=True, by=by, person=person):  # they get a letter of their own
            return [one for one in everybody if one.person.id not in (by, person)]
        case GameNews(by=by, person=person):
            there = {reader.person.id for reader in everybody}
            others = [person] if person is not None and person not in (*there, by) else []
            gone = [Reader(one, reader_role) for one, reader_role in _outsiders(work, others)]
            return [*(reader for reader in everybody if reader.person.id != by), *gone]


def _gathering(work: Work, everybody: Sequence[Reader], event: StartReset | SeatGivenUp) -> Sequence[Reader]:
    """Return those who read that seats of a game are free again.

    If a player gave up a seat, they are that player, the masters, and the people who have asked for a seat.
    """
    if isinstance(event, StartReset):
        return [*everybody, *(Reader(one, role) for one, role in _outsiders(work, event.persons))]
    game, gone = event.game, event.person
    asking = [one.person for one in game.petitions if not one.is_denied and one.person not in game.members]
    masters = [reader for reader in _among(everybody, game.masters) if reader.person.id != gone]
    others = [Reader(one, role) for one, role in _outsiders(work, asking)]
    return [*_him(work, everybody, gone), *masters, *others]


def _told_of_a_sitter(work: Work, everybody: Sequence[Reader], event: SitterNews) -> Sequence[Reader]:
    """Return the readers of news of a sitter.

    Only the player is told of an answer that changes nothing for the others.
    """
    sitting = event.sitting
    if event.step in (SitterStep.DECLINED, SitterStep.AGREED) and event.was is None:
        return _him(work, everybody, sitting.player)
    assert sitting.sitter is not None
    others = everybody if event.powers else ()  # a player who has lost the seat was told of that
    told = {one.person.id: one for one in (*others, *_him(work, everybody, sitting.sitter))}
    return [one for one in told.values() if one.person.id != event.by]


def _him(work: Work, everybody: Sequence[Reader], id_: PersonId) -> Sequence[Reader]:
    """Return one person as a reader, even if they do not belong to the game."""
    his = [reader for reader in everybody if reader.person.id == id_]
    return his or [Reader(one, role) for one, role in _outsiders(work, [id_])]


def _outsiders(work: Work, ids: Iterable[PersonId]) -> list[tuple[Person, Role]]:
    return [(person, Role.OBSERVER) for person in work.people.many(list(ids)).values() if not person.is_erased]


def _concerned(event: Notice) -> list[PersonId]:
    """Return the people an event mentions."""
    holders = [seat.holder for seat in event.game.seats if seat.holder is not None]
    person = event.sitting.sitter if isinstance(event, SitterNews) else getattr(event, "person", None)
    return [*holders, event.game.master, *getattr(event, "people", ()), *([person] if person is not None else [])]


def _invite(work: Work, writer: LetterWriter, event: Invited | CoachAsked | SitterAsked, now: datetime) -> None:
    """Invite an address, registered or not, or ask it to sit.

    This is done once per game, and within the limits of `may_be_written_to`.
    """
    offer = event.sitting if isinstance(event, SitterAsked) else event.invitation
    game, address = event.game, offer.address
    known = work.people.by_address(address) or next(iter(work.people.at(address)), None)
    there = (*work.people.at(mailbox_of(address)), *([known] if known is not None else []))
    if isinstance(offer, Sitting) and game.hides_names and any(one.id in game.members for one in there):
        log.info("nobody is asked to sit: the letter would tell a member of the game who plays", game=game.name)
        return
    if not may_be_written_to(work, address, now, INVITATION, is_known=known is not None, by=event.by):
        log.info("nobody is invited by mail, there were too many", game=game.name)
        return
    if known is not None and event.by in known.preferences.blocked:
        log.info("nobody is invited by mail: the address blocks the sender", game=game.name)
        return
    if isinstance(event, CoachAsked) and any(_may_not_coach(event, one) for one in there or [None]):
        log.info("nobody is asked by mail to be a coach: the address has another part in the game", game=game.name)
        return
    master = work.people.many([event.by])[event.by]
    reader = Reader(known or Person(PersonId(0), address, "", master.language), Role.OBSERVER)
    rendered = event_letter(event_seen_by(event, reader.person.id), reader, {master.id: master}, now)
    key = f"by {event.by} to {game.name} for {address}"
    key = f"{SITTING}{event.by} {key}" if isinstance(offer, Sitting) else f"{INVITATION}{key}"
    key += f" at {game.version}" if game.is_running else ""
    match offer:
        case Sitting(powers=(power, *_)):
            question = sitting_in(game.name, power)
        case CoachOffer(powers=(power, *_)):
            question = coaching_in(game.name, power)
        case Invitation(power=power):
            question = offer_in(game.name, power or "")
        case _:
            question = offer_in(game.name)
    asks = (question,)
    tags = LetterTags(key, person=known.id if known is not None else None, game=game.name, asks=asks)
    _queue_offer(work, writer, writer.write(LetterKind.NOTICE, address, rendered, tags, now), tags, now)


def _may_not_coach(event: CoachAsked, person: Person | None) -> bool:
    """Whether the letter would go to a person who may not be a coach.

    It would tell another player of the game who plays what.
    """
    game, offer = event.game, event.invitation
    addresses = {offer.address, *(person.addresses if person is not None else ())}
    others = replace(game, coach_offers=()).addresses_asked
    return not addresses.isdisjoint(others) or (
        person is not None and why_not_coach(game, person.id, offer.powers) is not None
    )


def _ask_stand_in(work: Work, writer: LetterWriter, event: StandInAsked, now: datetime) -> None:
    """Ask a person on standby.

    If they have had too many letters, no letter is sent and the offer lapses.
    """
    game, person = event.game, work.people.many([event.person])[event.person]
    if not may_be_written_to(work, person.address, now, VACANCY, is_known=True, by=None):
        log.info("somebody who stands by is not asked, there were too many letters", game=game.name)
        return
    rendered = event_letter(event_seen_by(event, person.id), Reader(person, Role.OBSERVER), {}, now)
    key = f"{VACANCY}in {game.name} of {event.power} at {game.version} to {person.id}"
    tags = LetterTags(key, person=person.id, game=game.name, asks=(offer_in(game.name, event.power),))
    _queue_offer(work, writer, writer.write(LetterKind.NOTICE, person.address, rendered, tags, now), tags, now)


def _queue_offer(work: Work, writer: LetterWriter, letter: Outgoing, tags: LetterTags, now: datetime) -> None:
    """Queue an offer.

    A reply to its secret address proves that its reader sent it, registered or not.
    """
    assert tags.game is not None
    reply_to = offer_address(writer.address, tags.game, letter.message_id)
    work.outbox.queue(replace(letter, reply_to=reply_to), tags, now)


def may_be_written_to(
    work: Work, address: str, now: datetime, prefix: str, *, is_known: bool, by: PersonId | None
) -> bool:
    """Whether an address that did not write first may get one more letter.

    The letter is sent at another person's request. An unregistered address gets one letter in 30 days, and three
    questions. The letters that one person causes are limited too, and those of all people together.
    """
    count, day = work.outbox.count_keyed, now - timedelta(days=1)
    if not is_known and prefix == QUESTION:
        may = next_question_to(work, address, now) <= now
    else:
        most, since = (_MOST_TO_ONE, day) if is_known else (1, now - STRANGERS_REST)
        may = count(prefix, since, address) < most
    if not may:
        return False
    is_within = by is None or count(f"{prefix}by {by} ", day) < MOST_BY_ONE
    return is_within and count(prefix, day) < _MOST_BY_ALL


def next_question_to(work: Work, address: str, now: datetime) -> datetime:
    """Return when an unregistered address may next be asked about a mail.

    The question is whether the mail is its own. It may be asked a day after the last question. After the third
    question within 30 days, which says that nothing more will come, the pause is 30 days.
    An address that has recently confirmed a mail may be asked three times a day.
    """
    day = timedelta(days=1)
    sent = work.outbox.times_keyed(QUESTION, now - 2 * STRANGERS_REST, (address,))
    if work.inbox.count_yes(address, now, STRANGERS_REST):
        lately = [at for at in sent if at > now - day]
        free = lately[-MOST_QUESTIONS] + day if len(lately) >= MOST_QUESTIONS else now
    elif sent:
        is_third = sum(at > sent[-1] - STRANGERS_REST for at in sent) >= MOST_QUESTIONS
        free = sent[-1] + (STRANGERS_REST if is_third else day)
    else:
        free = now
    is_much = work.outbox.count_keyed(QUESTION, now - day) >= _MOST_BY_ALL
    return max(free, now + timedelta(hours=1)) if is_much else free


def said_by(person: PersonId) -> str:
    """Return the key prefix of letters that carry a person's words to others."""
    return f"said by {person} "


def said_with_pictures_by(person: PersonId) -> str:
    """Return the key prefix of such letters with pictures."""
    return f"{said_by(person)}with pictures "


def _relay(
    work: Work,
    writer: LetterWriter,
    event: Relayed,
    now: datetime,
    cause: str,
    pictures: tuple[Attachment, ...],
) -> None:
    """Queue press for each of its readers."""
    game = event.game
    signed = game.seat(event.shown).holder if event.shown is not None and event.shown != event.power else None
    people = work.people.many([event.sender, *([signed] if signed is not None else [])])
    said = said_with_pictures_by if pictures else said_by
    pieces = []
    for reader in readers_of_press(work, event):
        rendered = event_letter(event_seen_by(event, reader.person.id), reader, people, now)
        tags = LetterTags(
            f"{said(event.sender)}{cause} to {reader.person.id}",
            person=reader.person.id,
            game=game.name,
            phase=str(game.position.phase) if game.is_running else None,
            power=event.shown,
        )
        letter = writer.write(LetterKind.PRESS, reader.person.address, rendered, tags, now, game)
        letter = with_way_out(_in_conversation(work, writer, letter, event, reader), reader)
        reply_to = press_address(writer.address, game.name, letter.message_id)
        letter = replace(letter, reply_to=reply_to, attachments=pictures)
        pieces.append(Piece(letter, tags, reader, may_wait(event, reader), may_be_gathered(event, reader)))
    queue_pieces(work, pieces, {game.name: game.settings.zone}, event.sender, now)


def _in_conversation(work: Work, writer: LetterWriter, letter: Outgoing, event: Relayed, reader: Reader) -> Outgoing:
    """Thread press below the first letter of its conversation."""
    game = event.game
    topic = f" about {event.command.about}" if event.command.about else ""
    key = f"press in {game.name} among {', '.join(sorted(_parties(event)))}{topic} to {reader.person.id}"
    letter = replace(letter, room=str(event.room) if event.room is not None else "")
    first = [new_message_id(secret, writer.address, key) for secret in writer.secrets]
    begun = next((one for one in first if work.outbox.by_message_id(one) is not None), None)
    return below(letter, (begun,)) if begun is not None else replace(letter, message_id=first[0])


def _parties(event: Relayed) -> set[str]:
    """Return the parties of a conversation."""
    sender = (
        "anonymous"
        if event.is_anonymous
        else event.shown or ("master" if event.sender in event.game.masters else f"person {event.sender}")
    )
    match event.command:
        case c.Broadcast() | c.Announce():
            return {"everybody"}
        case c.PressToMaster():
            return {sender, "master"}
        case c.PressToCoach():
            return {"coach", *(event.to or {sender})}
        case _:
            return {sender, *event.to}


def readers_of_press(work: Work, event: Relayed) -> list[Reader]:
    """Return the people who get press."""
    game = event.game
    everybody = readers_of(work, game)
    match event.command:
        case c.PressToMaster():
            chosen = [reader for reader in everybody if reader.person.id in game.masters]
        case c.Press():
            copied = game.referees if game.settings.master_reads else ()
            there = {*event.to, event.power}  # a player reads what their sitter writes, and the other way round
            chosen = [reader for reader in everybody if there & {*reader.powers} or reader.person.id in copied]
            chosen += _coaches_reading(event, everybody, chosen)
        case c.PressToCoach():
            to = {game.seat(power).holder for power in event.to} or _coaches(event)
            chosen = [reader for reader in everybody if reader.person.id in to]
        case _:
            chosen = list(everybody)
    return [reader for reader in chosen if reader.person.id != event.sender and not _has_muted(reader, event)]


def _coaches(event: Relayed) -> set[PersonId]:
    """Return the coaches of the player who writes."""
    found = (event.game.coach_of(seat) for seat in event.game.seats_of(event.sender))
    return {coach.person for coach in found if coach is not None}


def _coaches_reading(event: Relayed, everybody: Sequence[Reader], chosen: Sequence[Reader]) -> list[Reader]:
    """Return the coaches who read press because their player writes or gets it."""
    game = event.game
    getting = {reader.person.id for reader in chosen if not _has_muted(reader, event)} | {event.sender}
    there = {reader.person.id for reader in chosen}
    concerned = [seat for seat in game.seats if seat.holder in getting and seat.power in {event.power, *event.to}]
    coaches = [coach for seat in concerned if (coach := game.coach_of(seat)) is not None and coach.reads_press]
    ids = {coach.person for coach in coaches} - there
    return [reader for reader in everybody if reader.person.id in ids]


def _has_muted(reader: Reader, event: Relayed) -> bool:
    """Whether the reader has muted or blocked the shown sender.

    The master hears everyone, and everyone hears the master.
    """
    is_for_masters = isinstance(event.command, c.PressToMaster) or not reader.powers
    mine = [seat for seat in event.game.seats if seat.power in reader.powers]
    if is_for_masters:
        return False
    if event.shown in blocked_powers(event.game, reader):
        return True
    return any(seat.mutes.nameless if event.is_anonymous else event.shown in seat.mutes.powers for seat in mine)


def give_to(work: Work, writer: LetterWriter, game: Game, person: Person, now: datetime) -> None:
    """Make a person the master of a game whose master has vanished.

    The operator calls this. Everyone in the game is told.
    """
    others = tuple(one for one in game.co_masters if one != person.id)
    game = work.games.save(replace(game, master=person.id, co_masters=others))
    event = GameNews(game, c.HandOver(person.mailboxes[0]), now, person=person.id)
    work.records.log(event)
    tell(work, writer, event, now, f"{game.name} {game.version}")
