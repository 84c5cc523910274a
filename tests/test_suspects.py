"""Mail that was being worked when the judge died is then worked alone.

Only deaths that are the mail's own fault count against it.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from judge.config import Config
from judge.errors import ConflictError
from judge.failpoints import Step
from judge.mail.letters import RawMail
from judge.mail.reading import MailReader
from judge.reports.readers import NoticeKind, Rendered
from judge.reports.render import notice as real_notice
from judge.service.engine.alone import Ending, alone
from judge.storage import InboxState, Received, Waiting, Work
from tests.database import change, records
from tests.house import House, end
from tests.office import JUDGE, OPERATOR, Office
from tests.wire import is_listening, wait_until

FRANCE, ITALY = "france@players.test", "italy@players.test"
LONGEST_PAUSE = timedelta(minutes=5)


class Killed(BaseException):
    """A death like kill -9: no code of ours catches it."""


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path)
    office.open_game()
    office.now += timedelta(hours=2)
    yield office
    office.stop()


def mail_of(office: Office, number: int) -> Received:
    with office.parts.store.work() as work:
        found = work.inbox.get(int(work.connection.exec_driver_sql(
            f"select id from inbox where message_id = '<office-{number}@players.test>'").scalar_one()))  # fmt: skip
    assert found is not None
    return found


def counts(office: Office) -> Mapping[str, int]:
    with office.parts.store.work() as work:
        return work.inbox.counts()


def die_in_work(office: Office, monkeypatch: pytest.MonkeyPatch, step: Step = Step.MAIL_WORKED) -> None:
    """Let the judge work the waiting mail, die at that step, and start again."""

    def passed(now: Step) -> None:
        if now is step:
            raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("judge.service.engine.intake.passed", passed)
        office.parts.intake.alone = office.parts.intake._alone_here  # a worker of a suspect dies with the judge
        with pytest.raises(Killed):
            office.parts.intake.work_all()
    office.stop()
    office.start()


def settle_alone(office: Office, die: Callable[[Waiting], bool] = lambda _: False) -> list[int]:
    """Pass time until all is worked; return the suspects in the order of their work.

    A suspect is listed each time it is worked. The worker of a mail for which `die` holds does not come back.
    """
    seen: list[int] = []
    intake = office.parts.intake

    def work(suspect: Waiting) -> Ending:
        seen.append(suspect.id)
        if not die(suspect):
            return intake._alone_here(suspect)
        with office.parts.store.work() as unit:
            unit.inbox.begin(suspect.id)
            unit.commit()
        return Ending.DIED

    intake.alone = work
    for _ in range(8):
        office.settle()
        office.now += LONGEST_PAUSE
    office.settle()
    return seen


# The judge is killed, and the mail is good


@pytest.mark.parametrize("times", [1, 3, 5, 10])
@pytest.mark.parametrize("step", [Step.ATTEMPT_COUNTED, Step.MAIL_WORKED])
def test_a_good_mail_is_worked_in_the_end_however_often_we_die(
    office: Office, monkeypatch: pytest.MonkeyPatch, step: Step, times: int
) -> None:
    number = office.keep("france", "A PAR - BUR")
    for _ in range(times):
        die_in_work(office, monkeypatch, step)
        office.settle()  # its turn has not come
        assert office.orders("FRANCE") == []
        office.now += LONGEST_PAUSE
    assert mail_of(office, number).state is InboxState.SUSPECT
    settle_alone(office)
    assert office.orders("FRANCE") == ["A PAR - BUR"]
    assert counts(office) == {"done": 9}
    assert mail_of(office, number).failures == 0
    assert len([one for one in office.letters(FRANCE) if "A PAR - BUR" in one.text]) == 1


def test_the_others_go_first(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.keep("france", "A PAR - BUR")
    die_in_work(office, monkeypatch)
    office.keep("italy", "A VEN - TYR")
    office.settle()
    assert (office.orders("FRANCE"), office.orders("ITALY")) == ([], ["A VEN - TYR"])


def test_what_one_person_wrote_is_worked_in_his_order(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    first = office.keep("france", "A PAR - BUR")
    die_in_work(office, monkeypatch)
    second = office.keep("france", "A PAR - PIC")
    office.settle()
    assert office.orders("FRANCE") == []
    settle_alone(office)
    assert office.orders("FRANCE") == ["A PAR - PIC"]
    assert [mail_of(office, number).state for number in (first, second)] == [InboxState.DONE] * 2


def test_a_phase_waits_for_a_suspect_that_came_in_time(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.now += timedelta(days=2, hours=21, minutes=59)
    office.keep("france", "A PAR - BUR")
    die_in_work(office, monkeypatch)
    office.keep("france", "A MAR - SPA")  # behind that mail
    office.now += timedelta(minutes=2)
    office.parts.intake.alone = lambda _: Ending.WAS_STOPPED
    office.settle()
    assert office.phase() == "S1901M"
    settle_alone(office)
    assert office.phase() != "S1901M"
    (record,) = records(office.url)
    assert "A PAR - BUR" in record
    assert "A MAR - SPA" in record


@pytest.mark.parametrize("sender", ["nobody", "italy"])
def test_a_phase_waits_for_nobody_else_and_not_for_ever(
    office: Office, monkeypatch: pytest.MonkeyPatch, sender: str
) -> None:
    office.now += timedelta(days=2, hours=21, minutes=59)
    office.keep(sender, "A VEN - TYR")
    die_in_work(office, monkeypatch)
    office.parts.intake.alone = lambda _: Ending.WAS_STOPPED
    office.now += timedelta(minutes=2)
    office.settle()
    assert (office.phase() == "S1901M") == (sender == "italy")
    for _ in range(3):  # this late, it is first extended by the rule for outages
        office.now += timedelta(days=1)
        office.settle()
    assert office.phase() != "S1901M"
    assert counts(office)["suspect"] == 1


DAYS = timedelta(days=2, hours=22, minutes=1)
"""The time after which the phase is due."""


def test_a_phase_waits_for_mail_that_a_dead_worker_has_however_old_it_is(office: Office) -> None:
    """Other workers must not take up its mail until that worker counts as dead.

    On PostgreSQL this also holds for the mail behind it.
    """
    french, italian = office.keep("france", "A PAR - BUR"), office.keep("italy", "A VEN - TYR")
    office.now += DAYS
    change(
        office.url,
        "INSERT INTO worker (name, seen, version) VALUES ('another', CURRENT_TIMESTAMP, '')",
        "UPDATE inbox SET owner = 'another' WHERE state = 'waiting'",
    )
    office.parts.intake.work_turn("from france@players.test")
    office.settle()
    assert office.phase() == "S1901M"
    assert [mail_of(office, number).state for number in (french, italian)] == [InboxState.WAITING] * 2
    change(office.url, "DELETE FROM worker")
    office.settle()
    assert office.phase() != "S1901M"
    (record,) = records(office.url)
    assert "A PAR - BUR" in record
    assert "A VEN - TYR" in record


def test_a_phase_waits_for_an_old_suspect_until_it_was_lost_thrice_and_then_not_for_what_is_behind_it(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = office.keep("france", "A PAR - BUR")
    die_in_work(office, monkeypatch)
    office.keep("france", "A MAR - SPA")
    office.now += DAYS
    office.parts.intake.alone = lambda _: Ending.WAS_STOPPED
    for losses in (1, 2):
        office.settle()
        assert (mail_of(office, number).losses, office.phase()) == (losses, "S1901M")
        office.now += timedelta(seconds=30)
    office.settle()
    assert mail_of(office, number).losses == 3
    assert office.phase() != "S1901M"
    assert counts(office) == {"done": 8, "suspect": 1, "waiting": 1}


def test_who_stops_the_judge_means_no_mail(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    number = office.keep("france", "A PAR - BUR")
    die_in_work(office, monkeypatch)

    def stopped(suspect: Waiting) -> Ending:
        with office.parts.store.work() as work:
            work.inbox.begin(suspect.id)
            work.commit()
        return Ending.WAS_STOPPED

    office.parts.intake.alone = stopped
    for _ in range(10):
        office.now += LONGEST_PAUSE
        office.settle()
    assert (mail_of(office, number).state, mail_of(office, number).failures) == (InboxState.SUSPECT, 0)


def test_a_full_disk_is_no_fault_of_a_mail(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    number = office.keep("france", "A PAR - BUR")
    faults = [OperationalError("commit", {}, Exception("disk is full")), OSError(28, "No space left on device")] * 3
    real = office.parts.intake._work

    def work(waiting: Waiting, go_on: Callable[[Work], None]) -> None:
        if faults:
            raise faults.pop()
        real(waiting, go_on)

    monkeypatch.setattr(office.parts.intake, "_work", work)
    office.parts.intake.alone = office.parts.intake._alone_here
    for _ in range(6):
        with pytest.raises((OperationalError, OSError)):  # the loop complains, and /healthz says the same
            office.settle()
        office.now += LONGEST_PAUSE
    settle_alone(office)
    assert office.orders("FRANCE") == ["A PAR - BUR"]
    assert mail_of(office, number).failures == 0


# The mail is not good


def poisoned(office: Office, number: int) -> Callable[[Waiting], bool]:
    poison = mail_of(office, number).raw.content
    return lambda suspect: suspect.raw.content == poison


def letters_saying(office: Office, recipient: str, word: str) -> int:
    return len([letter for letter in office.letters(recipient) if word in " ".join(letter.text.split())])


def test_a_mail_that_ends_whoever_works_it_alone_is_set_aside(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    number = office.keep("france", "A PAR - BUR")
    die_in_work(office, monkeypatch)
    office.keep("italy", "A VEN - TYR")
    office.keep("france", "A MAR - SPA")
    seen = settle_alone(office, poisoned(office, number))
    assert len(seen) == 3
    assert mail_of(office, number).state is InboxState.SET_ASIDE
    assert (office.orders("FRANCE"), office.orders("ITALY")) == (["A MAR - SPA"], ["A VEN - TYR"])
    assert letters_saying(office, FRANCE, "secret subject") == 1
    assert letters_saying(office, OPERATOR, "judge inbox show") == 1
    assert letters_saying(office, OPERATOR, "secret subject") == 0


@pytest.mark.parametrize("before", [0, 2])
def test_a_mail_that_fails_is_set_aside_and_told_in_one_commit(
    office: Office, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    number = office.keep("france", "A PAR - BUR")
    for _ in range(before):
        die_in_work(office, monkeypatch)
        office.settle()
        office.now += LONGEST_PAUSE
    monkeypatch.setattr("judge.service.talk.conversation.answer", lambda _: 1 / 0)
    with monkeypatch.context() as patched:

        def killed(kind: NoticeKind, *args: object, **values: object) -> Rendered:
            if kind is NoticeKind.SET_ASIDE:
                raise Killed
            return real_notice(kind, *args, **values)  # type: ignore[arg-type]

        patched.setattr("judge.service.engine.intake.notice", killed)
        office.parts.intake.alone = office.parts.intake._alone_here
        with pytest.raises(Killed):
            office.parts.intake.work_all()
    assert mail_of(office, number).state is not InboxState.SET_ASIDE
    assert letters_saying(office, OPERATOR, "judge inbox show") == 0
    office.stop()
    office.start()
    settle_alone(office)
    assert mail_of(office, number).state is InboxState.SET_ASIDE
    assert letters_saying(office, FRANCE, "secret subject") == letters_saying(office, OPERATOR, "judge inbox show") == 1


def test_who_cannot_be_told_does_not_stop_the_setting_aside(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    number = office.keep("france", "A PAR - BUR")
    monkeypatch.setattr("judge.service.talk.conversation.answer", lambda _: 1 / 0)
    monkeypatch.setattr(MailReader, "read_head", lambda *_: 1 / 0)
    office.settle()
    assert mail_of(office, number).state is InboxState.SET_ASIDE
    assert letters_saying(office, FRANCE, "secret subject") == 0
    assert letters_saying(office, OPERATOR, "judge inbox show") == 1


def test_who_is_told_is_read_from_the_head_alone(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.keep("france", "A PAR - BUR")
    robot = b"From: italy@players.test\nAuto-Submitted: auto-replied\nSubject: away\n\nA VEN - TYR\n"
    office.parts.intake.keep(RawMail(robot, "test", office.now, ITALY, (JUDGE,)))

    def bitten(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(MailReader, "read", bitten)
    office.settle()
    assert counts(office) == {"done": 8, "set-aside": 2}
    assert letters_saying(office, FRANCE, "secret subject") == 1
    assert letters_saying(office, ITALY, "away") == 0


def test_a_mail_worked_by_somebody_else_meanwhile_is_not_set_aside(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = office.keep("france", "A PAR - BUR")

    def beaten(waiting: Waiting, _: object) -> None:
        with office.parts.store.work() as work:
            if work.inbox.to_be_worked(waiting.id):
                work.inbox.done(waiting.id, kind="person")
                work.commit()
        raise ConflictError("changed")

    monkeypatch.setattr(office.parts.intake, "_work", beaten)
    office.settle()
    assert mail_of(office, number).state is InboxState.DONE
    assert letters_saying(office, OPERATOR, "judge inbox show") == 0


# Processes


def body(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def end_well(config: Config, mail: int, now: object) -> None:
    assert (config.judge.address, mail, now is None) == (JUDGE, 7, False)


def end_badly(*_: object) -> None:
    signal.raise_signal(signal.SIGKILL)


def raise_an_error(*_: object) -> None:
    raise SystemExit(3)


def be_stopped(*_: object) -> None:
    signal.raise_signal(signal.SIGTERM)


def ignore_the_keyboard(*_: object) -> None:
    signal.raise_signal(signal.SIGINT)


def wait_for_ever(*_: object) -> None:
    signal.pause()


@pytest.mark.parametrize(
    ("work", "ending"),
    [
        (end_well, Ending.CAME_BACK),
        (ignore_the_keyboard, Ending.CAME_BACK),
        (end_badly, Ending.DIED),
        (raise_an_error, Ending.DIED),
        (be_stopped, Ending.WAS_STOPPED),
    ],
)
def test_how_it_went_is_known(office: Office, work: Callable[..., None], ending: Ending) -> None:
    assert alone(work, office.parts.config, 7, office.now) is ending


def test_who_does_not_come_back_is_ended(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.service.engine.alone._LONGEST_SECONDS", 0.1)
    assert alone(wait_for_ever, office.parts.config, 7, office.now) is Ending.DIED


def test_a_suspect_is_worked_by_a_process_of_its_own(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    number = office.keep("france", "A PAR - BUR")
    die_in_work(office, monkeypatch)
    office.settle()
    office.now += LONGEST_PAUSE
    monkeypatch.setattr(office.parts.intake, "_work", lambda _: 1 / 0)  # this process cannot
    office.settle()
    assert mail_of(office, number).state is InboxState.DONE
    assert office.orders("FRANCE") == ["A PAR - BUR"]


POISON = """
import os, signal
from judge.cli import main
from judge.mail.reading import MailReader

read = MailReader.read

def bitten(self, raw, *arguments, **named):
    if b"poison" in raw.content:
        os.kill(os.getpid(), signal.SIGKILL)
    return read(self, raw, *arguments, **named)

MailReader.read = bitten
if __name__ == "__main__":
    main()
"""


@pytest.mark.long
def test_a_mail_that_kills_every_process_is_set_aside_and_told_once(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.migrate()
    (tmp_path / "poisoned.py").write_text(POISON, "utf-8")
    house.program = (sys.executable, str(tmp_path / "poisoned.py"))
    doomed = house.start()
    house.send("gil@players.test", "CREATE ardennes", "deadline: 3 days")
    wait_until(lambda: house.rows("select id from inbox where state = 'done'"))
    poison = house.letter("gil@players.test", "poison")
    house.accepts(poison)  # it may be worked, and kill, before the 250 is sent
    doomed.wait()
    end(doomed)
    house.give_up_the_dead()
    with house.running() as process:
        house.send("cho@players.test", "STATUS")
        wait_until(lambda: house.rows("select id from inbox where id = 3 and state = 'done'"))
        for failures in (1, 2):
            house.pass_time(LONGEST_PAUSE)
            wait_until(lambda failures=failures: house.rows(f"select id from inbox where failures = {failures}"))  # type: ignore[misc]
        house.pass_time(LONGEST_PAUSE)
        wait_until(lambda: house.rows("select id from inbox where id = 2 and state = 'set-aside'") and house.is_quiet())
        assert process.poll() is None
    (answer,) = house.replies()[str(poison["Message-ID"])]
    assert "set aside whole" in body(answer)
    assert house.log().count("mail suspected") == 4


@pytest.mark.long
def test_a_judge_killed_three_times_at_a_good_mail_works_it(tmp_path: Path) -> None:
    step = Step.MAIL_WORKED
    house = House(tmp_path)
    house.migrate()
    doomed = house.start(fail=step)
    mail = house.letter("gil@players.test", "CREATE ardennes", "deadline: 3 days")
    wait_until(lambda: is_listening(house.port))
    house.accepts(mail)  # it may be worked, and kill, before the 250 is sent
    for deaths in (1, 2):
        doomed.wait()
        end(doomed)
        house.give_up_the_dead()
        doomed = house.start(fail=step)
        wait_until(lambda deaths=deaths: house.rows(f"select id from inbox where losses = {deaths}"))  # type: ignore[misc]
        house.pass_time(LONGEST_PAUSE)
    doomed.wait()
    end(doomed)
    house.give_up_the_dead()
    with house.running():
        wait_until(lambda: house.rows("select id from inbox where losses = 3"))
        house.pass_time(LONGEST_PAUSE)
        wait_until(lambda: house.rows("select id from inbox where state = 'done'") and house.is_quiet())
    assert house.game() is not None
    assert house.rows("select failures from inbox") == [(0,)]
    assert len(house.replies()[str(mail["Message-ID"])]) == 1


# A mistake of ours with a mail that came in time


def set_aside_in_time(office: Office, monkeypatch: pytest.MonkeyPatch, sender: str, *, proved: bool = True) -> None:
    """Let a mail of before the deadline fail each time, then pass the deadline."""
    office.now += timedelta(days=2, hours=21, minutes=58)
    number = office.keep(sender, "A PAR - BUR", proved=proved)
    with monkeypatch.context() as patched:
        patched.setattr(office.parts.intake, "_work", lambda _: 1 / 0)
        for _ in range(8):
            office.parts.intake.work_all()
    assert mail_of(office, number).state is InboxState.SET_ASIDE
    office.now += timedelta(minutes=3)
    office.settle()


def told_of_it(office: Office, address: str) -> int:
    return sum("came in time could not be worked" in " ".join(one.text.split()) for one in office.letters(address))


@pytest.mark.parametrize(
    ("sender", "proved", "held"), [("france", True, True), ("france", False, False), ("out", True, False)]
)
def test_a_proved_mail_of_a_player_holds_its_phase(
    office: Office,
    monkeypatch: pytest.MonkeyPatch,
    sender: str,
    proved: bool,  # noqa: FBT001
    held: bool,  # noqa: FBT001
) -> None:
    set_aside_in_time(office, monkeypatch, sender, proved=proved)
    office.settle()
    assert (office.phase() == "S1901M") == held
    assert [told_of_it(office, address) for address in (FRANCE, ITALY, "gil@players.test")] == [held] * 3


def test_the_hold_ends_by_process(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    set_aside_in_time(office, monkeypatch, "france")
    office.keep("gil", "PROCESS S1901M BECAUSE it is late")
    office.settle()
    assert office.phase() != "S1901M"


def test_the_hold_ends_when_the_mail_is_worked(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    set_aside_in_time(office, monkeypatch, "france")
    with office.parts.store.work() as work:
        for row in work.inbox.latest(9, InboxState.SET_ASIDE):
            assert work.inbox.replay(row["id"])
        work.commit()
    office.settle()
    assert office.phase() != "S1901M"
    (record,) = records(office.url)
    assert "A PAR - BUR" in record


def test_the_hold_ends_after_a_day_and_begins_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    set_aside_in_time(office, monkeypatch, "france")
    office.now += timedelta(hours=23, minutes=58)
    office.settle()
    assert office.phase() == "S1901M"
    for _ in range(3):  # this late, it is first extended by the rule for outages
        office.now += timedelta(days=1)
        office.settle()
    assert office.phase() != "S1901M"
    assert told_of_it(office, ITALY) == 1
