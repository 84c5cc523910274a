"""Follow-up tasks are announced in the unit of work that causes them.

They exist only if it is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from judge.commands import Language
from judge.games.game import Game, GameState, Seat
from judge.games.terms import Settings
from judge.mail.letters import LetterKind, Outgoing, RawMail
from judge.rules import load_map
from judge.storage import DELIVER, Arrived, CloseGame, LetterTags, Store, Task, WorkMail
from judge.storage.store import Work
from tests.database import url_in_memory

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DEADLINE = NOW + timedelta(days=3)
REMINDER = DEADLINE - timedelta(days=1)
ALICE = "alice@players.test"
LANGUAGE = Language.ENGLISH
TAGS = LetterTags("key 1")


@dataclass
class Recorder:
    """Records the tasks it is told."""

    told: list[Task] = field(default_factory=list)

    def after(self, tasks: Sequence[Task]) -> None:
        self.told += tasks


@pytest.fixture
def store() -> Iterator[Store]:
    opened = Store.open(url_in_memory())
    yield opened
    opened.close()


def arrived(identity: str = "one", game: str | None = None) -> Arrived:
    raw = RawMail(b"A PAR - BUR", "loopback", NOW, ALICE, ("judge@judge.test",))
    return Arrived(raw, identity, None, ALICE, game)


def queue(work: Work, number: int = 1, until: datetime | None = None) -> None:
    letter = Outgoing(LetterKind.REPLY, ALICE, f"<{number}@judge.test>", NOW, "judge@judge.test", None, "s", "t\n")
    work.outbox.queue(letter, replace(TAGS, key=f"key {number}", inbox=1), NOW, until)


def save(work: Work, change: Callable[[Game], Game]) -> None:
    game = work.games.get("ardennes")
    assert game is not None
    work.games.save(change(game))


def open_phase(game: Game, deadline: datetime = DEADLINE) -> Game:
    return replace(game, state=GameState.ACTIVE, clock=replace(game.clock, opened_at=NOW, deadline=deadline))


def two_letters(work: Work) -> None:
    queue(work, 2)
    queue(work, 3)


def once_more(work: Work) -> None:
    work.inbox.keep(arrived(identity="known"))


def let_go(work: Work) -> None:
    work.outbox.release(NOW, work.people.add(ALICE, "", LANGUAGE, "").id)


ALICES = WorkMail(f"from {ALICE}")
SAID: tuple[tuple[str, Callable[[Work], object], list[Task]], ...] = (
    ("a mail comes", lambda work: work.inbox.keep(arrived("two")), [ALICES]),
    ("a mail for a game", lambda work: work.inbox.keep(arrived("two", "ardennes")), [WorkMail("ardennes")]),
    ("the same mail again", once_more, [DELIVER]),
    ("somebody was quicker", lambda work: work.inbox.forget(1), [ALICES]),
    ("an attempt failed", lambda work: work.inbox.failed(1), [ALICES]),
    ("its sender said yes", lambda work: work.inbox.confirm(1), [ALICES]),
    ("a letter", lambda work: queue(work, 2), [DELIVER]),
    ("two letters", two_letters, [DELIVER]),
    ("a letter that waits for others", lambda work: queue(work, 2, DEADLINE), []),
    (
        "letters wait no longer",
        lambda work: work.outbox.release(NOW, work.people.add(ALICE, "", LANGUAGE, "").id),
        [DELIVER],
    ),
    ("a letter is tried again", lambda work: work.outbox.retry(1, NOW), [DELIVER]),
    (
        "a phase opens",
        lambda work: save(work, open_phase),
        [CloseGame("ardennes", DEADLINE - timedelta(days=1))],
    ),  # the reminder comes first
    ("nothing changes when it closes", lambda work: save(work, lambda game: game), []),
)


@pytest.fixture
def recorder(store: Store) -> Recorder:
    """Return the recorder of a store with one mail, one letter and one game."""
    with store.work() as work:
        master = work.people.add("gil@players.test", "Gil", LANGUAGE, "UTC")
        map_ = load_map()
        seats = tuple(Seat(power) for power in map_.powers)
        work.games.add(Game("ardennes", Settings(), master.id, GameState.FORMING, map_.start(), seats))
        work.inbox.keep(arrived("known"))
        queue(work)
        work.commit()
    recorder = Recorder()
    store.waker = recorder
    return recorder


@pytest.mark.parametrize(("act", "said"), [row[1:] for row in SAID], ids=[row[0] for row in SAID])
def test_what_is_done_says_what_is_to_be_done_next(
    store: Store, recorder: Recorder, act: Callable[[Work], object], said: list[Task]
) -> None:
    with store.work() as work:
        act(work)
        assert recorder.told == []
        work.commit()
    assert recorder.told == said


@pytest.mark.parametrize(("act", "said"), [row[1:] for row in SAID], ids=[row[0] for row in SAID])
def test_what_is_rolled_back_wakes_nobody(
    store: Store, recorder: Recorder, act: Callable[[Work], object], said: list[Task]
) -> None:
    del said
    with store.work() as work:
        act(work)
    assert recorder.told == []


def test_a_unit_of_work_that_goes_on_says_nothing_twice(store: Store, recorder: Recorder) -> None:
    with store.work() as work:
        queue(work, 2)
        work.commit()
        work.commit()
    assert recorder.told == [DELIVER]
