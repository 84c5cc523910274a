"""The desk of a master: one morning letter about all their games."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from judge.calendar.clocks import first_moment
from judge.games import Game, Person, PersonId
from judge.games.matters import joined_since, requests
from judge.games.sight import seen_by
from judge.mail.letters import LetterKind
from judge.mail.proof import reply_address
from judge.reports.desk import OnDesk, desk_letter
from judge.rules.map import is_readable
from judge.service.post.letters import LetterWriter
from judge.service.talk.gathering import held_mails
from judge.storage import LetterTags, Work

_MORNING = time(8)
_DAY = timedelta(days=1)


def last_morning(zone: str, now: datetime) -> datetime:
    """Return when it was last eight o'clock in a zone."""
    place = ZoneInfo(zone)
    today = now.astimezone(place).date()
    at = first_moment(datetime.combine(today, _MORNING), place)
    return at if at <= now else first_moment(datetime.combine(today - _DAY, _MORNING), place)


def write_to_master(work: Work, writer: LetterWriter, master: Person, zone: str, now: datetime) -> bool:
    """Queue the morning letter to a master.

    Return False if nothing waits for the master, or today's letter is queued already.
    """
    tags = LetterTags(f"desk of {master.id} on {now.astimezone(ZoneInfo(zone)).date()}", person=master.id)
    if work.outbox.is_queued(tags.key):
        return False
    names = (*work.games.of_person(master.id), *work.games.objected_to(master.id))
    games = [one for one in work.games.many(names) if _is_run_by(one, master)]
    concerned = {id_ for game in games for id_ in _concerned(game, master, now)}
    on_desk = [OnDesk(seen_by(game, master.id), _address(writer, game, master)) for game in games]
    held = held_mails(work, writer, master, zone, now)
    rendered = desk_letter(on_desk, held, master, work.people.many(concerned), now)
    if rendered is None:
        return False
    work.outbox.queue(writer.write(LetterKind.NOTICE, master.address, rendered, tags, now), tags, now)
    return True


def _is_run_by(game: Game, master: Person) -> bool:
    return master.id in game.masters and not game.is_sandbox and is_readable(game.settings.map)


def _concerned(game: Game, master: Person, now: datetime) -> list[PersonId]:
    """Return the people whom the letter names."""
    return [*joined_since(game, now - _DAY), *(one.person for one in requests(game, master.id))]


def _address(writer: LetterWriter, game: Game, master: Person) -> str:
    """Return the secret address at which the master writes to the game."""
    return reply_address(writer.address, game.name, writer.reply_token(game, master.id))
