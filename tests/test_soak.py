"""Long random runs, by `make soak`."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path

import pytest

from judge.games import GameState
from judge.language import Context, read
from judge.mail.letters import RawMail
from judge.rules import PROFILES, Power, load_map
from tests.hostility import BOMBS, FORGERIES, FRANCE, INJECTIONS
from tests.office import Office
from tests.phases import check_movement, nasty, play
from tests.soak import Soak

MAP = load_map()
MAILS = Path(__file__).parent / "mails"


@pytest.mark.soak
def test_a_hundred_thousand_nasty_phases(soak: Soak) -> None:
    for seed in soak.seeds(100_000):
        check_movement(*nasty(seed))


@pytest.mark.soak
def test_many_random_games_stay_legal(soak: Soak) -> None:
    profiles = sorted(PROFILES)
    for seed in soak.seeds(30 * len(profiles)):
        play(seed // len(profiles), PROFILES[profiles[seed % len(profiles)]], phases=150)


@pytest.mark.soak
def test_random_lines_never_raise(soak: Soak) -> None:
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
    for seed in soak.seeds(20_000):
        chance = random.Random(seed)
        line = chance.choice(["", " "]).join(chance.choices(words, k=chance.randint(1, 14)))
        for read_line in read(line, context):
            assert read_line.text == line


@pytest.mark.soak
def test_mutilated_mails_do_nothing_and_stop_nothing(tmp_path: Path, soak: Soak) -> None:
    """Mail made of strange pieces is only stored, filed or asked about.

    It never causes a crash or an act.
    """
    seeds = [path.read_bytes() for path in sorted(MAILS.glob("*.eml"))]
    office = Office(tmp_path)
    office.open_game("60 days")
    office.now += timedelta(hours=2)
    office.keep("france", "A PAR - BUR")
    office.settle()
    seeds += [build(office).content[:20_000] for table in (BOMBS, FORGERIES, INJECTIONS) for build in table.values()]
    seeds = [without_proof(office, seed) for seed in seeds]
    senders = ["", "france@players.test", "evil@evil.test", "\x00", "x" * 500]
    recipients = ["judge@localhost", "judge+ardennes.x@localhost", "", "judge+confirm.@localhost", "\udcff"]
    for seed in soak.seeds(10_000):
        chance = random.Random(seed)
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
        assert sum(counts.values()) > soak.begun // 2  # some are the same
        assert work.games.names(GameState) == ("ardennes",)
    office.parts.delivery.deliver_due()
    office.stop()


def without_proof(office: Office, content: bytes) -> bytes:
    """Remove all proof from a mail.

    Otherwise pieces of different mails could form one that is proved, whose request the judge would rightly carry out.
    """
    proofs = ["mx.test", *(letter.message_id for letter in office.letters(FRANCE))]
    proofs += [letter.reply_to for letter in office.letters(FRANCE) if letter.reply_to]
    for proof in proofs:
        content = content.replace(proof.encode(), b"x" * len(proof))
    return content


def mutilated(chance: random.Random, content: bytes, other: bytes) -> bytes:
    """Damage a mail: pieces are removed, doubled or exchanged, and bytes changed."""
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
