"""A player's busiest day: two phases, letters to everyone, maps and a picture."""

from __future__ import annotations

import random
from datetime import timedelta
from email.message import EmailMessage
from io import BytesIO

from PIL import Image

from judge.mail.letters import RawMail
from tests.database import store_in_memory
from tests.office import JUDGE, NAMES, PASS, TITLES, World, address

FIRST = dict(
    zip(
        NAMES,
        ("A VIE - GAL", "F LON - NTH", "A PAR - BUR", "A BER - KIE", "A ROM - APU", "A MOS - UKR", "A CON - BUL"),
        strict=True,
    )
)
WORDS = "Dear neighbour, let us talk about the Balkans. " * 20


def game(*, draws: bool = False) -> World:
    """Return a running game of two phases a day; its letters are queued, not delivered."""
    world = World(store_in_memory(), draws=draws)
    write(world, "gil", "CREATE ardennes\ndeadline: 11 hours")
    for name, title in zip(NAMES, TITLES, strict=True):
        write(world, name, f"JOIN ardennes AS {title}")
    write(world, NAMES[-1], "YES", to=world.letters()[-1].reply_to or "")
    world.parts.closing.close_due()
    assert world.game().is_running
    return world


def write(world: World, name: str, words: str, *, to: str = JUDGE, picture: bytes = b"", is_proved: bool = True) -> int:
    """Write a mail and let the judge work it; return its size in bytes."""
    world.number += 1
    world.now += timedelta(seconds=1)
    mail = EmailMessage()
    if is_proved:
        mail["Authentication-Results"] = PASS
    mail["From"], mail["To"], mail["Subject"] = address(name), to, "ardennes"
    mail["Message-ID"] = f"<{world.number}@players.test>"
    mail.set_content(words)
    if picture:
        mail.add_attachment(picture, maintype="image", subtype="jpeg", filename="sketch.jpg")
    world.parts.intake.keep(RawMail(mail.as_bytes(), "test", world.now, address(name), (to,)))
    world.parts.intake.work_all()
    return len(mail.as_bytes())


def sketch() -> bytes:
    """Return a screenshot with notes, some 200 kB large."""
    chance = random.Random(0)
    small = Image.frombytes("RGB", (230, 170), chance.randbytes(230 * 170 * 3))
    content = BytesIO()
    small.resize((920, 680)).save(content, "JPEG", quality=85)
    return content.getvalue()


def busiest_day() -> World:
    """Play two phases: everyone orders, writes to everyone and asks for maps, three times each."""
    world, picture = game(draws=True), sketch()
    for _ in range(2):
        for name in NAMES:
            for _ in range(3):
                write(world, name, FIRST[name])
            write(world, name, "MAP\nREPLAY")
            write(world, name, f"BROADCAST: {WORDS}")
            for other in (title for title in TITLES if title != TITLES[NAMES.index(name)]):
                for _ in range(3):
                    write(world, name, f"PRESS TO {other}\n{WORDS}\nEND PRESS")
        deadline = world.game().clock.deadline
        assert deadline is not None
        world.now = deadline + timedelta(minutes=1)
        world.parts.closing.close_due()
    for name in NAMES:
        write(world, name, "BROADCAST: This is how I see it", picture=picture)
    return world
