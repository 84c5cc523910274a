"""A private board from the file of a report, and from files that are none."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from tests.office import JUDGE, World, address, text

START = b'{"input": {"phase": "F1901M", "units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR"]}}}'
PLAYED = b'{"output": {"phase": "S1901M", "units": {"ITALY": ["F NAP"]}, "centers": {}}, "next": "F1901M"}'
FILES = [
    (START, "A BUR"),
    (PLAYED, "F NAP"),
    (PLAYED, "Fall 1901"),
    (b"{broken", "holds no board"),
    (b'{"a": 1}', "holds no board"),
    (b"[1, 2]", "holds no board"),
    (b'{"input": {"phase": "F1901M", "units": {"FRANCE": ["A XXX"]}}}', "holds no board"),
    (b'{"a": "' + b"x" * 70_000 + b'"}', "holds no board"),
]


@pytest.mark.parametrize(("content", "said"), FILES, ids=[said for _, said in FILES])
def test_a_file_is_a_board_or_is_refused(content: bytes, said: str) -> None:
    world = World()
    mail = EmailMessage()
    mail["Authentication-Results"] = "mx.test; dmarc=pass header.from=players.test"
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = address("hal"), JUDGE, "try", "<1@players.test>"
    mail.set_content("SANDBOX")
    mail.add_attachment(content, maintype="application", subtype="json", filename="board.json")
    world.arrive(mail.as_bytes(), JUDGE, address("hal"))
    assert any(said in text(letter) for letter in world.box.take("hal"))
