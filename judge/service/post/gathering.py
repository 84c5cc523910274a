"""Merging letters of one moment, and letters that wait (SET MAIL).

Letters wait for readers who want few mails.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate, groupby

from judge import commands as c
from judge.calendar import deadline
from judge.commands import Language, Mailing
from judge.commands.question import Question
from judge.games.events import (
    CoinTossed,
    Event,
    GameNews,
    MailboxShared,
    OfferRefused,
    Petitioned,
    PlayerLeft,
    Relayed,
    SeatShown,
    VoteTold,
)
from judge.games.person import Person, PersonId
from judge.games.rooms import Room
from judge.mail.letters import Attachment, LetterKind, Outgoing
from judge.reports.readers import Reader
from judge.reports.wording import wording_in
from judge.rules.position import Power
from judge.service.post.budgets import gathered_at, overspent
from judge.service.post.calendars import has_news_for
from judge.settings import TIMES, setting_named
from judge.storage import LetterTags, Work, Written

_LONGEST = timedelta(days=7)
"""The longest wait of a letter for a report: the game may stand still."""
_MOST_CONVERSATIONS = 7
_MOST_TOGETHER = 500_000
"""Characters of letters that are merged into one."""
_AT_ONCE = (
    *(c.Announce, c.DecideObjection, c.EndGame, c.HouseRules, c.Object, c.Pause, c.Redo, c.Resume, c.Rollback),
    c.Unstart,
)
_BODY = re.compile(r"(<body[^>]*>\n?)(.*)(</body>.*)", re.DOTALL)
_TITLE = re.compile(r"<h1[^>]*>.*?</h1>\n?", re.DOTALL)
_RULE = '<hr class="line" style="border:0;border-top:1px solid #c8c8cc;margin:20px 0">\n'
_TEXT_RULE = "\n* * *\n\n"


@dataclass(frozen=True, slots=True)
class Piece:
    """A letter that may be merged with others to the same reader."""

    letter: Outgoing
    tags: LetterTags
    reader: Reader
    may_wait: bool = False
    """Whether it may wait if its reader wants few mails."""
    may_be_gathered: bool = False
    """Whether it may wait for any reader when a budget is spent."""


def may_wait(event: Event, reader: Reader) -> bool:
    """Whether readers who want few mails may get the letter later.

    They may not if it moves a deadline, ends a game or concerns them.
    """
    match event:
        case Relayed(command=command):
            return not isinstance(command, _AT_ONCE)
        case GameNews(command=c.ChangeSetting(setting)):
            return setting_named(setting) not in (*TIMES, "update_type")
        case GameNews(command=command, person=person):
            return not (
                isinstance(command, _AT_ONCE) or person == reader.person.id or has_news_for(event, reader.person.id)
            )
        case PlayerLeft() | CoinTossed() | MailboxShared() | SeatShown():
            return True
        case _:
            return False


def may_be_gathered(event: Event, reader: Reader) -> bool:
    """Whether any reader may get the letter later when a budget is spent.

    Not if it moves a deadline or ends a game.
    """
    return may_wait(event, reader) or isinstance(event, Relayed | VoteTold | OfferRefused | Petitioned)


def queue_pieces(
    work: Work, pieces: Sequence[Piece], zones: Mapping[str, str], by: PersonId | None, now: datetime
) -> None:
    """Queue letters for now, or for later.

    Later is the time that a reader prefers, or when the letters caused by a person exceed a budget.
    """
    spare = {piece.reader.person.address for piece in pieces if piece.may_be_gathered}
    late = overspent(work, by, spare, now) if by is not None and spare else frozenset()
    for piece in pieces:
        until = _until(piece.reader.person, zones[piece.tags.game or ""], now) if piece.may_wait else None
        if until is None and piece.may_be_gathered and piece.reader.person.address in late:
            until = gathered_at(now)
        tags = replace(piece.tags, cause=by if piece.tags.person != by else None)
        work.outbox.queue(piece.letter, tags, now, until)


def _until(person: Person, zone: str, now: datetime) -> datetime | None:
    match person.preferences.mailing:
        case Mailing.ALL:
            return None
        case Mailing.REPORTS:
            return now + _LONGEST
        case Mailing.DIGEST:
            assert person.preferences.digest is not None
            return min(deadline(person.preferences.digest, now, person.zone or zone), now + _LONGEST)


def of_one_moment(pieces: Sequence[Piece]) -> list[Piece]:
    """Merge the letters to one reader about one game at one moment."""
    found: dict[object, list[Piece]] = {}
    for piece in pieces:
        found.setdefault((piece.tags.game, piece.reader.person.id), []).append(piece)
    return [_as_one(several) for several in found.values()]


def _as_one(several: Sequence[Piece]) -> Piece:
    if len(several) == 1:
        return several[0]
    letter = merged([piece.letter for piece in several], several[0].reader.person.language)
    may = all(piece.may_wait for piece in several), all(piece.may_be_gathered for piece in several)
    tags = replace(several[-1].tags, asks=_asked_once([piece.tags.asks for piece in several]))
    return replace(several[-1], letter=letter, tags=tags, may_wait=may[0], may_be_gathered=may[1])


def _asked_once(asked: Sequence[tuple[Question, ...]]) -> tuple[Question, ...]:
    """Return the question of several letters; none if they ask different things.

    A yes would answer both.
    """
    questions = [question for asks in asked for question in asks]
    same = {question.choices for question in questions}
    return tuple(sorted(questions, key=lambda one: not one.refusal)[:1]) if len(same) == 1 else ()


def merged(letters: Sequence[Outgoing], language: Language) -> Outgoing:
    """Merge letters into one: the subject of the first, the thread of the last."""
    first, last = letters[0], letters[-1]
    files: Mapping[str, Attachment] = {file.filename: file for letter in letters for file in letter.attachments}
    subject = wording_in(language).say_from("notices", "several", first.subject, len(letters) - 1)
    in_thread = last if first.in_reply_to is not None else first
    return replace(
        first,
        subject=subject,
        text=_TEXT_RULE.join(_without_title(letter.text, first.text) for letter in letters),
        html=_pages([letter.html for letter in letters if letter.html is not None]),
        attachments=tuple(files.values()),
        in_reply_to=in_thread.in_reply_to,
        references=in_thread.references,
    )


def merged_receipts(letters: Sequence[Outgoing], language: Language) -> Outgoing:
    """Merge receipts into the last one, which tells the state of the game for all."""
    *earlier, last = letters
    if not earlier:
        return replace(last, brief=None)
    briefs = [one.brief if one.brief is not None else (one.text, one.html or "") for one in earlier]
    texts = [text for text in (*(text for text, _ in briefs), last.text) if text]
    files = {file.filename: file for letter in letters for file in letter.attachments}
    answered = dict.fromkeys(one for letter in letters for one in letter.references if one != last.in_reply_to)
    return replace(
        last,
        subject=wording_in(language).say_from("notices", "several", last.subject, len(earlier)),
        text=_TEXT_RULE.join(f"{text.rstrip()}\n" for text in texts),
        html=_pages([html for html in (*(html for _, html in briefs), last.html) if html]),
        attachments=tuple(files.values()),
        references=(*answered, *((last.in_reply_to,) if last.in_reply_to is not None else ())),
        brief=None,
    )


def _pages(pages: Sequence[str]) -> str | None:
    """Merge HTML pages into one."""
    found = [match for page in pages if (match := _BODY.search(page))]
    if not found:
        return None
    head = found[0].string[: found[0].start()]
    title = _TITLE.match(found[0][2])
    rest = [match[2].removeprefix(title[0]) if title is not None else match[2] for match in found[1:]]
    return head + found[0][1] + _RULE.join([found[0][2], *rest]) + found[0][3]


def _without_title(text: str, first: str) -> str:
    """Return a letter's text; without its title line if the first letter has the same."""
    title, blank, rest = text.partition("\n\n")
    return rest if blank and text is not first and first.startswith(f"{title}\n\n") else text


def queue_with_what_waits(work: Work, letter: Outgoing, tags: LetterTags, language: Language, now: datetime) -> None:
    """Queue a receipt for now, merged with those that wait.

    Merged are receipts to the same reader about the same game.
    """
    waiting = work.outbox.waiting_receipts(letter.recipient, tags.game) if not work.outbox.is_queued(tags.key) else ()
    if sum(map(_size, waiting)) > _MOST_TOGETHER:
        waiting = ()
    work.outbox.queue(merged_receipts([*(one.letter for one in waiting), letter], language), tags, now)
    work.outbox.left_with([one.id for one in waiting], tags.key)


def _size(written: Written) -> int:
    return len(written.letter.text) + len(written.letter.html or "")


def gather_due(work: Work, now: datetime) -> None:
    """Release letters that have waited long enough.

    They are merged per game, and per press conversation.
    """
    waiting = work.outbox.waiting(now)
    if not waiting:
        return
    people = work.people.many(one.person for one in waiting if one.person is not None)
    for batch in _batches(waiting):
        person = people.get(batch[0].person) if batch[0].person is not None else None
        language = person.language if person else Language.ENGLISH
        ids, letters = [one.id for one in batch], [one.letter for one in batch]
        if letters[0].kind is LetterKind.REPLY:
            work.outbox.gather_receipts(ids, merged_receipts(letters, language), now)
        else:
            work.outbox.gather(ids, merged(letters, language) if len(batch) > 1 else letters[0], now)


def _batches(waiting: Sequence[Written]) -> Iterator[Sequence[Written]]:
    """Yield batches of letters to merge, no larger than a mail may be.

    If a reader has many conversations of a game waiting, those of the same parties about several topics are one
    batch.
    """
    keys = [(one.letter.recipient, one.game, _conversation(one.letter)) for one in waiting]
    conversations = Counter((recipient, game) for recipient, game, _ in set(keys))
    batches: dict[object, list[Written]] = {}
    for key, one in zip(keys, waiting, strict=True):
        is_crowded = conversations[key[:2]] > _MOST_CONVERSATIONS
        batches.setdefault((*key[:2], (is_crowded and _parties(one.letter)) or key[2]), []).append(one)
    for batch in batches.values():
        ends = accumulate(map(_size, batch))
        for _, some in groupby(zip(ends, batch, strict=True), lambda one: one[0] // _MOST_TOGETHER):
            yield [one for _, one in some]


def _parties(letter: Outgoing) -> tuple[Power, ...]:
    """Return the members of a conversation, if a reply reaches all of them."""
    return Room.parse(letter.room).powers if letter.room and not letter.attachments else ()


def _conversation(letter: Outgoing) -> str:
    """Return a key of the conversation.

    Press is merged only with press of its own conversation. Press with pictures is not merged at all.
    """
    if letter.kind is not LetterKind.PRESS:
        return letter.kind.value if letter.kind is LetterKind.REPLY else ""
    if letter.attachments:
        return letter.message_id
    return letter.references[0] if letter.references else letter.message_id
