"""Identify the sender of a mail, and whether they are proved.

From proves nothing (`docs/architecture.md`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judge.commands import Broadcast, Command, ForPhase, ForPower, Give, Press, SetReady
from judge.games import Game, Person, PersonId
from judge.games.refusals import Misaddress
from judge.games.rooms import Room
from judge.games.withdrawn import Withdrawal
from judge.mail.letters import Flaw, Letter, LetterKind
from judge.mail.proof import (
    CONFIRM,
    game_written_to,
    offer_written_to,
    parse_reply_address,
    press_written_to,
    token_for,
)
from judge.mailbox import mailbox_of, name_before
from judge.rules.position import Phase
from judge.service.post.letters import LetterWriter
from judge.service.post.withdrawn import letter_withdrawn, shows_the_open_board
from judge.service.talk.addressed import Addressed, addressed, within
from judge.service.talk.named import name_in_first_line, without_the_name
from judge.storage import SentLetter, Waiting, Work

_TAPPED = (Give, ForPower, SetReady)
"""The commands that a mailto link proves, for its phase."""


@dataclass(frozen=True, slots=True)
class Author:
    """The sender of a mail, whether they are proved, and what the mail answers."""

    address: str
    """The address for answers and questions.

    It is the one written from if it is a registered person's, else their first.
    """
    person: Person | None
    is_proved: bool
    game: str | None = None
    phase: Phase | None = None
    room: Room | None = None
    """The parties of the press that the mail answers."""
    answers_press: bool = False
    """Whether the mail answers press, and is press."""
    answers_master: bool = False
    """Whether the answered press is by a person without a power.

    That is a master, or an observer who wrote to the masters.
    """
    name: str = ""
    """The sender's name in the From header."""
    to_seat: bool = False
    """Whether the mail was sent to the secret address of the person's seat."""
    says: Press | Broadcast | None = None
    """The press that a mail to private addresses of powers is, without its text."""
    misaddressed: Misaddress | None = None
    """Why it cannot be sent to these addresses."""
    tapped: Phase | None = None
    """The phase of the mailto link used, if sent from the registered address.

    The link proves orders and READY.
    """
    asked: SentLetter | None = None
    """Our letter that asked something, and that the mail answers."""
    withdrawn: Withdrawal | None = None
    """The rollback that withdrew the report or other letter that the mail answers."""
    named: str = ""
    """The person at the mailbox whom the first line of the mail names: AS Ben."""
    asked_at: str = ""
    """The address of another person at the mailbox who is asked about the mail."""
    is_in_doubt: bool = False
    """Whether nothing proves which person at the mailbox the mail is from."""

    def tapped_for(self, requests: Sequence[Command]) -> bool:
        """Whether the mailto link proves all requests: orders and READY, for its phase only."""
        return (
            self.tapped is not None
            and bool(requests)
            and all(isinstance(one, _TAPPED) or one == ForPhase(self.tapped) for one in requests)
        )


def expect(work: Work, writer: LetterWriter, letter: Letter, since: datetime) -> None:
    """Prefetch what nearly every mail needs from the database."""
    work.games.expect({game_written_to(name) for name, _ in _written_to(writer, letter)})
    work.outbox.expect(letter.sender, since)


def identify(work: Work, writer: LetterWriter, waiting: Waiting, letter: Letter) -> Author:
    """Identify the sender of a mail.

    A mail with a flaw proves nothing until its sender confirms it.
    """
    people = work.people.at(letter.sender)
    if len(people) > 1 or name_in_first_line(letter) is not None:
        from judge.service.talk.housemates import one_of_several  # noqa: PLC0415 - most people have their own mailbox

        author = one_of_several(work, writer, waiting, letter, people)
    else:
        author = author_at(work, writer, waiting, letter, people[0] if people else None)
    if letter.flaw is None or waiting.confirmed:
        return author
    return replace(author, is_proved=False, tapped=None)


def author_at(
    work: Work, writer: LetterWriter, waiting: Waiting, letter: Letter, person: Person | None, *, is_alone: bool = True
) -> Author:
    """Identify the sender of a mail from the mailbox of a person.

    The person is None for a stranger. If they share it (not `is_alone`), an authenticated From header does not prove
    that the mail is theirs.
    """
    vouched = letter.authenticated and is_alone
    to = addressed(work, writer, letter, person)
    if to is not None:
        return _author_of_press(work, writer, waiting, letter, to, person, vouched=vouched)
    sent = letter_answered(work, writer, letter)
    author = _author(work, writer, waiting, letter, sent, person, vouched=vouched)
    author = replace(author, name=letter.sender_name)
    is_press = sent.kind is LetterKind.PRESS if sent is not None else any(_presses_written_to(writer, letter))
    return _answering_press(author, sent) if is_press else _answering(work, _asked_by(author, sent), sent)


def _author_of_press(
    work: Work,
    writer: LetterWriter,
    waiting: Waiting,
    letter: Letter,
    to: Addressed,
    person: Person | None,
    *,
    vouched: bool,
) -> Author:
    """Identify the sender of a mail to private addresses of powers.

    Such a mail may answer press too.
    """
    for id_ in _presses_written_to(writer, letter):
        to = _answering_too(to, work.outbox.by_message_id(id_))
    owner, game = to.owner, to.game.name if to.game is not None else None
    if owner is not None:
        proved = waiting.confirmed or letter.sender in owner.mailboxes
        author = Author(_answered_at(owner, letter), owner, proved, game)
    else:
        is_here = person is not None and to.game is not None and person.id in to.game.members
        at = _answered_at(person, letter) if person is not None else letter.sender
        author = Author(at, person, waiting.confirmed or vouched, game if is_here else None)
    return replace(author, name=letter.sender_name, answers_press=True, says=to.press, misaddressed=to.why_not)


def _answering_too(to: Addressed, sent: SentLetter | None) -> Addressed:
    """Return press that was also sent to the address of an earlier letter of press."""
    if to.owner is None or to.game is None:
        return to
    if sent is None or (sent.person, sent.game) != (to.owner.id, to.game.name):
        return replace(to, why_not=Misaddress.OLD)
    return within(_room_of(sent), to)


def _asked_by(author: Author, sent: SentLetter | None) -> Author:
    """Add the letter that the mail answers, if it asked the sender something."""
    is_theirs = sent is not None and (
        sent.recipient in (author.address, mailbox_of(author.address))
        or (author.person is not None and sent.person == author.person.id)
    )
    return replace(author, asked=sent) if sent is not None and sent.asks and is_theirs else author


def letter_answered(work: Work, writer: LetterWriter, letter: Letter) -> SentLetter | None:
    """Return our letter that a mail answers.

    It is known by the secret address the mail was sent to, else by its In-Reply-To.
    """
    ids = (*_presses_written_to(writer, letter), *_offers_written_to(writer, letter))
    found = [work.outbox.by_message_id(id_) for id_ in ids]
    sent = next((one for one in found if one is not None), None)
    if sent is None and letter.in_reply_to:
        sent = work.outbox.by_message_id(letter.in_reply_to)
    return sent


def _presses_written_to(writer: LetterWriter, letter: Letter) -> list[str]:
    """Return the Message-IDs of press whose secret addresses a mail was sent to."""
    recipients = dict.fromkeys((*letter.recipients, *letter.addressed))
    found = (press_written_to(writer.address, recipient) for recipient in recipients)
    return [one for one in found if one is not None]


def _offers_written_to(writer: LetterWriter, letter: Letter) -> list[str]:
    """Return the Message-IDs of offers whose secret addresses a mail was sent to."""
    found = (offer_written_to(writer.address, recipient) for recipient in letter.recipients)
    return [one for one in found if one is not None]


def _author(
    work: Work,
    writer: LetterWriter,
    waiting: Waiting,
    letter: Letter,
    sent: SentLetter | None,
    person: Person | None,
    *,
    vouched: bool,
) -> Author:
    """Identify the sender.

    A stranger who uses a seat's secret address acts for its owner, if the owner confirms the mail.
    """
    proved = waiting.confirmed or vouched
    seat = _seat_written_to(work, writer, letter, person)
    if seat is not None:
        game, owner = seat
        proved = waiting.confirmed or letter.sender in owner.mailboxes
        return Author(_answered_at(owner, letter), owner, proved, game.name, to_seat=True)
    tapped = _link_tapped(work, writer, letter, person)
    if tapped is not None:
        game, owner, phase = tapped
        is_his = letter.sender in owner.mailboxes
        proved = waiting.confirmed or (letter.authenticated and is_his)
        tap = phase if is_his else None
        return Author(_answered_at(owner, letter), owner, proved, game.name, phase, tapped=tap)
    if person is None and sent is not None and sent.person is not None and any(_presses_written_to(writer, letter)):
        owner = work.people.many([sent.person])[sent.person]
        return Author(_answered_at(owner, letter), owner, waiting.confirmed, sent.game)
    # A reply to a Message-ID that only this person was sent. A Bcc copy to others may look the same, so check names_us.
    if person is None:
        is_asked = sent is not None and bool(sent.asks) and sent.recipient == letter.sender and letter.names_us
        return Author(letter.sender, None, proved or is_asked, sent.game if sent is not None and is_asked else None)
    is_reply = sent is not None and _is_to(sent, person) and letter.names_us and not _is_renewed(work, sent)
    game_name = sent.game if sent is not None else None
    return Author(_answered_at(person, letter), person, proved or is_reply, game_name)


def _is_to(sent: SentLetter, person: Person) -> bool:
    """Whether a letter went to that person, not to another one at the mailbox."""
    return sent.person == person.id or (bool(name_before(person.address)) and sent.recipient == person.address)


def _is_renewed(work: Work, sent: SentLetter) -> bool:
    """Whether the addressee renewed their secret address in that game after this letter."""
    game = work.games.get(sent.game) if sent.game is not None else None
    seats = game.seats_of(sent.person) if game is not None and sent.person is not None else ()
    return any(seat.renewed is not None and (sent.date is None or sent.date < seat.renewed) for seat in seats)


def _answered_at(owner: Person, letter: Letter) -> str:
    return letter.sender if letter.sender in owner.addresses else owner.address


def addresses_of(work: Work, sender: str) -> Sequence[str]:
    """Return the addresses at which a sender may have been asked.

    The one given comes first, then those of the people who write from it.
    """
    others = [address for person in work.people.at(sender) for address in person.addresses]
    return tuple(dict.fromkeys((sender, *others)))


def in_own_name(letter: Letter, sender: Author) -> Letter:
    """Return the mail without the person that its first line names."""
    return without_the_name(letter) if sender.named else letter


def _answering(work: Work, sender: Author, sent: SentLetter | None) -> Author:
    """Add the phase of the report that the mail answers.

    A withdrawn report tells the phase that is meant only if the board of that phase is open now.
    """
    if sent is None or sent.game != sender.game:
        return sender
    withdrawn = letter_withdrawn(work, sent)
    phase = Phase.parse(sent.phase) if sent.phase is not None else None
    if withdrawn is not None and not shows_the_open_board(work, sent):
        phase = None
    return replace(sender, phase=phase, withdrawn=withdrawn)


def _answering_press(sender: Author, sent: SentLetter | None) -> Author:
    """Make the mail press in the game of the press it answers.

    `sent` is None if that press is not known.
    """
    sender = replace(sender, answers_press=True, tapped=None)
    if sent is None or sender.person is None:
        return sender
    phase = Phase.parse(sent.phase) if sent.phase is not None else None
    return replace(sender, game=sent.game, phase=phase, room=_room_of(sent), answers_master=_room_of(sent) is None)


def _room_of(sent: SentLetter) -> Room | None:
    """Return the parties of a sent letter of press; for some kinds only its writer."""
    if sent.room:
        return Room.parse(sent.room)
    return Room((sent.power,)) if sent.power is not None else None


def _seat_written_to(
    work: Work, writer: LetterWriter, letter: Letter, person: Person | None
) -> tuple[Game, Person] | None:
    """Return the game and person of the secret seat address used.

    A registered sender must use their own; a stranger may use any.
    """
    for token, game, ids in _seats_that_may_be_meant(work, writer, letter, person):
        for id_ in ids:
            if writer.is_reply_token(token, game, id_):
                return game, person if person is not None and person.id == id_ else work.people.many([id_])[id_]
    return None


def _link_tapped(
    work: Work, writer: LetterWriter, letter: Letter, person: Person | None
) -> tuple[Game, Person, Phase] | None:
    """Return the game, person and phase of the mailto link used.

    The phase may be closed.
    """
    for token, game, ids in _seats_that_may_be_meant(work, writer, letter, person):
        phases = [game.position.phase, *(closed.phase for closed in work.records.phases(game.name))]
        for id_ in ids:
            phase = next((phase for phase in phases if writer.is_tap_token(token, game, id_, phase)), None)
            if phase is not None:
                return game, work.people.many([id_])[id_], phase
    return None


def _seats_that_may_be_meant(
    work: Work, writer: LetterWriter, letter: Letter, person: Person | None
) -> Iterator[tuple[str, Game, Sequence[PersonId]]]:
    """Yield each token a mail was sent to, with its game and possible owners."""
    for name, token in _written_to(writer, letter):
        game = work.games.get(name)
        if game is not None:
            yield token, game, (person.id,) if person is not None else game.members


def _written_to(writer: LetterWriter, letter: Letter) -> Sequence[tuple[str, str]]:
    """Return name and token of each secret address that a mail was sent to."""
    parsed = (parse_reply_address(writer.address, recipient) for recipient in letter.recipients)
    return [found for found in parsed if found is not None]


def game_addressed(writer: LetterWriter, recipients: Sequence[str]) -> str | None:
    """Return the name of the game that one of the judge's secret addresses is for."""
    parsed = (parse_reply_address(writer.address, recipient) for recipient in recipients)
    return next((game_written_to(found[0]) for found in parsed if found is not None), None)


def questions_answered(work: Work, writer: LetterWriter, letter: Letter) -> list[str]:
    """Return the tokens of questions that a mail may answer.

    They come from its recipients, and from the letter it answers.
    A mail that was written to others answers none, even if one of them forwards it.
    """
    if letter.flaw is Flaw.NOT_TO_US:
        return []
    tokens = [token for name, token in _written_to(writer, letter) if name == CONFIRM]
    sent = work.outbox.by_message_id(letter.in_reply_to) if letter.in_reply_to and letter.names_us else None
    if sent is not None and sent.kind is LetterKind.CONFIRM and sent.inbox is not None:
        tokens += [token_for(secret, "confirm", sent.inbox) for secret in writer.secrets]
    return tokens


def which_answered(work: Work, writer: LetterWriter, letter: Letter, purpose: str) -> list[str]:
    """Return the tokens for choosing press or orders in a reply to a receipt."""
    sent = work.outbox.by_message_id(letter.in_reply_to) if letter.in_reply_to and letter.names_us else None
    if sent is None or sent.kind is not LetterKind.REPLY or sent.inbox is None:
        return []
    return [token_for(secret, purpose, sent.inbox) for secret in writer.secrets]
