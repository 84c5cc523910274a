"""One mail of a person: what it asks is done or confirmed first, and it is answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from judge.commands import (
    CheckSettings,
    Command,
    Create,
    ForPhase,
    ForPower,
    Give,
    Language,
    OrderFor,
    Press,
    PressToMaster,
    Register,
    SetAddress,
    UseGame,
)
from judge.config import Config
from judge.games import Game, Person, PersonId
from judge.games.persons import clean_name
from judge.language import Context, ReadLine, read
from judge.language.consent import Consent, settled, without_answers
from judge.language.faults import FaultKind
from judge.mail.letters import Letter, LetterKind, Outgoing, RawMail
from judge.mail.proof import reply_address, token_for
from judge.reports import NoticeKind, Rendered, notice
from judge.rules.map import load_map
from judge.rules.position import Power
from judge.service.post.letters import Desk
from judge.service.post.telling import tell
from judge.service.talk.senders import Sender, held_mail, identify
from judge.service.talk.session import Session
from judge.storage import About, Waiting, Work

log = structlog.get_logger(__name__)

_OF_COMMANDS = (FaultKind.UNKNOWN_ADDRESSEE, FaultKind.UNKNOWN_COMMAND, FaultKind.MALFORMED_COMMAND)
_CONFIRM_WITHIN = timedelta(days=7)
_MOST_ANSWERS_AN_HOUR = {False: 20, True: 200}
"""To a sender without and with proof."""


@dataclass
class Conversation:
    """A mail that is being worked, in a unit of work."""

    work: Work
    desk: Desk
    config: Config
    waiting: Waiting
    letter: Letter
    sender: Sender
    now: datetime
    read_letter: Callable[[RawMail], Letter]
    """Reads another mail: one that was held."""

    @property
    def language(self) -> Language:
        """The language the sender is answered in."""
        return self.sender.person.language if self.sender.person else language_of(self.letter, self.config)

    def answer(self) -> None:
        """Do what the mail asks, and answer it."""
        held = self._held()
        answered = Consent.UNCLEAR
        if held is not None:
            answered, rest = without_answers(self.letter.own_text)
            self.letter = replace(self.letter, own_text=rest)
            # Whoever knows the token reads the mail of that address; what else he asks for is proved by it.
            self.sender = replace(self.sender, is_proved=True)
        self._welcome_back()
        game, lines = self.read()
        requests = [request for line in lines for request in line.requests]
        if held is not None:
            self._settle(held, settled(answered, lines, self._names()))
            if not requests:
                self._done()
                return
        if held is None and not requests and self._answers_a_question():
            self._done()
            return
        if not self.sender.is_proved and any(request.card.needs_proof for request in requests):
            self._ask_to_confirm(lines)
            return
        may_answer = self._may_answer()
        if not may_answer and not self.sender.is_proved:
            self._done()
        elif self.sender.person is None and not requests:
            self._send(LetterKind.REPLY, notice(NoticeKind.WELCOME, self.language))
            self._done()
        else:
            self._do(game, lines, may_answer=may_answer)

    def take_orders_silently(self) -> None:
        """Orders that a program sent to a seat's secret address count; an answer to it could begin a loop."""
        person, name = self.sender.person, self.sender.game
        game = self.work.games.get(name) if name and self.sender.to_seat and self.sender.is_proved else None
        if person is None or game is None or not game.seats_of(person.id):
            return
        self._welcome_back()
        session = self._session(person, game)
        lines = read(self.letter.own_text, _context(game, self.sender))
        session.answer([replace(line, requests=tuple(filter(_is_order, line.requests))) for line in lines])
        log.info("orders of an automatic mail read", mail=self.waiting.id)

    def explain(self) -> None:
        """Tell the sender of an unreadable mail, if we know him."""
        if self.sender.person is not None and self._may_answer():
            letter = self.letter
            told = notice(NoticeKind.UNREADABLE, self.language, subject=letter.subject, defect=letter.defect)
            self._send(LetterKind.REPLY, told)

    def _do(self, game: Game | None, lines: Sequence[ReadLine], *, may_answer: bool) -> None:
        person = self.sender.person
        if person is None and any(request.card.needs_proof for line in lines for request in line.requests):
            person = self._register()
        session = self._session(person, game)
        session.answer(lines)
        log.info("mail read", mail=self.waiting.id, game=session.shown)
        for number, event in enumerate(session.events):
            tell(self.work, self.desk, event, self.now, f"mail {self.waiting.id} {number}")
        if may_answer:
            session.queue_reply()
        if session.to_confirm:
            self._ask_for_the_final(session)
        else:
            self._done(person, session.shown)

    def _session(self, person: Person | None, game: Game | None) -> Session:
        return Session(
            work=self.work,
            desk=self.desk,
            config=self.config,
            person=person or Person(PersonId(0), self.letter.sender, "", self.language),
            is_registered=person is not None,
            game=game,
            phase=self.sender.phase,
            mail=self.waiting,
            letter=self.letter,
            now=self.now,
            pressed_by=self.sender.pressed_by,
        )

    def _done(self, person: Person | None = None, game: str | None = None) -> None:
        kind = self.letter.kind.value
        self.work.inbox.done(self.waiting.id, kind=kind, person=person.id if person else None, game=game)

    def _welcome_back(self) -> None:
        """Who writes to us can be written to: bounces from before no longer count."""
        if self.sender.is_proved and self.work.outbox.forget_bounces(self.sender.address, self.now):
            person = self.sender.person
            log.info("address no longer suspended", person=person.id if person else None)

    def _register(self) -> Person:
        name = clean_name(self.letter.sender_name) or self.letter.sender.split("@")[0][:40]
        return self.work.people.add(self.letter.sender, name, self.language, "")

    # Reading

    def read(self) -> tuple[Game | None, tuple[ReadLine, ...]]:
        """The usual game of a mail and its lines, each read on the board of the game it is about."""
        text = self.letter.own_text
        game = self._usual_game()
        lines = list(read(text, _context(game, self.sender)))
        for place, line in enumerate(lines):
            context = self._context_below(line, game)
            if context is not None:
                # Numbers count all lines: those above are left empty.
                below = "\n" * line.number + "\n".join(text.splitlines()[line.number :])
                lines[place + 1 :] = read(below, context)
        if self.sender.pressed_by is not None:
            return game, _in_answer_to_press(lines, text, Press(()))
        person = self.sender.person
        if self.sender.answers_master and game is not None and person is not None and person.id not in game.masters:
            return game, _in_answer_to_press(lines, text, PressToMaster())
        return game, tuple(lines)

    def _context_below(self, line: ReadLine, game: Game | None) -> Context | None:
        """How the lines below a line are to be read, if otherwise than those above."""
        for request in line.requests:
            if isinstance(request, UseGame):
                named = self.work.games.get(request.game.lower())
                return _context(named, self.sender) if named is not None else None
            if isinstance(request, OrderFor) and game is not None:
                return _context(game, self.sender, (request.power,))
        return None

    def _usual_game(self) -> Game | None:
        """That of the report the mail answers, or the only one the sender has a part in."""
        sender = self.sender
        if sender.game is not None:
            return self.work.games.get(sender.game)
        names = self.work.games.of_person(sender.person.id) if sender.person is not None else ()
        return self.work.games.get(names[0]) if len(names) == 1 else None

    # Confirmations

    def _held(self) -> int | None:
        """The earlier mail that was held, and that this mail answers the question about."""
        for token in held_mail(self.work, self.desk, self.letter):
            held = self.work.inbox.held_for(token, self.letter.sender, self.now)
            if held is not None:
                return held
        return None

    def _answers_a_question(self) -> bool:
        """Whether the mail answers a settled question, and says no more; its sender is told so, once for each."""
        tokens = held_mail(self.work, self.desk, self.letter)
        if not tokens or without_answers(self.letter.own_text)[0] is Consent.UNCLEAR:
            return False
        if self._may_answer():
            self._send(LetterKind.REPLY, notice(NoticeKind.SETTLED, self.language), key=f"settled {tokens[0]}")
        return True

    def _names(self) -> list[str]:
        """What the sender may sign with."""
        person = self.sender.person
        names = [self.letter.sender_name, person.name if person else "", self.letter.sender.split("@")[0]]
        return [name for name in names if name]

    def _settle(self, held: int, answer: Consent) -> None:
        """Do what the answer to a request for confirmation says about the mail that was held."""
        match answer:
            case Consent.YES:
                log.info("mail confirmed", mail=held, by=self.waiting.id)
                self.work.inbox.confirm(held)
            case Consent.NO:
                log.info("mail disowned", mail=held, by=self.waiting.id)
                self.work.inbox.disown(held)
            case Consent.UNCLEAR:
                # Once for each mail held: the answer may come from a robot.
                told = notice(
                    NoticeKind.UNCLEAR, self.language, asked=self._asked_by(held), subject=self.letter.subject
                )
                self._send(LetterKind.CONFIRM, told, key=f"unclear answer about mail {held}", confirm=held)

    def _asked_by(self, held: int) -> list[str]:
        """The lines of the earlier mail that are done with a yes."""
        received = self.work.inbox.get(held)
        assert received is not None
        is_worked = received.kind is not None
        waiting = replace(self.waiting, id=held, raw=received.raw, confirmed=False, is_worked=is_worked)
        letter = self.read_letter(received.raw)
        sender = identify(self.work, self.desk, waiting, letter)
        _, lines = replace(self, waiting=waiting, letter=letter, sender=sender).read()
        if waiting.is_worked:
            lines = tuple(line for line in lines if any(request.card.is_final for request in line.requests))
        return _asked_in(lines)

    def _ask_to_confirm(self, lines: Sequence[ReadLine]) -> None:
        """Ask the address whether the mail is its own; nothing of it is done before."""
        self.work.inbox.hold(self.waiting.id)
        if not self._may_answer():
            return
        self.work.inbox.ask(
            self._token(self.waiting.id), self.waiting.id, self.sender.address, self.now + _CONFIRM_WITHIN
        )
        told = notice(NoticeKind.CONFIRM, self.language, asked=_asked_in(lines), subject=self.letter.subject)
        self._send(LetterKind.CONFIRM, told, confirm=self.waiting.id)

    def _ask_for_the_final(self, session: Session) -> None:
        """Ask for a yes to what cannot be undone; the rest of the mail is done."""
        first = session.to_confirm[0].request
        new = first.address if isinstance(first, SetAddress) else None
        self.work.inbox.hold(self.waiting.id, kind=self.letter.kind.value, person=session.person.id)
        recipient = new or session.person.address
        self.work.inbox.ask(self._token(self.waiting.id), self.waiting.id, recipient, self.now + _CONFIRM_WITHIN)
        asked = [act.line for act in session.to_confirm]
        told = notice(NoticeKind.CONFIRM_FINAL, session.person.language, asked=asked, new_address=new is not None)
        key = f"confirm the rest of mail {self.waiting.id}"
        self._send(LetterKind.CONFIRM, told, key=key, confirm=self.waiting.id, new_address=new)

    def _token(self, mail: int) -> str:
        return token_for(self.desk.secret, "confirm", mail)

    # Letters that are no receipts

    def _may_answer(self) -> bool:
        """Whether another answer to this address is within its limit; one notice, then silence ends every loop."""
        proved = self.sender.is_proved
        limit = _MOST_ANSWERS_AN_HOUR[proved]
        since = self.now - timedelta(hours=1)
        answered = self.work.outbox.count_to(self.sender.address, since, proved=proved)
        if answered == limit:
            self._send(LetterKind.REPLY, notice(NoticeKind.LIMIT, self.language, limit=limit, worked=proved))
        return answered < limit

    def _send(
        self,
        kind: LetterKind,
        told: Rendered,
        *,
        key: str = "",
        confirm: int | None = None,
        new_address: str | None = None,
    ) -> None:
        """Answer the mail; to a new address as a letter of its own, for nobody there knows the mail."""
        about = About(key or f"{kind.value} to mail {self.waiting.id}", inbox=self.waiting.id)
        outgoing = self.desk.write(kind, new_address or self.sender.address, told, about, self.now)
        if confirm is not None:
            outgoing = replace(outgoing, reply_to=reply_address(self.desk.address, "confirm", self._token(confirm)))
        outgoing = outgoing if new_address else in_answer_to(self.letter, outgoing)
        self.work.outbox.queue(outgoing, about, self.now)


def in_answer_to(letter: Letter, outgoing: Outgoing) -> Outgoing:
    """The mail in the thread of the one it answers."""
    references = (letter.message_id,) if letter.message_id else ()
    return replace(outgoing, in_reply_to=letter.message_id, references=references)


def language_of(letter: Letter, config: Config) -> Language:
    """A stranger's language: Japanese if he writes it, else the judge's own."""
    text = letter.own_text + letter.subject + letter.sender_name
    if any("\u3040" <= character <= "\u30ff" or "\u4e00" <= character <= "\u9fff" for character in text):
        return Language.JAPANESE
    return Language(config.judge.language)


def _context(game: Game | None, sender: Sender, powers: tuple[Power, ...] | None = None) -> Context:
    if game is None:
        return Context(load_map())
    if powers is None:
        powers = tuple(seat.power for seat in game.seats_of(sender.person.id)) if sender.person else ()
    # Who writes leads his power again, so that civil disorder is none of what his words can mean.
    terms = replace(game.circumstances, disorder=frozenset())
    return Context(game.map, game.position, powers, game.settings.rules, terms)


def _in_answer_to_press(lines: Sequence[ReadLine], text: str, answer: Press | PressToMaster) -> tuple[ReadLine, ...]:
    """A mail without commands that answers press is press; what reads as orders is neither until its sender says."""
    requests = [request for line in lines for request in line.requests]
    if any(not isinstance(request, Give) for request in requests) or not text.strip():
        return tuple(lines)
    faults = [fault for line in lines for fault in line.faults]
    if any(fault.kind in _OF_COMMANDS for fault in faults):
        return tuple(lines)
    is_unsure = bool(requests or faults)
    told = Press((), text=text.strip(), is_unsure=True) if is_unsure else replace(answer, text=text.strip())
    return (ReadLine(1, text.strip().splitlines()[0], (told,)),)


def _asked_in(lines: Sequence[ReadLine]) -> list[str]:
    return [told for line in lines if line.requests for told in (line.text, *_settings_below(line))]


def _settings_below(line: ReadLine) -> list[str]:
    """The settings that belong to a line, as they were read."""
    return [
        f"    {name.replace('_', ' ')}: {value}"
        for request in line.requests
        if isinstance(request, Create | CheckSettings | Register)
        for name, value in request.settings.items()
    ]


def _is_order(request: Command) -> bool:
    return isinstance(request, Give | ForPhase | ForPower)
