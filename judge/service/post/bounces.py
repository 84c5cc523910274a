"""Our mail that did not arrive: telling people, and suspending addresses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import structlog

from judge.commands import Language
from judge.config import Config
from judge.errors import Against
from judge.games import Game, GameState, Person, PersonId
from judge.mail.bounces import permanent_failure, without_address
from judge.mail.letters import LetterKind, Outgoing, Picture
from judge.mail.replies import Stage, against
from judge.reports.naming import named
from judge.reports.readers import NoticeKind, Rendered
from judge.reports.render import notice
from judge.reports.wording import wording_for
from judge.service.post.letters import LetterWriter, about_a_report
from judge.service.post.retrying import GIVE_UP_AFTER, pause_after
from judge.storage import LetterTags, Waiting, Work, Written

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Bounces:
    """Records mail that did not arrive, and tells masters and operator."""

    writer: LetterWriter
    config: Config

    def heed(self, work: Work, mail: Waiting, id_: int, now: datetime) -> Written | None:
        """Record a bounce.

        Return the letter it is about, or None if delivery may still succeed.
        """
        failure = permanent_failure(mail.raw.content)
        if failure is None:
            return None
        log.warning("mail bounced", letter=id_, mail=mail.id)
        whom = against(Stage.RETURNED, failure.said)
        if whom is Against.US and self._goes_again(work, id_, failure.said, now):
            return work.outbox.get(id_)
        letter = work.outbox.bounced(id_, failure.said)
        if letter is None:
            return work.outbox.get(id_)
        whom = Against.RECIPIENT if whom is Against.NOBODY else whom  # the bounce is final, with or without a code
        self.lost(work, letter, (whom, failure.said), f"mail {mail.id}", mail.raw.received_at)
        return letter

    def _goes_again(self, work: Work, id_: int, said: str, now: datetime) -> bool:
        """Retry a letter that was returned because of us.

        Return False if it is too late for that.
        """
        letter = work.outbox.get(id_)
        if letter is None or not letter.state.can_bounce or now - letter.queued_at > GIVE_UP_AFTER:
            return False
        work.outbox.deferred(id_, now + pause_after(letter.attempts), said)
        self.refused_us(work, letter.letter, said, now)
        return True

    def refused_us(self, work: Work, letter: Outgoing, said: str, now: datetime) -> None:
        """Tell the operator that a server accepts no mail from here.

        This is told once a day for each domain.
        """
        log.warning("mail refused because of us", domain=letter.domain, reason=said)
        rendered = notice(NoticeKind.REFUSED, self._language, domain=letter.domain, reason=said)
        self._tell_operator(work, rendered, letter.recipient, f"refused at {letter.domain} on {now.date()}", now)

    def lost(self, work: Work, letter: Written, why: tuple[Against, str], cause: str, at: datetime) -> None:
        """Record a permanent failure, and tell the masters.

        It counts against the address if the address is the cause.
        """
        whom, said = why
        address = letter.letter.recipient
        is_suspended = whom is Against.RECIPIENT and work.outbox.count_bounce(address, at.date())
        self._tell_masters(work, letter, said, cause, at, is_suspended=is_suspended)
        if is_suspended:
            log.warning("address suspended", letter=letter.id)
            rendered = notice(NoticeKind.SUSPENDED, self._language, address=address, reason=said)
            self._tell_operator(work, rendered, address, f"suspended by {cause}", at)

    def _tell_masters(
        self, work: Work, letter: Written, said: str, cause: str, now: datetime, *, is_suspended: bool
    ) -> None:
        """Tell the masters, once for each `cause`.

        They are the master of the letter's game, and of all the person's games if the address is suspended or the
        letter is about no game.
        """
        names = {letter.game} if letter.game else set()
        if letter.person is not None and (is_suspended or not names):
            names |= set(work.games.of_person(letter.person))
        for game in filter(None, map(work.games.get, sorted(names))):
            self._tell_master(work, game, letter, said, cause, now, is_suspended=is_suspended)

    def tell_of_missing_picture(
        self, work: Work, picture: Picture, letter: Written, reason: str, now: datetime
    ) -> None:
        """Tell the operator that letters go without a picture, once per picture.

        For a report, the game's master is told too. The master is not told of other letters: a player's questions and
        orders are private.
        """
        is_report = letter.letter.kind is LetterKind.REPORT
        key, name = f"no picture {picture.cid}", letter.game or ""
        game = work.games.get(name) if name and is_report else None
        values = {"game": name, "subject": letter.letter.subject if is_report else "", "reason": reason}
        if game is not None:
            master = work.people.many([game.master])[game.master]
            rendered = notice(NoticeKind.NO_PICTURE, master.language, **values)
            tags = LetterTags(key, person=master.id, game=game.name)
            work.outbox.queue(
                self.writer.write(LetterKind.NOTICE, master.address, rendered, tags, now, game), tags, now
            )
        self._tell_operator(work, notice(NoticeKind.NO_PICTURE, self._language, **values), "", key, now)

    def _tell_master(
        self, work: Work, game: Game, letter: Written, said: str, cause: str, now: datetime, *, is_suspended: bool
    ) -> None:
        master = work.people.many([game.master])[game.master]
        address = letter.letter.recipient
        key = f"undelivered {letter.id} {game.name} {cause}"
        person = _reader(work, letter)
        person = named({person.id: person}, game, wording_for(master, game.settings.map))[person.id]
        secret = game.settings.anonymous and game.state is not GameState.FINISHED and master.id not in game.referees
        # The subject of an answer is private to the player. That of press tells who writes to whom.
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
    """Return the person who did not get the letter."""
    address = letter.letter.recipient
    known = work.people.many([letter.person]) if letter.person is not None else {}
    return next(iter(known.values()), None) or Person(PersonId(0), address, address)
