"""Mails, letters and records are small in the database, and come back unchanged.

This holds for every form in which they are stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, insert, select, update

from judge.commands import Create, Language
from judge.games import Handled, create
from judge.games.person import Person
from judge.mail.letters import Attachment, LetterKind, Outgoing, RawMail
from judge.storage import Arrived, LetterTags, Looked, OutboxState, Store
from judge.storage import tables as t
from judge.storage.packing import pack, unpack
from judge.storage.store import Work
from tests.database import url_in_memory

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ROWS = "".join(f"<tr><td>Unit {number} went to province {number * 7}</td></tr>\n" for number in range(120))
PICTURE = bytes(range(256))


@pytest.fixture
def store() -> Iterator[Store]:
    """Yield a database of its own."""
    opened = Store.open(url_in_memory())
    yield opened
    opened.close()


def letter_to(number: int, rows: str = ROWS) -> Outgoing:
    """Return a report that differs from others only in its reader's name."""
    return Outgoing(
        kind=LetterKind.REPORT,
        recipient=f"reader-{number}@players.test",
        sender="judge@localhost",
        reply_to=None,
        subject="[ardennes] 1901年春",
        text=f"Player {number}\n{rows}",
        message_id=f"letter-{number}@localhost",
        date=NOW,
        html=f"<p>Reader {number}, 拝啓</p>\n{rows}",
        attachments=(Attachment("map.png", "image/png", PICTURE), Attachment("a.json", "application/json", b"{}\n")),
    )


def queue(work: Work, *letters: Outgoing) -> list[Person]:
    """Queue letters in one unit of work; return their recipients."""
    readers = []
    for number, letter in enumerate(letters):
        reader = work.people.add(letter.recipient, f"Reader {number}", Language.ENGLISH, "UTC")
        work.outbox.queue(letter, LetterTags(letter.message_id, person=reader.id, game="ardennes"), NOW)
        readers.append(reader)
    return readers


def stored(work: Work) -> list[Outgoing]:
    """Return all letters as they come back."""
    numbers = work.connection.execute(select(t.outbox.c.id).order_by(t.outbox.c.id)).scalars()
    return [written.letter for number in numbers if (written := work.outbox.get(number))]


def count_of_bases(work: Work) -> int:
    return int(work.connection.execute(select(func.count()).select_from(t.shared)).scalar_one())


@given(st.binary() | st.binary().map(lambda rest: b"\0z1" + rest), st.binary(max_size=99) | st.just(ROWS.encode() * 9))
def test_whatever_is_packed_comes_back(content: bytes, base: bytes) -> None:
    assert unpack(pack(content, base), base) == content


def test_what_was_stored_before_anything_was_packed_is_read_as_it_is() -> None:
    assert unpack(b"From: ada@players.test\r\n\r\nA Par - Bur\r\n") == b"From: ada@players.test\r\n\r\nA Par - Bur\r\n"


def test_a_mail_takes_less_room_and_comes_back(store: Store) -> None:
    content = b"From: ada@players.test\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nA Par - Bur\r\n" * 3
    with store.work() as work:
        number = work.inbox.keep(Arrived(RawMail(content, "test", NOW, None, ()), "one", None))
        work.commit()
    assert number is not None
    with store.work() as work:
        received = work.inbox.get(number)
        lies_there = work.connection.execute(select(func.length(t.inbox.c.content))).scalar_one()
    assert received is not None
    assert received.raw.content == content
    assert lies_there < len(content) / 2


@pytest.mark.parametrize("readers", [1, 2, 3, 8])
def test_letters_of_one_unit_of_work_share_what_they_have_in_common(store: Store, readers: int) -> None:
    letters = [letter_to(number) for number in range(readers)]
    with store.work() as work:
        queue(work, *letters)
        work.commit()
    with store.work() as work:
        assert stored(work) == letters
        assert [queued.letter for queued in work.outbox.lease(NOW, 9, HOUR)] == letters
        assert count_of_bases(work) == (1 if readers > 1 else 0)


def test_what_is_shared_stands_in_letters_to_two_people(store: Store) -> None:
    with store.work() as work:
        queue(work, letter_to(1), letter_to(2), letter_to(3))
        base = unpack(work.connection.execute(select(t.shared.c.content)).scalar_one()).decode("utf-8", "replace")
    assert "Unit 7 went" in base
    assert "Reader" not in base
    assert "reader-" not in base


def test_letters_to_one_person_or_of_two_kinds_share_nothing(store: Store) -> None:
    first, other = letter_to(1), letter_to(2, rows=ROWS.replace("Unit", "Fleet"))
    again = replace(first, message_id="again@localhost")
    with store.work() as work:
        queue(work, first, other)
        work.outbox.queue(again, LetterTags("again"), NOW)
        assert stored(work) == [first, other, again]
        assert count_of_bases(work) == 0


def test_letters_in_two_languages_lean_on_a_base_each_though_a_short_line_follows_their_longest(store: Store) -> None:
    rows = {language: f"{word * 900}\nGood luck!\n" for language, word in (("en", "Spring "), ("ja", "はる　"))}
    letters = [letter_to(number, rows[language]) for number, language in enumerate(("en", "ja") * 3)]
    with store.work() as work:
        queue(work, *letters)
        assert stored(work) == letters
        assert count_of_bases(work) == len(rows)


def test_what_one_forgets_the_others_keep(store: Store) -> None:
    letters = [letter_to(number) for number in range(3)]
    with store.work() as work:
        readers = queue(work, *letters)
        work.connection.execute(update(t.outbox).values(state=OutboxState.SENT.value))
        work.outbox.redact(readers[0].id, readers[0].address)
        gone, *kept = stored(work)
    assert (gone.text, gone.html, gone.attachments) == ("", None, ())
    assert kept == letters[1:]


def test_what_is_shared_goes_with_the_last_letter_that_leans_on_it(store: Store) -> None:
    with store.work() as work:
        queue(work, letter_to(1), letter_to(2))
        work.connection.execute(update(t.outbox).where(t.outbox.c.id == 1).values(state=OutboxState.SENT.value))
        work.redact(NOW + HOUR, Looked())
        assert (count_of_bases(work), stored(work)[1]) == (1, letter_to(2))
        work.connection.execute(update(t.outbox).values(state=OutboxState.SENT.value))
        work.redact(NOW + HOUR, Looked())
        assert count_of_bases(work) == 0
        assert [(letter.text, letter.html) for letter in stored(work)] == [("", None)] * 2


def test_a_letter_from_before_is_read_and_emptied(store: Store) -> None:
    written = {
        "date": NOW.isoformat(),
        "sender": "judge@localhost",
        "subject": "old",
        "html": "<p>old</p>",
        "attachments": [["a.txt", "text/plain", "b2xk"]],
    }
    with store.work() as work:
        queue(work, letter_to(1))
        columns = {"letter": json.dumps(written), "body": "as it was\n", "packed": None}
        work.connection.execute(update(t.outbox).values(**columns))
        (letter,) = stored(work)
        assert (letter.text, letter.html, letter.attachments) == (
            "as it was\n",
            "<p>old</p>",
            (Attachment("a.txt", "text/plain", b"old"),),
        )
        work.connection.execute(update(t.outbox).values(state=OutboxState.SENT.value))
        work.redact(NOW + HOUR, Looked())
        assert [(letter.text, letter.html, letter.sender) for letter in stored(work)] == [("", None, "judge@localhost")]


def test_mails_and_letters_are_told_to_whom_they_are_about(store: Store) -> None:
    with store.work() as work:
        _, reader = queue(work, letter_to(1), letter_to(2))
        work.inbox.keep(Arrived(RawMail(b"Subject: one\r\n\r\nA Par - Bur\r\n", "test", NOW, None, ()), "one", None))
        work.connection.execute(update(t.inbox).values(person=reader.id))
        data = work.data_of(reader)
    assert [mail["content"] for mail in data["mails from you"]] == ["Subject: one\r\n\r\nA Par - Bur\r\n"]
    assert [mail["body"] for mail in data["mails to you"]] == [letter_to(2).text]


def test_a_record_from_before_is_read(store: Store) -> None:
    with store.work() as work:
        made = create(Create("ardennes"), work.people.add("m@players.test", "M", Language.ENGLISH, "UTC").id)
        assert isinstance(made, Handled)
        work.games.add(made.game)
        row = {"game": "ardennes", "phase": "S1901M", "closed_at": NOW, "record": '{"old": 1}', "place": 0}
        work.connection.execute(insert(t.history).values(undone=0, **row))
        work.records.put("ardennes", "F1901M", NOW, '{"new": "年"}')
        assert [dict(closed.record) for closed in work.records.phases("ardennes")] == [{"old": 1}, {"new": "年"}]
