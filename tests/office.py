"""A judge without loops and servers, on a database of its own, with a clock that the test sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from judge.config import Config
from judge.mail.letters import Outgoing, RawMail
from judge.rules.notation import write_order
from judge.rules.position import Power
from judge.service import Parts, assemble
from judge.storage import migrate

JUDGE = "judge@localhost"
OPERATOR = "op@localhost"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


@dataclass
class Office:
    """A judge on a file, with a clock that we set; it can be started anew."""

    folder: Path
    now: datetime = datetime(2026, 11, 24, 12, tzinfo=UTC)
    watch: dict[str, Any] = field(default_factory=dict)
    number: int = 0
    address: str = JUDGE

    def __post_init__(self) -> None:
        self.url = f"sqlite:///{self.folder}/judge.sqlite3"
        migrate(self.url)
        self.start()

    def start(self) -> None:
        config = Config(
            judge={"address": self.address, "authserv_id": "mx.test", "operator": OPERATOR},  # type: ignore[arg-type]
            database={"url": self.url},  # type: ignore[arg-type]
            delivery={"folder": self.folder / "outgoing"},  # type: ignore[arg-type]
            sources=(),
            games={"settling_seconds": 0},  # type: ignore[arg-type]
            watch=self.watch,  # type: ignore[arg-type]
        )
        self.parts: Parts = assemble(config, clock=lambda: self.now)

    def stop(self) -> None:
        self.parts.store.close()

    def keep(self, sender: str, *lines: str, to: str = JUDGE, proved: bool = True) -> int:
        self.number += 1
        self.now += timedelta(seconds=1)
        mail = EmailMessage()
        if proved:
            mail["Authentication-Results"] = "mx.test; dmarc=pass header.from=players.test"
        mail["From"], mail["To"], mail["Subject"] = f"{sender}@players.test", to, "secret subject"
        mail["Message-ID"] = f"<office-{self.number}@players.test>"
        mail.set_content("\n".join(lines) + "\n")
        self.parts.intake.keep(RawMail(mail.as_bytes(), "test", self.now, str(mail["From"]), (to,)))
        return self.number

    def settle(self) -> None:
        self.parts.intake.work_all()
        self.parts.closing.close_due()
        self.parts.delivery.deliver_due()

    def open_game(self, deadline: str = "3 days") -> None:
        self.keep("gil", "CREATE ardennes", f"deadline: {deadline}", "ready with missing orders: yes")
        for power in POWERS:
            self.keep(power.lower(), f"JOIN ardennes AS {power}")
        self.settle()

    def letters(self, recipient: str) -> list[Outgoing]:
        """All that was ever written to somebody."""
        with self.parts.store.work() as work:
            written = [work.outbox.get(row["id"]) for row in reversed(work.outbox.latest(1000))]
        return [one.letter for one in written if one is not None and one.letter.recipient == recipient]

    def orders(self, power: str) -> list[str]:
        with self.parts.store.work() as work:
            game = work.games.get("ardennes")
        assert game is not None
        return [write_order(filed.order) for filed in game.seat(Power(power)).orders]

    def phase(self) -> str:
        with self.parts.store.work() as work:
            game = work.games.get("ardennes")
        assert game is not None
        return str(game.position.phase)
