"""Measure what a phase of a full game adds to the database.

Seven players send orders by mail; they and the master get reports. Promise: a phase takes at most 52 kB of the file.
Pictures are not stored: they are drawn again when needed. The floor is the same letters and mails, each compressed by
itself with zlib.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile
import zlib
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path

from games import NOON, full_game, judge_in, people
from measure import Figure, Promise, run, times
from phases import random_orders

from judge.games import Game, GameState
from judge.mail.letters import Outgoing, RawMail
from judge.rules import write_order
from judge.service.engine.assemble import Parts

PHASES = 24
STORED = Promise("kB of the file for each phase", most=52)
NAME = "ardennes"


def measure(rounds: float) -> list[Figure]:
    """Play and print."""
    phases = times(PHASES, rounds)
    with tempfile.TemporaryDirectory() as folder:
        parts = judge_in(Path(folder))
        with parts.store.work() as work:
            game = full_game(parts, work, NAME, people(work, "first"))
            work.commit()
        file = Path(folder) / "judge.sqlite3"
        before, floor_before = size_kb(file), floor_kb(parts)
        chance, numbers = random.Random(1), count(1)
        played = 0
        while played < phases and game.state is GameState.ACTIVE:
            send_orders(parts, game, chance, numbers)
            game = closed(parts)
            played += 1
        stored, floor = (size_kb(file) - before) / played, (floor_kb(parts) - floor_before) / played
        show_tables(file)
        parts.store.close()
    print(f"{stored:.1f} kB of the file for each of {played} phases")
    print(f"the same letters and mails compressed one by one: {floor:.1f} kB; ratio {stored / floor:.2f}")
    return [Figure(STORED, stored)]


def send_orders(parts: Parts, game: Game, chance: random.Random, numbers: count[int]) -> None:
    """Send and work a reply to the report from every player with orders."""
    orders = random_orders(game.position, chance)
    with parts.store.work() as work:
        persons = work.people.many([seat.holder for seat in game.seats if seat.holder is not None])
    for seat in game.seats:
        if seat.holder is None or seat.power not in orders:
            continue
        person, number = persons[seat.holder], next(numbers)
        recipient = f"judge+{game.name}.{parts.closing.writer.reply_token(game, seat.holder)}@localhost"
        lines = "\r\n".join([f"PHASE {game.position.phase}", *map(write_order, orders[seat.power])])
        head = (
            f"Received: from mail.players.test (mail.players.test [192.0.2.{number % 250}])\r\n"
            f"\tby judge.test with ESMTPS id {number:010x}\r\n\tfor <{recipient}>; Tue, 24 Nov 2026 12:00:00 +0000\r\n"
            f"From: {person.name} <{person.address}>\r\nTo: {recipient}\r\n"
            f"Subject: Re: [{game.name}] {game.position.phase}\r\nDate: Tue, 24 Nov 2026 12:00:00 +0000\r\n"
            f"Message-ID: <{number}@players.test>\r\nMIME-Version: 1.0\r\nUser-Agent: Mozilla Thunderbird\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n\r\n"
        )
        parts.intake.keep(RawMail(f"{head}{lines}\r\n".encode(), "bench", NOON, person.address, (recipient,)))
        assert parts.intake.work_some(1)[0]


def closed(parts: Parts) -> Game:
    """Close the phase and return the game."""
    with parts.store.work() as work:
        game = work.games.get(NAME)
        assert game is not None
        work.games.save(replace(game, clock=replace(game.clock, closing_since=NOON)))
        work.commit()
    parts.closing.close(NAME)
    with parts.store.work() as work:
        after = work.games.get(NAME)
    assert after is not None
    assert after.position.phase != game.position.phase
    return after


def size_kb(file: Path) -> float:
    """Return the size of the pages in use, in kB."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        pages, free, size = (
            database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
    return float((pages - free) * size / 1000)


def floor_kb(parts: Parts) -> float:
    """Return the size of all mails and letters, each compressed by itself, in kB."""
    with parts.store.work() as work:
        numbers = range(1, sum(work.outbox.counts().values()) + 1)
        letters = [written.letter for number in numbers if (written := work.outbox.get(number))]
        mails = range(1, sum(work.inbox.counts().values()) + 1)
        raw = [received.raw.content for number in mails if (received := work.inbox.get(number))]
    return sum(len(zlib.compress(content)) for content in [*raw, *map(as_bytes, letters)]) / 1000


def as_bytes(letter: Outgoing) -> bytes:
    """Return the parts of a letter that differ between letters."""
    texts = (letter.recipient, letter.subject, letter.text, letter.html or "")
    return "\n".join(texts).encode() + b"".join(part.content for part in letter.attachments)


def show_tables(file: Path) -> None:
    """Print the largest tables and indexes with their sizes."""
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute("SELECT name, SUM(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 8")
        print(", ".join(f"{name} {size / 1000:.0f} kB" for name, size in rows))


if __name__ == "__main__":
    run(measure)
