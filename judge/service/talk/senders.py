"""Who wrote a mail, and how sure that is (`docs/architecture.md`: From proves nothing)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judge.commands import Command, ForPhase, ForPower, Give, SetReady
from judge.games import Game, Person, PersonId
from judge.games.rooms import Room
from judge.mail.letters import Flaw, Letter, LetterKind
from judge.mail.proof import CONFIRM, game_written_to, parse_reply_address, press_written_to, token_for
from judge.rules.position import Phase
from judge.service.post.letters import LetterWriter
from judge.storage import SentLetter, Waiting, Work

_TAPPED = (Give, ForPower, SetReady)
"""What a link is good for, for its phase."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote a mail, as far as it is proved, and what the mail answers."""

    address: str
    """Where answers and questions go: of a registered person the one he wrote from, if it is his, else his first."""
    person: Person | None
    is_proved: bool
    game: str | None = None
    phase: Phase | None = None
    room: Room | None = None
    """Who talks in the press that the mail answers."""
    answers_press: bool = False
    """The mail answers press, and is press."""
    answers_master: bool = False
    """The press it answers is by a person without a power: a master, or an observer who wrote to the masters."""
    name: str = ""
    """What the mail calls its sender."""
    to_seat: bool = False
    """The mail was sent to the secret address of the person's seat."""
    tapped: Phase | None = None
    """The phase of the link that the mail was begun with, by the registered address: it proves orders and READY."""

    def tapped_for(self, requests: Sequence[Command]) -> bool:
        """Whether the link that was tapped proves all that is asked: orders and READY, for its phase and no other."""
        return (
            self.tapped is not None
            and bool(requests)
            and all(isinstance(one, _TAPPED) or one == ForPhase(self.tapped) for one in requests)
        )


def expect(work: Work, writer: LetterWriter, letter: Letter, since: datetime) -> None:
    """What is asked of the database about nearly every mail is asked for at once."""
    work.games.expect({game_written_to(name) for name, _ in _written_to(writer, letter)})
    work.outbox.expect(letter.sender, since)


def identify(work: Work, writer: LetterWriter, waiting: Waiting, letter: Letter) -> Author:
    """Who wrote a mail; one with a flaw proves nothing until its sender confirms it."""
    sent = _letter_answered(work, writer, letter)
    author = replace(_author(work, writer, waiting, letter, sent), name=letter.sender_name)
    is_press = sent.kind is LetterKind.PRESS if sent is not None else any(_presses_written_to(writer, letter))
    author = _answering_press(author, sent) if is_press else _answering(author, sent)
    if letter.flaw is None or waiting.confirmed:
        return author
    return replace(author, is_proved=False, tapped=None)


def _letter_answered(work: Work, writer: LetterWriter, letter: Letter) -> SentLetter | None:
    """The letter of ours that a mail answers: that whose address it was sent to, else that of its In-Reply-To."""
    found = [work.outbox.by_message_id(id_) for id_ in _presses_written_to(writer, letter)]
    sent = next((one for one in found if one is not None), None)
    if sent is None and letter.in_reply_to:
        sent = work.outbox.by_message_id(letter.in_reply_to)
    return sent


def _presses_written_to(writer: LetterWriter, letter: Letter) -> list[str]:
    """The Message-IDs of the press whose secret addresses a mail was sent to."""
    found = (press_written_to(writer.address, recipient) for recipient in letter.recipients)
    return [one for one in found if one is not None]


def _author(work: Work, writer: LetterWriter, waiting: Waiting, letter: Letter, sent: SentLetter | None) -> Author:
    """Who wrote a mail. A stranger who uses a seat's secret address speaks for its owner, if the owner confirms it."""
    person = work.people.by_address(letter.sender)
    proved = waiting.confirmed or letter.authenticated
    seat = _seat_written_to(work, writer, letter, person)
    if seat is not None:
        game, owner = seat
        proved = waiting.confirmed or letter.sender in owner.addresses
        return Author(_answered_at(owner, letter), owner, proved, game.name, to_seat=True)
    tapped = _link_tapped(work, writer, letter, person)
    if tapped is not None:
        game, owner, phase = tapped
        is_his = letter.sender in owner.addresses
        proved = waiting.confirmed or (letter.authenticated and is_his)
        tap = phase if is_his else None
        return Author(_answered_at(owner, letter), owner, proved, game.name, phase, tapped=tap)
    if person is None and sent is not None and sent.person is not None and any(_presses_written_to(writer, letter)):
        owner = work.people.many([sent.person])[sent.person]
        return Author(_answered_at(owner, letter), owner, waiting.confirmed, sent.game)
    if person is None:
        return Author(letter.sender, None, proved)
    # A reply to a Message-ID that only this person was sent; what they Bcc to others may be one, too.
    is_reply = sent is not None and sent.person == person.id and letter.names_us
    game_name = sent.game if sent is not None else None
    return Author(letter.sender, person, proved or is_reply, game_name)


def _answered_at(owner: Person, letter: Letter) -> str:
    return letter.sender if letter.sender in owner.addresses else owner.address


def addresses_of(work: Work, sender: str) -> Sequence[str]:
    """The addresses at which whoever writes from one of them may have been asked: both of a person, that one first."""
    person = work.people.by_address(sender)
    others = person.addresses if person is not None else ()
    return tuple(dict.fromkeys((sender, *others)))


def _answering(sender: Author, sent: SentLetter | None) -> Author:
    """The sender, knowing the phase of the report that the mail answers."""
    if sent is None or sent.game != sender.game:
        return sender
    return replace(sender, phase=Phase.parse(sent.phase) if sent.phase is not None else None)


def _answering_press(sender: Author, sent: SentLetter | None) -> Author:
    """The sender of an answer to press: it is press in that game, and nothing else; None: that press is not known."""
    sender = replace(sender, answers_press=True, tapped=None)
    if sent is None or sender.person is None:
        return sender
    phase = Phase.parse(sent.phase) if sent.phase is not None else None
    return replace(sender, game=sent.game, phase=phase, room=_room_of(sent), answers_master=_room_of(sent) is None)


def _room_of(sent: SentLetter) -> Room | None:
    """Who talks in press that was sent: of some kinds whoever wrote it alone."""
    if sent.room:
        return Room.parse(sent.room)
    return Room((sent.power,)) if sent.power is not None else None


def _seat_written_to(
    work: Work, writer: LetterWriter, letter: Letter, person: Person | None
) -> tuple[Game, Person] | None:
    """The game and the person whose secret address there the mail was sent to: his own, or a stranger's any."""
    for token, game, ids in _seats_that_may_be_meant(work, writer, letter, person):
        for id_ in ids:
            if writer.is_reply_token(token, game, id_):
                return game, person if person is not None and person.id == id_ else work.people.many([id_])[id_]
    return None


def _link_tapped(
    work: Work, writer: LetterWriter, letter: Letter, person: Person | None
) -> tuple[Game, Person, Phase] | None:
    """The game, the person and the phase of the link that a mail was begun with, be the phase open or closed."""
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
    """The tokens of the addresses a mail was sent to, each with its game and who may have it."""
    for name, token in _written_to(writer, letter):
        game = work.games.get(name)
        if game is not None:
            yield token, game, (person.id,) if person is not None else game.members


def _written_to(writer: LetterWriter, letter: Letter) -> Sequence[tuple[str, str]]:
    """What is named by the secret addresses that a mail was sent to, with the token of each."""
    parsed = (parse_reply_address(writer.address, recipient) for recipient in letter.recipients)
    return [found for found in parsed if found is not None]


def questions_answered(work: Work, writer: LetterWriter, letter: Letter) -> list[str]:
    """The tokens of questions that a mail may answer: from the addresses it went to, and the mail it answers.

    A mail that was written to others answers none, though one of them send it on.
    """
    if letter.flaw is Flaw.NOT_TO_US:
        return []
    tokens = [token for name, token in _written_to(writer, letter) if name == CONFIRM]
    sent = work.outbox.by_message_id(letter.in_reply_to) if letter.in_reply_to and letter.names_us else None
    if sent is not None and sent.kind is LetterKind.CONFIRM and sent.inbox is not None:
        tokens += [token_for(secret, "confirm", sent.inbox) for secret in writer.secrets]
    return tokens


def guesses_answered(work: Work, writer: LetterWriter, letter: Letter, purpose: str = CONFIRM) -> list[str]:
    """The tokens of what a mail may answer: guesses, or a letter that may be orders, in the receipt it answers."""
    sent = work.outbox.by_message_id(letter.in_reply_to) if letter.in_reply_to and letter.names_us else None
    if sent is None or sent.kind is not LetterKind.REPLY or sent.inbox is None:
        return []
    return [token_for(secret, purpose, sent.inbox) for secret in writer.secrets]
