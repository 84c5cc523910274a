"""Several judges share one PostgreSQL without waiting for dead ones.

Each mail is worked once, and each letter leaves once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from threading import Barrier

import pytest

from judge.commands import Language
from judge.errors import ConflictError, ResourceError
from judge.games.game import Game, GameState, Seat
from judge.games.person import PersonId
from judge.games.terms import Settings
from judge.mail.letters import LetterKind, Outgoing, RawMail
from judge.rules import load_map
from judge.storage import Arrived, LetterTags, ProcessLocks, Store
from tests.database import change, only_postgresql, url_of
from tests.house import EVERYBODY, ORDERS, POWERS, House, end
from tests.wire import PATIENCE_SECONDS, wait_until

pytestmark = only_postgresql
NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return url_of(tmp_path)


@pytest.fixture
def judges(url: str) -> Iterator[tuple[Store, Store]]:
    """Yield the stores of two live judges."""
    first, second = Store.open(url), Store.open(url)
    first.beat()
    second.beat()
    yield first, second
    first.close()
    second.close()


def kept(store: Store, *senders: str) -> list[int | None]:
    raw = RawMail(b"Subject: x\n\ny", "test", NOW, None, ())
    return store.keep_all([Arrived(raw, f"mail {place}", None, sender) for place, sender in enumerate(senders)])


def taken(store: Store) -> int | None:
    """Take up a mail; return its number."""
    with store.work() as work:
        waiting = work.inbox.next(NOW)
        if waiting is not None and not waiting.begun:
            work.inbox.begin(waiting.id)
        work.commit()
    return waiting.id if waiting is not None else None


def queued(store: Store, *recipients: str) -> None:
    with store.work() as work:
        for to in recipients:
            letter = Outgoing(LetterKind.NOTICE, to, f"<{to}>", NOW, "judge@x.test", None, "subject", "text")
            work.outbox.queue(letter, LetterTags(to), NOW)
            work.outbox.queue(letter, LetterTags(to), NOW)
        work.commit()


def leased(store: Store, now: datetime = NOW) -> list[int]:
    with store.work() as work:
        letters = work.outbox.lease(now, 1, HOUR)
        work.commit()
    return [letter.id for letter in letters]


def died(url: str, dead: Store, living: Store) -> None:
    """Make a judge count as dead, as another one notices with its next beat.

    It has not been heard of for an hour.
    """
    change(url, f"UPDATE worker SET seen = seen - interval '1 hour' WHERE name = '{dead.worker}'")
    living.beat()


def test_each_takes_another_mail_and_what_one_person_wrote_stays_in_order(judges: tuple[Store, Store]) -> None:
    first, second = judges
    ada, again, ben = kept(first, "ada@x.test", "ada@x.test", "ben@x.test")
    assert [taken(first), taken(second), taken(second)] == [ada, ben, ben]
    with first.work() as work:
        work.inbox.done(int(ada or 0), kind="person")
        work.commit()
    assert taken(first) == again


def test_what_the_living_have_taken_up_is_left_to_them_and_what_the_dead_had_is_suspected(
    url: str, judges: tuple[Store, Store]
) -> None:
    first, second = judges
    (mail,) = kept(first, "ada@x.test")
    assert taken(first) == mail
    assert taken(second) is None
    with second.work() as work:
        assert work.inbox.to_be_worked(int(mail or 0)) is None
    died(url, first, second)
    with second.work() as work:
        waiting = work.inbox.next(NOW)
        assert waiting is not None
        assert (waiting.id, waiting.begun) == (mail, True)


def test_a_mail_is_done_by_whoever_is_first(url: str, judges: tuple[Store, Store]) -> None:
    first, second = judges
    (mail,) = kept(first, "ada@x.test")
    taken(first)
    died(url, first, second)  # it was only slow
    taken(second)
    for store, ends in ((second, nullcontext()), (first, pytest.raises(ConflictError))):
        with ends, store.work() as work:
            work.inbox.done(int(mail or 0), kind="person")
            work.commit()


def test_letters_are_shared_out_and_only_those_of_the_dead_are_due_again(url: str, judges: tuple[Store, Store]) -> None:
    first, second = judges
    queued(first, "ada@x.test", "ben@x.test")
    (mine,), (theirs,) = leased(first), leased(second)
    assert mine != theirs
    died(url, second, first)
    with first.work() as work:
        work.outbox.end_leases(NOW)
        work.commit()
    assert [leased(first), leased(first)] == [[theirs], []]


def test_a_try_that_failed_for_two_counts_once(judges: tuple[Store, Store]) -> None:
    first, second = judges
    queued(first, "ada@x.test")
    with first.work() as work:
        (mine,) = work.outbox.lease(NOW, 1, HOUR)
        work.commit()
    with second.work() as work:
        (theirs,) = work.outbox.lease(NOW + HOUR, 1, HOUR)
        assert work.outbox.is_to_be_marked(theirs)
        work.outbox.deferred(theirs.id, NOW + HOUR, "busy")
        work.commit()
    with first.work() as work:
        assert not work.outbox.is_to_be_marked(mine)


def test_the_first_secret_is_one(judges: tuple[Store, Store]) -> None:
    both = Barrier(2)

    def ask(store: Store) -> bytes:
        with store.work() as work:
            both.wait(PATIENCE_SECONDS)
            secret = work.secret("seats")
            work.commit()
        return secret

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(ask, judges)
    assert first == second


def test_a_mail_that_comes_by_two_ways_at_once_is_stored_once(judges: tuple[Store, Store]) -> None:
    both = Barrier(2)

    def keep(store: Store) -> list[int | None]:
        both.wait(PATIENCE_SECONDS)
        return kept(store, *(f"{number}@x.test" for number in range(30)))

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(keep, judges)
    assert all((one is None) != (other is None) for one, other in zip(first, second, strict=True))


def test_who_is_late_with_the_same_phase_person_or_name_is_told_that_others_were_quicker(
    judges: tuple[Store, Store],
) -> None:
    first, second = judges
    with first.work() as work:
        gil = work.people.add("gil@x.test", "Gil", Language.ENGLISH, "UTC")
        work.games.add(a_game("ardennes", gil.id))
        work.commit()
    with first.work() as work:
        work.records.put("ardennes", "S1901M", NOW, "{}")
        with second.work() as late, pytest.raises(ConflictError):
            late.games.add(a_game("ardennes", gil.id))
        work.commit()
    with pytest.raises(ConflictError), second.work() as work:
        work.people.add("gil@x.test", "Gil", Language.ENGLISH, "UTC")


def a_game(name: str, master: PersonId) -> Game:
    map_ = load_map()
    return Game(name, Settings(), master, GameState.FORMING, map_.start(), tuple(Seat(power) for power in map_.powers))


def test_after_a_name_that_was_taken_the_unit_of_work_goes_on(judges: tuple[Store, Store]) -> None:
    first, _ = judges
    with first.work() as work:
        gil = work.people.add("gil@x.test", "Gil", Language.ENGLISH, "UTC")
        work.games.add(a_game("ardennes", gil.id))
        work.commit()
    with first.work() as work:
        work.people.add("ada@x.test", "Ada", Language.ENGLISH, "UTC")
        with pytest.raises(ConflictError):
            work.games.add(a_game("ardennes", gil.id))
        work.commit()
    with first.work() as work:
        assert work.people.by_address("ada@x.test") is not None


def test_those_who_work_share_their_task_and_who_wants_it_alone_waits_for_none(url: str) -> None:
    one, other, operator = ProcessLocks(url), ProcessLocks(url), ProcessLocks(url)
    one.claim("work", to_work=True)
    other.claim("work", to_work=True)
    with pytest.raises(ResourceError, match="another judge is running"):
        operator.claim("work")
    one.close()
    other.close()
    operator.claim("work")
    operator.close()


def test_three_judges_answer_every_mail_once_and_close_every_phase_once(tmp_path: Path) -> None:
    """One of them is killed while it works."""
    houses = shared_by_three(tmp_path)
    first, _, third = houses
    processes = [house.start() for house in houses]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline(), first.log()
        ids = first.open_game()
        wait_until(lambda: first.phase() == "S1901M")
        for turn in range(2):
            for place, (power, address) in enumerate(POWERS.items()):
                ids.append(houses[(place + turn) % 3].send(address, ORDERS[power][turn]))
        processes[2].kill()
        processes[2].wait()
        change(first.url, f"UPDATE worker SET seen = seen - interval '1 hour' WHERE name LIKE '%:{processes[2].pid}:%'")
        # Its Maildir will not be read again, and a phase waits for that unless the operator says so.
        change(first.url, f"DELETE FROM judge_reading WHERE mailbox LIKE '%{third.folder}/%'")
        ids += [first.send(address, "READY") for address in POWERS.values()]
        wait_until(lambda: first.rows("select phase from history") == [("S1901M",)] and first.is_quiet())
    finally:
        for process in processes:
            end(process)
    answered = Counter(mail for house in houses for mail in house.replies())
    assert sorted(answered) == sorted(ids), third.log()
    letters = {str(letter["Message-ID"]): letter for house in houses for letter in house.letters()}
    told = (mail for letter in letters.values() if is_reply(letter) for mail in str(letter["References"]).split())
    assert Counter(told) == Counter(ids)
    assert sum((house.results("ardennes S1901M") for house in houses), Counter()).keys() == set(EVERYBODY)
    assert len(first.rows("select id from outbox where kind = 'report' and phase = 'F1901M'")) == len(EVERYBODY)


def shared_by_three(folder: Path) -> list[House]:
    """Return three houses on one database, with their own folders and mail numbers."""
    houses: list[House] = []
    for place in range(3):
        (folder / str(place)).mkdir()
        houses.append(House(folder / str(place), url=houses[0].url if houses else ""))
        houses[-1].number = 1000 * place
    return houses


def is_reply(letter: EmailMessage) -> bool:
    return bool(letter["Auto-Submitted"] == "auto-replied")
