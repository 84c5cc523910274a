"""The route of a mail: kept, read, worked, answered."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from judge.commands import Command, ForPhase, ForPower, Give, Language, UseGame
from judge.config import Config
from judge.errors import ConflictError
from judge.failpoints import Step, passed
from judge.games import Game, Person, PersonId
from judge.games.persons import clean_name
from judge.language import Context, ReadLine, read
from judge.language.consent import Consent, consent
from judge.mail.identity import identity, message_id
from judge.mail.letters import Letter, LetterKind, MailKind, Outgoing, RawMail
from judge.mail.proof import parse_reply_address, reply_address, token_for
from judge.mail.reading import Reader as MailReader
from judge.reports import NoticeKind, Rendered, notice
from judge.rules.map import load_map
from judge.rules.position import Phase
from judge.service.bounces import Bounces
from judge.service.letters import Desk, queue_event
from judge.service.session import Session, needs_proof
from judge.storage import About, Arrived, SentLetter, Store, Waiting, Work

log = structlog.get_logger(__name__)

_MOST_ATTEMPTS = 3
_MOST_CONFLICTS = 20
"""In a row; then they count as an attempt."""
_CONFIRM_WITHIN = timedelta(days=7)
_MOST_ANSWERS_AN_HOUR = {False: 20, True: 200}
"""To a sender without and with proof."""


@dataclass(frozen=True, slots=True)
class Sender:
    """Who wrote a mail, as far as it is proved, and what the mail answers."""

    address: str
    person: Person | None
    is_proved: bool
    game: str | None
    phase: Phase | None


class Intake:
    """Keeps mail, and works it one mail at a time."""

    def __init__(
        self, store: Store, config: Config, clock: Callable[[], datetime], desk: Desk, bounces: Bounces
    ) -> None:
        self.store = store
        self.config = config
        self.clock = clock
        self.desk = desk
        self.bounces = bounces
        self.reader = MailReader(frozenset((desk.address.lower(),)), config.judge.authserv_id or None)
        self.turn = threading.Lock()
        self.conflicts: Counter[int] = Counter()
        self.on_kept: Callable[[], None] = lambda: None
        self.on_worked: Callable[[], None] = lambda: None

    def keep(self, *mails: RawMail) -> None:
        """Store mails, in this order, and commit; nothing is lost after this returned."""
        arrived = [Arrived(raw, identity(raw.content), message_id(raw.content)) for raw in mails]
        for raw, kept in zip(mails, self.store.keep_all(arrived), strict=True):
            log.info("mail kept" if kept else "mail known already", mail=kept, source=raw.source)
        self.on_kept()

    def work_all(self) -> int:
        """Work every waiting mail, oldest first; the number of mails worked."""
        worked = 0
        while self.work_one():
            worked += 1
        return worked

    def work_one(self) -> bool:
        """Work the mail that has waited longest; False if none waits."""
        with self.turn:
            with self.store.work() as work:
                waiting = work.inbox.next()
                if waiting is None:
                    return False
                # Counted before the work and on its own, so that an attempt that kills us counts.
                work.inbox.begin_attempt(waiting.id)
                work.commit()
            passed(Step.ATTEMPT_COUNTED)
            if waiting.attempts >= _MOST_ATTEMPTS:
                log.error("mail set aside, no attempt came to an end", mail=waiting.id)
                self._set_aside(waiting, f"{waiting.attempts} attempts to work this mail did not come to an end")
            else:
                self._try(waiting)
        self.on_worked()
        return True

    def _try(self, waiting: Waiting) -> None:
        try:
            self._work(waiting)
        except ConflictError:
            log.info("game changed meanwhile, trying again", mail=waiting.id)
            self.conflicts[waiting.id] += 1
            if self.conflicts[waiting.id] % _MOST_CONFLICTS:  # the mail is not to blame, but it may not go on for ever
                with self.store.work() as work:
                    work.inbox.forget_attempt(waiting.id)
                    work.commit()
        except Exception as error:
            log.exception("mail could not be worked", mail=waiting.id)
            if waiting.attempts + 1 >= _MOST_ATTEMPTS:
                self._set_aside(waiting, repr(error))

    def _work(self, waiting: Waiting) -> None:
        now = self.clock()
        with self.store.work() as work:
            bounced = self.bounces.heed(work, waiting.raw, waiting.id, now)
            if bounced is not None:
                work.inbox.done(waiting.id, kind=MailKind.BOUNCE.value, person=bounced.person, game=bounced.game)
                work.commit()
                return
            letter = self.reader.read(waiting.raw, lambda id_: _lines_of(work.outbox.by_message_id(id_)))
            match letter.kind:
                case MailKind.PERSON:
                    self._work_person(work, waiting, letter, now)
                case MailKind.UNREADABLE:
                    self._explain(work, waiting, letter, now)
                    work.inbox.done(waiting.id, kind=letter.kind.value)
                case MailKind.AUTOMATIC | MailKind.BOUNCE:
                    if letter.kind is MailKind.AUTOMATIC and not letter.has_null_sender:
                        self._take_orders_silently(work, waiting, letter, now)
                    work.inbox.done(waiting.id, kind=letter.kind.value)
            passed(Step.MAIL_WORKED)
            work.commit()
        log.info("mail worked", mail=waiting.id, kind=letter.kind.value)
        passed(Step.WORK_COMMITTED)

    # Who

    def _identify(self, work: Work, waiting: Waiting, letter: Letter) -> Sender:
        person = work.people.by_address(letter.sender)
        sent = work.outbox.by_message_id(letter.in_reply_to) if letter.in_reply_to else None
        phase = Phase.parse(sent.phase) if sent is not None and sent.phase is not None else None
        game = sent.game if sent is not None else None
        proved = waiting.confirmed or letter.authenticated
        if person is not None:
            # A reply to a Message-ID that only this person was sent.
            proved = proved or (sent is not None and sent.person == person.id)
            named = self._game_written_to(work, person, letter)
            if named is not None:
                proved, game = True, named.name
        return Sender(letter.sender, person, proved, game, phase if game == (sent.game if sent else None) else None)

    def _game_written_to(self, work: Work, person: Person, letter: Letter) -> Game | None:
        """The game whose secret address for this person the mail was sent to."""
        for recipient in letter.recipients:
            parsed = parse_reply_address(self.desk.address, recipient)
            game = work.games.get(parsed[0]) if parsed else None
            if parsed and game and self.desk.is_reply_token(parsed[1], game, person.id):
                return game
        return None

    def _welcome_back(self, work: Work, sender: Sender, now: datetime) -> None:
        """Who writes to us can be written to: bounces from before no longer count."""
        if sender.is_proved and work.outbox.forget_bounces(sender.address, now):
            log.info("address no longer suspended", person=sender.person.id if sender.person else None)

    def _held(self, work: Work, letter: Letter, now: datetime) -> int | None:
        """The earlier mail that was held, and that this mail answers the question about."""
        tokens = []
        for recipient in letter.recipients:
            parsed = parse_reply_address(self.desk.address, recipient)
            if parsed is not None and parsed[0] == "confirm":
                tokens.append(parsed[1])
        sent = work.outbox.by_message_id(letter.in_reply_to) if letter.in_reply_to else None
        if sent is not None and sent.kind is LetterKind.CONFIRM and sent.inbox is not None:
            tokens += [token_for(secret, "confirm", sent.inbox) for secret in self.desk.secrets]
        for token in tokens:
            held = work.inbox.held_for(token, letter.sender, now)
            if held is not None:
                return held
        return None

    def _confirm_token(self, mail: int) -> str:
        return token_for(self.desk.secret, "confirm", mail)

    # What

    def _work_person(self, work: Work, waiting: Waiting, letter: Letter, now: datetime) -> None:
        sender = self._identify(work, waiting, letter)
        held = self._held(work, letter, now)
        if held is not None:
            answer, rest = consent(letter.own_text)
            letter = replace(letter, own_text=rest)
            # Whoever knows the token reads the mail of that address; what else he asks for is proved by it.
            sender = replace(sender, is_proved=True)
        self._welcome_back(work, sender, now)
        game, lines = self._read(work, sender, letter.own_text)
        requests = [request for line in lines for request in line.requests]
        if held is not None:
            self._settle_held(work, held, answer, waiting, letter, sender, now, has_more=bool(requests))
            if not requests:
                work.inbox.done(waiting.id, kind=letter.kind.value)
                return
        if not sender.is_proved and any(needs_proof(request) for request in requests):
            self._ask_to_confirm(
                work, waiting, letter, sender, now, requests_in=[line.text for line in lines if line.requests]
            )
            return
        may_answer = self._may_answer(work, sender, waiting, letter, now)
        if not may_answer and not sender.is_proved:
            work.inbox.done(waiting.id, kind=letter.kind.value)
            return
        person = sender.person
        if person is None and not requests:
            language = _language_of(letter, self.config)
            self._send(
                work, LetterKind.REPLY, sender.address, notice(NoticeKind.WELCOME, language), waiting, letter, now
            )
            work.inbox.done(waiting.id, kind=letter.kind.value)
            return
        if person is None and any(needs_proof(request) for request in requests):
            person = self._register(work, letter)
        session = Session(
            work=work,
            desk=self.desk,
            config=self.config,
            person=person or _stranger(letter, self.config),
            is_registered=person is not None,
            game=game,
            phase=sender.phase,
            mail=waiting,
            letter=letter,
            now=now,
        )
        session.answer(lines)
        log.info("mail read", mail=waiting.id, game=session.game.name if session.game else None)
        for event in session.events:
            queue_event(work, self.desk, event, now)
        if may_answer:
            session.queue_reply()
        work.inbox.done(
            waiting.id,
            kind=letter.kind.value,
            person=person.id if person else None,
            game=session.game.name if session.game else None,
        )

    def _take_orders_silently(self, work: Work, waiting: Waiting, letter: Letter, now: datetime) -> None:
        """Orders that a program sent to a seat's secret address count; an answer to it could begin a loop."""
        sender = self._identify(work, waiting, letter)
        game = self._game_written_to(work, sender.person, letter) if sender.person else None
        if sender.person is None or game is None or not game.seats_of(sender.person.id):
            return
        self._welcome_back(work, sender, now)
        lines = read(letter.own_text, _context(game, sender))
        session = Session(
            work=work,
            desk=self.desk,
            config=self.config,
            person=sender.person,
            is_registered=True,
            game=game,
            phase=sender.phase,
            mail=waiting,
            letter=letter,
            now=now,
        )
        session.answer([replace(line, requests=tuple(filter(_is_order, line.requests))) for line in lines])
        log.info("orders of an automatic mail read", mail=waiting.id)

    def _read(self, work: Work, sender: Sender, text: str) -> tuple[Game | None, tuple[ReadLine, ...]]:
        """The usual game of a mail and its lines; below a GAME line they are read on that game's board."""
        game = self._usual_game(work, sender)
        lines = list(read(text, _context(game, sender)))
        for place, line in enumerate(lines):
            named = next((work.games.get(r.game.lower()) for r in line.requests if isinstance(r, UseGame)), None)
            if named is not None:
                # Numbers count all lines: those above are left empty.
                below = "\n" * line.number + "\n".join(text.splitlines()[line.number :])
                lines[place + 1 :] = read(below, _context(named, sender))
        return game, tuple(lines)

    def _usual_game(self, work: Work, sender: Sender) -> Game | None:
        """That of the report the mail answers, or the only one the sender has a part in."""
        if sender.game is not None:
            return work.games.get(sender.game)
        names = work.games.of_person(sender.person.id) if sender.person is not None else ()
        return work.games.get(names[0]) if len(names) == 1 else None

    def _register(self, work: Work, letter: Letter) -> Person:
        name = clean_name(letter.sender_name) or letter.sender.split("@")[0][:40]
        return work.people.add(letter.sender, name, _language_of(letter, self.config), "")

    # Mails that are no receipts

    def _ask_to_confirm(
        self, work: Work, waiting: Waiting, letter: Letter, sender: Sender, now: datetime, requests_in: Sequence[str]
    ) -> None:
        work.inbox.hold(waiting.id)
        if not self._may_answer(work, sender, waiting, letter, now):
            return
        token = self._confirm_token(waiting.id)
        work.inbox.ask(token, waiting.id, letter.sender, now + _CONFIRM_WITHIN)
        language = sender.person.language if sender.person else _language_of(letter, self.config)
        told = notice(NoticeKind.CONFIRM, language, asked=list(requests_in), subject=letter.subject)
        self._send(work, LetterKind.CONFIRM, letter.sender, told, waiting, letter, now, confirm=token)

    def _explain(self, work: Work, waiting: Waiting, letter: Letter, now: datetime) -> None:
        """Tell the sender of an unreadable mail, if we know him."""
        person = work.people.by_address(letter.sender) if letter.sender else None
        if person is None:
            return
        told = notice(NoticeKind.UNREADABLE, person.language, subject=letter.subject, defect=letter.defect)
        self._send(work, LetterKind.REPLY, person.address, told, waiting, letter, now)

    def _set_aside(self, waiting: Waiting, reason: str) -> None:
        """Put a mail that cannot be worked where it does no harm, and say so."""
        now = self.clock()
        try:
            with self.store.work() as work:
                work.inbox.set_aside(waiting.id, reason)
                if self.config.judge.operator:
                    language = Language(self.config.judge.language)
                    told = notice(NoticeKind.SET_ASIDE_MASTER, language, inbox=waiting.id, reason=reason)
                    about = About(f"set aside {waiting.id} at {now.isoformat()}")
                    outgoing = self.desk.write(LetterKind.NOTICE, self.config.judge.operator, told, about, now)
                    work.outbox.queue(outgoing, about, now)
                work.commit()
        except ConflictError:
            log.info("mail was worked by somebody else", mail=waiting.id)
            return
        # Only now: to read it may be what ends us.
        with self.store.work() as work:
            letter = self.reader.read(waiting.raw)
            person = work.people.by_address(letter.sender) if letter.kind is MailKind.PERSON else None
            if person is not None:
                told = notice(NoticeKind.SET_ASIDE, person.language, subject=letter.subject)
                # Its own key: the reply is still to come, should the mail be replayed.
                about = About(f"set aside {waiting.id}, to its sender, at {now.isoformat()}", inbox=waiting.id)
                outgoing = self.desk.write(LetterKind.REPLY, person.address, told, about, now)
                work.outbox.queue(_in_answer_to(letter, outgoing), about, now)
                work.commit()

    def _send(
        self,
        work: Work,
        kind: LetterKind,
        recipient: str,
        told: Rendered,
        waiting: Waiting,
        letter: Letter,
        now: datetime,
        *,
        confirm: str | None = None,
    ) -> None:
        about = About(f"{kind.value} to mail {waiting.id}", inbox=waiting.id)
        reply_to = reply_address(self.desk.address, "confirm", confirm) if confirm else None
        outgoing = replace(self.desk.write(kind, recipient, told, about, now), reply_to=reply_to)
        work.outbox.queue(_in_answer_to(letter, outgoing), about, now)

    def _may_answer(self, work: Work, sender: Sender, waiting: Waiting, letter: Letter, now: datetime) -> bool:
        """Whether another answer to this address is within its limit; one notice, then silence ends every loop."""
        limit = _MOST_ANSWERS_AN_HOUR[sender.is_proved]
        answered = work.outbox.count_to(sender.address, now - timedelta(hours=1), proved=sender.is_proved)
        if answered == limit:
            language = sender.person.language if sender.person else _language_of(letter, self.config)
            told = notice(NoticeKind.LIMIT, language, limit=limit, worked=sender.is_proved)
            self._send(work, LetterKind.REPLY, sender.address, told, waiting, letter, now)
        return answered < limit

    def _settle_held(
        self,
        work: Work,
        held: int,
        answer: Consent,
        waiting: Waiting,
        letter: Letter,
        sender: Sender,
        now: datetime,
        *,
        has_more: bool,
    ) -> None:
        """Do what the answer to a request for confirmation says about the mail that was held."""
        match answer:
            case Consent.YES:
                log.info("mail confirmed", mail=held, by=waiting.id)
                work.inbox.confirm(held)
            case Consent.NO:
                log.info("mail disowned", mail=held, by=waiting.id)
                work.inbox.disown(held)
            case Consent.UNCLEAR if has_more:
                pass
            case Consent.UNCLEAR:
                # Once for each mail held: the answer may come from a robot.
                language = sender.person.language if sender.person else _language_of(letter, self.config)
                told = notice(NoticeKind.UNCLEAR, language, subject=letter.subject)
                about = About(f"unclear answer about mail {held}", inbox=waiting.id)
                outgoing = self.desk.write(LetterKind.CONFIRM, letter.sender, told, about, now)
                reply_to = reply_address(self.desk.address, "confirm", self._confirm_token(held))
                outgoing = replace(outgoing, reply_to=reply_to, in_reply_to=letter.message_id)
                work.outbox.queue(outgoing, about, now)


def _context(game: Game | None, sender: Sender) -> Context:
    if game is None:
        return Context(load_map())
    powers = tuple(seat.power for seat in game.seats_of(sender.person.id)) if sender.person else ()
    return Context(load_map(game.settings.map), game.position, powers, game.settings.rules)


def _in_answer_to(letter: Letter, outgoing: Outgoing) -> Outgoing:
    """The mail in the thread of the one it answers."""
    references = (letter.message_id,) if letter.message_id else ()
    return replace(outgoing, in_reply_to=letter.message_id, references=references)


def _is_order(request: Command) -> bool:
    return isinstance(request, Give | ForPhase | ForPower)


def _lines_of(sent: SentLetter | None) -> Sequence[str]:
    return sent.text.splitlines() if sent is not None else ()


def _language_of(letter: Letter, config: Config) -> Language:
    """A stranger's language: Japanese if he writes it, else the judge's own."""
    text = letter.own_text + letter.subject + letter.sender_name
    if any("\u3040" <= character <= "\u30ff" or "\u4e00" <= character <= "\u9fff" for character in text):
        return Language.JAPANESE
    return Language(config.judge.language)


def _stranger(letter: Letter, config: Config) -> Person:
    return Person(PersonId(0), letter.sender, "", _language_of(letter, config))
