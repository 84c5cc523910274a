"""Long random runs, by `make soak`."""

from __future__ import annotations

import random
import time
from datetime import timedelta
from pathlib import Path

import pytest

from judge.games import GameState
from judge.language import Context, read
from judge.mail.letters import RawMail
from judge.rules import PROFILES, Power, load_map
from tests.office import Office
from tests.test_hostile import BOMBS, FORGERIES, FRANCE, INJECTIONS
from tests.test_mails import FOLDER
from tests.test_properties import check_movement, nasty, play

MAP = load_map()


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_a_hundred_thousand_nasty_phases(part: int) -> None:
    for seed in range(part * 10_000, (part + 1) * 10_000):
        check_movement(*nasty(seed))


@pytest.mark.soak
@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_many_random_games_stay_legal(profile: str) -> None:
    for seed in range(30):
        play(seed, PROFILES[profile], phases=150)


@pytest.mark.soak
def test_random_lines_never_raise() -> None:
    chance = random.Random(7)
    words = [
        "A",
        "F",
        "Par",
        "Mun",
        "Nth",
        "-",
        "->",
        "S",
        "C",
        "to",
        "パリ",
        "陸軍",
        "を",
        "へ",
        "移動",
        "支援",
        "R",
        "H",
        "/nc",
        ",",
        ";",
        "B",
        "D",
        "(",
        ")",
        "VIA",
        "READY",
        "SET",
        "x",
        "。",
        "ー",
        "完了",
        "1901年春",
    ]
    context = Context(MAP, MAP.start(), (Power("FRANCE"),))
    for _ in range(20_000):
        line = chance.choice(["", " "]).join(chance.choices(words, k=chance.randint(1, 14)))
        for read_line in read(line, context):
            assert read_line.text == line


@pytest.mark.soak
def test_mails_mutilated_for_a_minute_do_nothing_and_stop_nothing(tmp_path: Path) -> None:
    """From everything strange we have: only stored, filed or asked about; never a crash, never an act."""
    chance = random.Random(11)
    seeds = [path.read_bytes() for path in sorted(FOLDER.glob("*.eml"))]
    office = Office(tmp_path)
    office.open_game("60 days")
    office.now += timedelta(hours=2)
    office.keep("france", "A PAR - BUR")
    office.settle()
    seeds += [build(office).content[:20_000] for table in (BOMBS, FORGERIES, INJECTIONS) for build in table.values()]
    seeds = [without_proof(office, seed) for seed in seeds]
    senders = ["", "france@players.test", "evil@evil.test", "\x00", "x" * 500]
    recipients = ["judge@localhost", "judge+ardennes.x@localhost", "", "judge+confirm.@localhost", "\udcff"]
    until = time.monotonic() + 60
    while time.monotonic() < until:
        office.now += timedelta(seconds=30)
        content = mutilated(chance, chance.choice(seeds), chance.choice(seeds))
        to = tuple(chance.sample(recipients, chance.randint(0, 2)))
        sender = chance.choice([None, *senders])
        office.parts.intake.keep(RawMail(content, "fuzz", office.now, sender, to))
        office.parts.intake.work_all()
        assert office.orders("FRANCE") == ["A PAR - BUR"]
    with office.parts.store.work() as work:
        counts = work.inbox.counts()
        assert set(counts) <= {"done", "unconfirmed"}
        assert sum(counts.values()) > 1000
        assert [game.name for game in work.games.listing(GameState)] == ["ardennes"]
    office.parts.delivery.deliver_due()
    office.stop()


def without_proof(office: Office, content: bytes) -> bytes:
    """Pieces of different mails can come together as one that is proved; then it is right to do what it asks."""
    proofs = ["mx.test", *(letter.message_id for letter in office.letters(FRANCE))]
    proofs += [letter.reply_to for letter in office.letters(FRANCE) if letter.reply_to]
    for proof in proofs:
        content = content.replace(proof.encode(), b"x" * len(proof))
    return content


def mutilated(chance: random.Random, content: bytes, other: bytes) -> bytes:
    """A mail with pieces taken out, doubled, exchanged with those of another, and bytes turned."""
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(content) + 1)
        end = min(len(content), start + chance.choice([1, 4, 40, 400]))
        piece = chance.choice(
            [
                b"",
                content[start:end] * 2,
                other[start:end],
                chance.randbytes(end - start),
                chance.choice([b"\r\n", b"\r\n\r\n", b"\0", b"=?", b"--", b":", b"<", b"\xff", b"\r"]),
            ]
        )
        content = content[:start] + piece + content[end:]
    return content
