"""Every letter that asks something is answered in every way: see `tests/answered.py` for the tables."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from typing import get_args

import pytest

from judge.games.answers import Answer
from judge.games.events import LetterEvent
from judge.games.refusals import Refusal
from judge.language.faults import FaultKind
from judge.reports.readers import NoticeKind
from judge.rules.position import Power
from tests.answered import WAYS, Asking, Way, check, letters_that_ask, scene_of
from tests.office import JUDGE, PASS
from tests.scripts import Player, Step

LETTERS = letters_that_ask()
KINDS = {kind.partition(" of ")[0].rstrip(",") for asking in LETTERS for kind in asking.kinds}
ASK_NOTHING = {
    "answer": {
        *("AbsenceSet", "AskedAgain", "Cleared", "Closing", "Created", "DataShown", "Done", "DoneInAll"),
        *("Filed", "GamesListed", "HelpShown", "Joined", "LanguageSet", "NameSet", "Noted", "Observing", "Overridden"),
        *("Petitioning", "QuestionAnswered", "ReadySet", "Refused", "Registered", "SeatKept", "Sent"),
        *("Adopted", "SettingsShown", "Shown", "SitterInvited", "SittingAgreed", "Supposed", "Undone", "Voted"),
        "ZoneSet",
    },
    "event": {
        *("CoachDeclined", "MailboxShared", "SeatShown", "SitterNews"),
        *("CoinTossed", "Extended", "ExtensionUsed", "FoundTooLate", "GraceBegan", "HeldUp", "OfferRefused"),
        *("OrderedFor", "PetitionDecided", "PlayerLeft", "PlayerOut", "ProposalFailed", "Relayed", "Reminded"),
        *("MusterAsked", "SeatGivenUp", "SeatOffered", "StartReset", "VoteDropped", "WaitEnded"),
    },
    "fault": {
        *("BAD_GAME_NAME", "EVERY_UNIT", "MALFORMED_COMMAND", "NEGATED", "NOT_UNDERSTOOD", "NO_SUCH_COMMAND"),
        *("PREFERENCES", "TAKEN_BACK", "UNKNOWN_ADDRESSEE", "UNKNOWN_POWER"),
    },
    "notice": {
        *(
            "ALARM",
            "BOARD_AWAY",
            "BOARD_AWAY_MASTER",
            "DECLINED",
            "HEALTH",
            "LIMIT",
            "NOT_CALLED",
            "NO_PICTURE",
            "REFUSED",
            "REPORTED",
            "SECOND",
            "SETTLED",
            "SET_ASIDE",
        ),
        *("SET_ASIDE_MASTER", "SUSPENDED", "UNDELIVERED", "UNDELIVERED_OPERATOR", "UNREACHABLE", "UNREADABLE"),
    },
    "refusal": {"WhichPhase", "WhichThere", "WhichYear"},  # the whole line has to be sent again
}
"""Letters, and parts of them, that ask for no yes, no, choice or value."""
ELSEWHERE = {"answer": {"AdoptionShown"}, "event": {"SitterAsked"}}
"""Letters whose answers have tests of their own: `test_adoption.py`, `test_sitters.py`."""
CASES = [(asking, way) for asking in LETTERS for way in asking.ways]


@pytest.mark.parametrize(("asking", "way"), CASES, ids=[f"{asking.name}-{way.name}" for asking, way in CASES])
def test_an_answer_has_its_effect(asking: Asking, way: Way) -> None:
    assert way.answers
    wrong = []
    for answer in way.answers:
        player = scene_of(asking)
        try:
            check(player, way, answer)
        except AssertionError as error:
            wrong.append(f"{asking.file}.txt, line {answer.number}: {answer.text}\n{error}")
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("asking", LETTERS, ids=[one.name for one in LETTERS])
def test_every_letter_is_answered_in_every_way(asking: Asking) -> None:
    assert {way.name for way in asking.ways} == set(WAYS)


@pytest.mark.parametrize(
    ("what", "all_kinds"),
    [
        ("answer", {kind.__name__ for kind in get_args(Answer)}),
        ("event", {kind.__name__ for kind in get_args(LetterEvent)}),
        ("fault", {kind.name for kind in FaultKind}),
        ("notice", {kind.name for kind in NoticeKind}),
    ],
)
def test_every_kind_is_answered_or_asks_nothing(what: str, all_kinds: set[str]) -> None:
    answered = {kind.partition(" ")[2] for kind in KINDS if kind.startswith(f"{what} ")}
    assert answered | ASK_NOTHING[what] | ELSEWHERE.get(what, set()) == all_kinds
    assert not answered & ASK_NOTHING[what]


def test_every_refusal_that_asks_is_answered() -> None:
    names = {kind.__name__ for kind in get_args(Refusal)}
    asking = {name for name in names if name.startswith("Which") or "Needed" in name}
    answered = {kind.partition(" ")[2] for kind in KINDS if kind.startswith("refusal ")}
    assert answered | ASK_NOTHING["refusal"] == asking


def asked(*steps: str) -> Player:
    """Return a player whose game has just received these lines."""
    lines = [step.splitlines() for step in ("start ardennes", *steps)]
    return scene_of(Asking("", 0, ("scene",), [Step(0, first, below) for first, *below in lines]))


def answer(player: Player, name: str, words: str, letter: Message, **headers: str) -> None:
    player.letters = {}
    player.world.mail(name, words, to=str(letter["Reply-To"] or JUDGE), answers=letter, **headers)


def test_a_second_yes_to_the_same_letter_does_nothing_again() -> None:
    player = asked("gil> could we have one more day because of snow")
    letter = player.receipts["gil"]
    before = player.world.game().clock.deadline
    assert before is not None
    for _ in range(3):
        answer(player, "gil", "yes", letter)
        assert player.world.game().clock.deadline == before + timedelta(days=1)


@pytest.mark.parametrize("headers", [{}, {"Authentication_Results": PASS}], ids=["unproved", "proved"])
def test_a_yes_of_somebody_else_is_not_the_readers(headers: dict[str, str]) -> None:
    player = asked("cho> ABSENT until Friday, perhaps")
    before = player.world.game()
    for name in ("dan", "ivy"):
        answer(player, name, "YES", player.receipts["cho"], **headers)
        assert player.world.game().seat(Power("FRANCE")) == before.seat(Power("FRANCE"))


def test_an_invitation_is_not_for_whoever_knows_its_address() -> None:
    player = asked("gil! CREATE borodino", "gil! GAME borodino\nINVITE hal@players.test AS Germany")
    letter = player.questions["hal"]
    answer(player, "ivy", "Yes, I would love to play!", letter)
    player.game = "borodino"
    assert not player.found().applicants
    answer(player, "hal", "Yes, I would love to play!", letter)
    assert len(player.found().applicants) == 1
    answer(player, "hal", "no thanks", letter)
    assert len(player.found().applicants) == 1


def test_a_vote_that_is_settled_is_not_taken_up_again() -> None:
    player = asked("ada> PROPOSE EXTEND 2 days BECAUSE of the holidays")
    letter = player.world.reports["cho"]
    player.world.pass_deadline()
    before = player.world.game()
    answer(player, "cho", "YES", letter)
    assert player.world.game() == before


def test_two_letters_that_ask_need_a_reply_to_one_of_them() -> None:
    player = asked("cho> ABSENT until Friday, perhaps", "cho> ABSENT until Sunday, perhaps")
    before = player.world.game()
    player.world.mail("cho", "YES", Authentication_Results=PASS)
    assert player.world.game() == before
