"""REPORT: pass a letter of press on to a master or the operator.

They get it as the judge sent it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from judge import commands as c
from judge.games import Game, GameState, Person, PersonId, refusals
from judge.games.answers import Answer, Done
from judge.games.refusals import Refused
from judge.games.request import table
from judge.mail.letters import LetterKind
from judge.reports.columns import unfolded
from judge.reports.naming import named
from judge.reports.readers import NoticeKind
from judge.reports.render import notice
from judge.reports.wording import wording_in
from judge.service.talk.handling import MailHandling
from judge.service.talk.request import MailRequest, on
from judge.service.talk.senders import letter_answered
from judge.storage import LetterTags, SentLetter, Written

_MOST_A_DAY = 20


def report(asked: MailRequest[c.Report]) -> Answer:
    """Send a letter that the sender received to a master without a seat.

    Without such a master it goes to the operator. The writer of the letter is not told.
    The letter is shown as it is stored, whatever the report quotes.
    """
    handling = asked.handling
    sent = letter_answered(handling.work, handling.writer, handling.letter)
    if sent is None or sent.game is None or not _is_theirs(handling, sent):
        return Refused(refusals.NotReported())
    found, game = handling.work.outbox.with_writers(sent.message_id), handling.work.games.get(sent.game)
    if found is None or game is None:
        return Refused(refusals.NotReported())
    letter, writers = found
    if not letter.letter.text.strip():
        return Refused(refusals.NotReported(is_forgotten=True))
    by = f"report by {handling.person.id} "
    key = f"{by}of {letter.letter.message_id}"
    if handling.work.outbox.is_queued(key):
        return Done(asked.command, about="again")
    if handling.work.outbox.count_keyed(by, handling.now - timedelta(days=1)) >= _MOST_A_DAY:
        return Refused(refusals.TooManyReports(_MOST_A_DAY))
    judge = _judge_of(handling, game, writers)
    if judge is None and not handling.config.judge.operator:
        return Refused(refusals.NobodyToReportTo())
    _pass_on(handling, game, letter, judge, asked.command.reason, key)
    return Done(asked.command, about="operator" if judge is None else "")


def _is_theirs(handling: MailHandling, sent: SentLetter) -> bool:
    return sent.kind is LetterKind.PRESS and handling.is_registered and sent.person == handling.person.id


def _judge_of(handling: MailHandling, game: Game, writers: frozenset[PersonId]) -> Person | None:
    """Return the first master who neither plays, nor reports the letter, nor wrote it.

    A master who wrote any part of the letter is left out.
    """
    apart = [one for one in game.referees if one not in (*writers, handling.person.id)]
    return handling.work.people.many(apart[:1])[apart[0]] if apart else None


def _pass_on(handling: MailHandling, game: Game, letter: Written, judge: Person | None, reason: str, key: str) -> None:
    reporter, config = handling.person, handling.config.judge
    language = judge.language if judge is not None else c.Language(config.language)
    name = named({reporter.id: reporter}, game, wording_in(language))[reporter.id].name
    seats = game.seats_of(reporter.id)
    rendered = notice(
        NoticeKind.REPORTED,
        language,
        said=unfolded(letter.letter.text),
        game=game.name,
        person=name,
        power=seats[0].power if seats else None,
        address="" if judge is not None else reporter.mailboxes[0],
        number=letter.id,
        sent=letter.letter.date,
        zone=(judge.zone if judge is not None else "") or game.settings.zone,
        reason=reason.splitlines(),
        is_over=game.state is GameState.FINISHED,
    )
    tags = LetterTags(key, person=judge.id if judge is not None else None, game=game.name, cause=reporter.id)
    to, writer = judge.address if judge is not None else config.operator, handling.writer
    outgoing = writer.write(LetterKind.NOTICE, to, rendered, tags, handling.now, game if judge is not None else None)
    outgoing = replace(outgoing, attachments=letter.letter.attachments)
    handling.work.outbox.queue(outgoing, tags, handling.now)


HANDLERS = table(on(c.Report, report))
