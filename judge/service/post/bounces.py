"""Mail of ours that did not arrive: who has to know, and when an address gets no more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import structlog

from judge.commands import Language
from judge.config import Config
from judge.games import Game, GameState, Person, PersonId
from judge.mail.bounces import permanent_failure, without_address
from judge.mail.letters import LetterKind
from judge.reports import NoticeKind, Rendered, notice
from judge.service.post.letters import LetterWriter, about_a_report
from judge.storage import LetterTags, Waiting, Work, Written

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Bounces:
    """Takes note of mail that did not arrive, and tells whoever has to know."""

    writer: LetterWriter
    config: Config

    def heed(self, work: Work, mail: Waiting, id_: int, now: datetime) -> Written | None:
        """The letter that a mail brought back, if it came back for good."""
        failure = permanent_failure(mail.raw.content)
        if failure is None:
            return None
        log.warning("mail bounced", letter=id_, mail=mail.id)
        letter = work.outbox.bounced(id_, failure.said)
        if letter is None:
            return work.outbox.get(id_)
        address = letter.letter.recipient
        is_suspended = work.outbox.count_bounce(address, mail.raw.received_at.date())
        self.tell(work, letter, failure.said, f"mail {mail.id}", now, is_suspended=is_suspended)
        if is_suspended:
            log.warning("address suspended", letter=id_)
            rendered = notice(NoticeKind.SUSPENDED, self._language, address=address, reason=failure.said)
            self._tell_operator(work, rendered, address, f"suspended by mail {mail.id}", now)
        return letter

    def tell(
        self, work: Work, letter: Written, said: str, cause: str, now: datetime, *, is_suspended: bool = False
    ) -> None:
        """Tell the master of the game, or of all games of a person who gets no more mail; `cause` is told once."""
        names = {letter.game} if letter.game else set()
        if letter.person is not None and (is_suspended or not names):
            names |= set(work.games.of_person(letter.person))
        for game in filter(None, map(work.games.get, sorted(names))):
            self._tell_master(work, game, letter, said, cause, now, is_suspended=is_suspended)

    def _tell_master(
        self, work: Work, game: Game, letter: Written, said: str, cause: str, now: datetime, *, is_suspended: bool
    ) -> None:
        master = work.people.many([game.master])[game.master]
        address = letter.letter.recipient
        key = f"undelivered {letter.id} {game.name} {cause}"
        person = _reader(work, letter)
        secret = game.settings.anonymous and game.state is not GameState.FINISHED and master.id not in game.referees
        # The subject of an answer is the player's own, and his affair; that of press tells who writes to whom.
        told = (LetterKind.REPORT, LetterKind.NOTICE)
        subject = letter.letter.subject if letter.letter.kind in told and not secret else ""
        if master.address == address:
            kind = NoticeKind.UNDELIVERED_OPERATOR
            rendered = notice(
                kind, self._language, game=game.name, person=person.name, address=address, subject=subject, reason=said
            )
            self._tell_operator(work, rendered, address, key, now)
            return
        seats = () if secret else game.seats_of(person.id)
        rendered = notice(
            NoticeKind.UNREACHABLE if is_suspended else NoticeKind.UNDELIVERED,
            master.language,
            game=game.name,
            person=person.name,
            power=seats[0].power if seats else None,
            subject=subject,
            reason=without_address(said, address),
        )
        tags = LetterTags(key, person=master.id, game=game.name)
        notice_ = self.writer.write(LetterKind.NOTICE, master.address, rendered, tags, now, game)
        work.outbox.queue(about_a_report(work, notice_, game, master.id), tags, now)

    @property
    def _language(self) -> Language:
        return Language(self.config.judge.language)

    def _tell_operator(self, work: Work, rendered: Rendered, undelivered: str, key: str, now: datetime) -> None:
        operator = self.config.judge.operator
        if operator and operator.lower() != undelivered.lower():
            tags = LetterTags(f"{key}, to the operator")
            work.outbox.queue(self.writer.write(LetterKind.NOTICE, operator, rendered, tags, now), tags, now)


def _reader(work: Work, letter: Written) -> Person:
    """Who did not get the letter."""
    address = letter.letter.recipient
    known = work.people.many([letter.person]) if letter.person is not None else {}
    return next(iter(known.values()), None) or Person(PersonId(0), address, address)
