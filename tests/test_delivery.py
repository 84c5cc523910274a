"""How mail leaves: to many domains at once, pipelined, and after refusals."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.errors import Against, DeliveryError
from judge.mail.letters import LetterKind, Outgoing, RawMail
from judge.mail.proof import bounce_address
from judge.mail.sending import Meanwhile, SmtpSender, nothing
from judge.storage import LetterTags, OutboxState, Work
from tests.office import JUDGE, OPERATOR, Office
from tests.wire import HERE, PATIENCE_SECONDS, free_port, wait_until

MAIL = b"Subject: dots\r\n\r\n.\r\n..two\r\nthree.\r\n"


@dataclass
class Post:
    """Takes mail, stalls for some domains, and refuses what it is told to."""

    stalled: frozenset[str] = frozenset()
    goes_on: threading.Event = field(default_factory=threading.Event)
    refuse: Callable[[str], DeliveryError | None] = lambda _: None
    taken: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    most: Counter[str] = field(default_factory=Counter)
    """Domain → the most letters handed over at the same time; "" for all domains."""

    def __post_init__(self) -> None:
        self.turn = threading.Lock()
        self.now: Counter[str] = Counter()

    def send(self, content: bytes, *, envelope_from: str, recipient: str, meanwhile: Meanwhile = nothing) -> None:
        assert content
        assert envelope_from
        domain = recipient.partition("@")[2]
        with self._counted(domain):
            self.tried.append(recipient)
            meanwhile()
            if domain in self.stalled and not self.goes_on.wait(PATIENCE_SECONDS):
                raise AssertionError("nobody let it go on")
            if error := self.refuse(recipient):
                raise error
            self.taken.append(recipient)

    @contextmanager
    def _counted(self, domain: str) -> Iterator[None]:
        with self.turn:
            self.now.update((domain, ""))
            self.most |= self.now
        yield
        with self.turn:
            self.now.subtract((domain, ""))

    def check(self) -> str:
        return "a list"

    def close(self) -> None:
        self.goes_on.set()


def office_with(folder: Path, post: Post) -> Office:
    office = Office(folder)
    office.parts.delivery.sender = post
    return office


def queue(office: Office, *recipients: str) -> None:
    with office.parts.store.work() as work:
        for recipient in recipients:
            office.number += 1
            id_ = f"<letter-{office.number}@localhost>"
            letter = Outgoing(LetterKind.NOTICE, recipient, id_, office.now, JUDGE, None, "Hello", "Hello")
            work.outbox.queue(letter, LetterTags(id_), office.now)
        work.commit()


def states(office: Office) -> dict[str, str]:
    with office.parts.store.work() as work:
        return {row["recipient"]: row["state"] for row in work.outbox.latest(1000)}


# Domains


def test_a_stalled_domain_holds_up_nobody(tmp_path: Path) -> None:
    post = Post(frozenset(("stalled.test",)))
    office = office_with(tmp_path, post)
    queue(office, "a@stalled.test", "b@stalled.test", *(f"cho@{n}.test" for n in range(10)))
    delivering = threading.Thread(target=office.parts.delivery.deliver_due)
    delivering.start()
    wait_until(lambda: len(post.taken) == 10)
    queue(office, "dan@later.test")
    wait_until(lambda: "dan@later.test" in post.taken)
    wait_until(lambda: states(office)["dan@later.test"] == "sent")
    assert states(office)["a@stalled.test"] == "queued"
    post.close()
    delivering.join()
    assert set(states(office).values()) == {"sent"}
    assert post.most["stalled.test"] == 1
    office.stop()


def test_what_left_while_the_database_could_not_be_written_goes_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = Post(frozenset(("stalled.test",)))
    office = office_with(tmp_path, post)
    delivery, work = office.parts.delivery, office.parts.store.work
    people = {"ada@stalled.test", "ben@quick.test"}
    queue(office, *people)

    def full(*, may_be_lost: bool = False) -> AbstractContextManager[Work]:
        if post.taken:
            raise OSError("No space left on device")
        return work(may_be_lost=may_be_lost)

    monkeypatch.setattr(delivery.store, "work", full)
    with pytest.raises(OSError, match="No space"):
        delivery.deliver_due()
    assert post.taken == ["ben@quick.test"]
    monkeypatch.setattr(delivery.store, "work", work)
    post.goes_on.set()
    delivery.deliver_due()
    assert sorted(post.tried) == sorted(people)
    assert set(states(office).values()) == {"sent"}
    office.stop()


def test_to_one_domain_mail_goes_letter_by_letter_and_in_order(tmp_path: Path) -> None:
    post = Post()
    office = office_with(tmp_path, post)
    people = [f"{n}@{domain}.test" for n in range(20) for domain in "abcdefgh"]
    queue(office, *people)
    assert office.parts.delivery.deliver_due() == len(people)
    assert sorted(post.taken) == sorted(people)
    for domain in "abcdefgh":
        assert [one for one in post.taken if f"@{domain}." in one] == [f"{n}@{domain}.test" for n in range(20)]
        assert post.most[f"{domain}.test"] == 1
    assert post.most[""] <= office.parts.config.delivery.connections
    office.stop()


def test_who_gets_no_answer_does_not_wait_for_one_with_each_letter(tmp_path: Path) -> None:
    post = Post(refuse=lambda _: DeliveryError("timed out", is_silence=True))
    office = office_with(tmp_path, post)
    people = [f"{n}@silent.test" for n in range(4)]
    queue(office, *people)
    for tried in range(1, 5):
        office.parts.delivery.deliver_due()
        assert post.tried == people[:tried], "the ones not tried yet go first"
        office.now += timedelta(seconds=61)
    with office.parts.store.work() as work:
        assert [row["attempts"] for row in work.outbox.latest(10)] == [1, 1, 1, 1]
    office.stop()


def test_a_letter_that_was_not_tried_is_not_given_up(tmp_path: Path) -> None:
    post = Post(refuse=lambda _: DeliveryError("timed out", is_silence=True))
    office = office_with(tmp_path, post)
    queue(office, "a@silent.test", "b@silent.test")
    office.now += timedelta(days=4)
    office.parts.delivery.deliver_due()
    assert states(office) == {"a@silent.test": "failed", "b@silent.test": "queued"}
    office.stop()


def test_no_letter_is_given_up_while_our_own_way_out_is_closed(tmp_path: Path) -> None:
    closed = DeliveryError("the grant was revoked", Against.US, is_silence=True, is_away=True)
    way_out = threading.Event()
    post = Post(refuse=lambda _: None if way_out.is_set() else closed)
    office = office_with(tmp_path, post)
    queue(office, "a@players.test")
    for state in ("queued", "queued", "sent"):
        if state == "sent":
            way_out.set()
        office.now += timedelta(days=4)
        office.parts.delivery.deliver_due()
        assert states(office)["a@players.test"] == state
    office.stop()


def test_a_letter_whose_way_is_cut_because_we_stop_was_not_tried(tmp_path: Path) -> None:
    stopping = threading.Event()

    def hung_up(_: str) -> DeliveryError:
        stopping.set()
        return DeliveryError("we hung up")

    office = office_with(tmp_path, Post(refuse=hung_up))
    delivery = office.parts.delivery
    delivery.is_stopping = stopping.is_set
    queue(office, "cho@players.test")
    delivery.deliver_due()
    with office.parts.store.work() as work:
        assert [row["attempts"] for row in work.outbox.latest(10)] == [0]
    stopping.clear()
    delivery.sender = Post()
    delivery.resume()
    delivery.deliver_due()
    assert states(office) == {"cho@players.test": "sent"}
    office.stop()


# Which side a refusal is against


US = "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org"
GONE = "550 5.1.1 no such user"


def subjects(office: Office) -> list[str]:
    return [letter.subject for letter in office.letters(OPERATOR)]


def test_what_a_server_has_against_us_is_put_off_and_told_the_operator_once_a_day(tmp_path: Path) -> None:
    post = Post(refuse=lambda to: DeliveryError(US, Against.US) if to.endswith("picky.test") else None)
    office = office_with(tmp_path, post)
    queue(office, "cho@picky.test", "dan@picky.test")
    for _ in range(3):
        office.parts.delivery.deliver_due()
        office.now += timedelta(hours=3)
    assert states(office)["cho@picky.test"] == "queued"
    assert subjects(office) == ["Mail to picky.test is refused because of us"]
    assert "zen.spamhaus.org" in office.letters(OPERATOR)[0].text
    office.now += timedelta(days=3)
    office.parts.delivery.deliver_due()
    assert states(office)["cho@picky.test"] == "failed"
    with office.parts.store.work() as work:
        assert not work.outbox.is_suspended("cho@picky.test")
    office.stop()


@pytest.mark.parametrize(("said", "whom"), [(GONE, Against.RECIPIENT), (US, Against.US)])
def test_a_refusal_at_the_door_counts_like_a_bounce_if_it_is_the_recipients(
    tmp_path: Path, said: str, whom: Against
) -> None:
    office = office_with(tmp_path, Post(refuse=lambda _: DeliveryError(said, whom)))
    for day in range(3):
        with office.parts.store.work() as work:
            assert not work.outbox.is_suspended("cho@players.test"), f"on day {day}"
        queue(office, "cho@players.test")
        office.parts.delivery.deliver_due()
        office.now += timedelta(days=1)
    is_suspended = whom is Against.RECIPIENT
    with office.parts.store.work() as work:
        assert work.outbox.is_suspended("cho@players.test") is is_suspended
    assert ("An address is suspended: cho@players.test" in subjects(office)) is is_suspended
    office.stop()


def come_back(office: Office, letter: int, said: str) -> None:
    to = bounce_address(JUDGE, office.parts.delivery.writer.secret, letter)
    bounce = (
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
        f"Action: failed\r\nStatus: {said.split()[1]}\r\nDiagnostic-Code: smtp; {said}\r\nX-Day: {office.now}\r\n"
    )
    office.parts.intake.keep(RawMail(bounce.encode(), "test", office.now, "", (to,)))
    office.parts.intake.work_all()


def test_a_letter_that_came_back_for_our_sake_goes_again_for_three_days(tmp_path: Path) -> None:
    post = Post()
    office = office_with(tmp_path, post)
    queue(office, "cho@picky.test")
    for times in range(1, 4):
        office.parts.delivery.deliver_due()
        assert post.taken.count("cho@picky.test") == times
        come_back(office, 1, US)
        assert states(office)["cho@picky.test"] == OutboxState.QUEUED
        office.now += timedelta(hours=23)
    office.now += timedelta(hours=23)
    office.parts.delivery.deliver_due()
    come_back(office, 1, US)
    assert states(office)["cho@picky.test"] == OutboxState.BOUNCED
    assert set(subjects(office)) == {"Mail to picky.test is refused because of us"}
    with office.parts.store.work() as work:
        assert not work.outbox.is_suspended("cho@picky.test")
    office.stop()


def test_a_letter_that_comes_back_before_we_have_noted_that_it_left_goes_again_all_the_same(tmp_path: Path) -> None:
    post = Post()
    office = office_with(tmp_path, post)
    queue(office, "cho@picky.test")

    def come_back_at_once(_: str) -> None:
        if not post.taken:
            come_back(office, 1, US)

    post.refuse = come_back_at_once
    for _ in range(3):
        office.parts.delivery.deliver_due()
        office.now += timedelta(hours=23)
    assert post.taken.count("cho@picky.test") == 2
    assert states(office)["cho@picky.test"] == OutboxState.SENT
    office.stop()


# On the wire


class Relay:
    """A mail server with pipelining that wants the mail even of refused recipients."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes]] = []
        self.controller = Controller(self, hostname=HERE, port=free_port())

    async def handle_EHLO(  # noqa: N802
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return ["250-PIPELINING", *responses]

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return "550 5.1.1 no such user" if address.startswith("gone") else "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        assert isinstance(content, bytes)
        if not content:
            return "554 5.5.1 no valid recipients"
        self.taken.append((envelope.rcpt_tos[0], content))
        return "552 5.3.4 too big" if b"big" in content else "250 OK"


@pytest.fixture
def relay() -> Iterator[Relay]:
    relay = Relay()
    relay.controller.start()
    yield relay
    relay.controller.stop()


def test_in_one_breath_the_mails_and_the_refusals_are_the_same(relay: Relay) -> None:
    with closing(SmtpSender(HERE, relay.controller.port, timeout_seconds=60)) as sender:
        said: list[str] = []
        for name, content in (("cho", MAIL), ("gone", MAIL), ("dan", MAIL), ("eva", MAIL + b"big"), ("fay", MAIL)):
            try:
                sender.send(content, envelope_from="judge@x.test", recipient=f"{name}@players.test")
                said.append("sent")
            except DeliveryError as error:
                said.append(error.against.value)
    assert said == ["sent", "recipient", "sent", "letter", "sent"]
    assert [to.partition("@")[0] for to, _ in relay.taken] == ["cho", "dan", "eva", "fay"]
    assert relay.taken[0][1] == MAIL


def test_as_many_connections_as_are_needed_and_no_more(relay: Relay) -> None:
    with closing(SmtpSender(HERE, relay.controller.port, timeout_seconds=60)) as sender:
        together = threading.Barrier(3)

        def write(name: str) -> None:
            for _ in range(5):
                at_once = lambda: together.wait(PATIENCE_SECONDS)  # noqa: E731 - all three are in the middle of a mail
                sender.send(MAIL, envelope_from="judge@x.test", recipient=f"{name}@players.test", meanwhile=at_once)

        writers = [threading.Thread(target=write, args=(name,)) for name in ("ada", "ben", "cho")]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert len(sender.idle) == 3
        assert not sender.busy
    assert Counter(to for to, _ in relay.taken) == {f"{name}@players.test": 5 for name in ("ada", "ben", "cho")}
