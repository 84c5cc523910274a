"""People's own words in answer to a letter that asked them something."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.commands.question import Choice, Question, offer_in
from judge.language.context import Context
from judge.language.replies import replied
from judge.rules.map import load_map
from tests.office import NAMES, PASS, TITLES, World, text

CONTEXT = Context(load_map(), names=("Alice",))
TABLE = Path(__file__).parent / "asking" / "consents.txt"
CONSENTS = [
    tuple(part.strip() for part in line.rpartition("=>")[::2])
    for line in TABLE.read_text("utf-8").splitlines()
    if "=>" in line
]
MEANT = {"yes": "ACCEPT ardennes", "no": "REFUSE ardennes"}


@pytest.mark.parametrize(("said", "meant"), CONSENTS)
def test_offer(said: str, meant: str) -> None:
    answer = replied(said, (offer_in("ardennes"),), CONTEXT)
    assert answer.text == MEANT.get(meant, said)
    assert answer.is_answer is (meant in MEANT)


GAMES = Question((Choice("GAME borodino\nPAUSE", "borodino", 1), Choice("GAME austerlitz\nPAUSE", "austerlitz", 2)))
PLACES = Question((Choice("A APU - ION", "Apu", 1), Choice("A TUS - ION", "Tus", 2)))
ORDER = Question((Choice("YES 3", "A MUN - BER", 3),), refusal="NO 3")
PROPOSAL = Question((Choice("ABSENCE from 2026-11-24 until 2026-11-27"),))
PRESS = Question((Choice("PRESS TO Italy:\nhello\nEND"),), needs_bare_yes=True)
REASON = Question(blank="EXTEND 2 days because {}", takes_any_words=True)
DATE = Question(blank="ABSENCE {}")
LONG = "Nachwuchs gekommen ist und der arme Kerl nicht zum Schlafen kommt, geschweige denn zum Ziehen"

ANSWERS = [
    (GAMES, "2", "GAME austerlitz\nPAUSE"),
    (GAMES, "the second", "GAME austerlitz\nPAUSE"),
    (GAMES, "最初のほう", "GAME borodino\nPAUSE"),
    (GAMES, "2番でお願いします", "GAME austerlitz\nPAUSE"),
    (GAMES, "das erste bitte", "GAME borodino\nPAUSE"),
    (GAMES, "borodino of course", "GAME borodino\nPAUSE"),
    (GAMES, "the last one", "GAME austerlitz\nPAUSE"),
    (GAMES, "both", "GAME borodino\nPAUSE\nGAME austerlitz\nPAUSE"),
    (GAMES, "yes", None),
    (GAMES, "3", None),
    (GAMES, "not borodino", None),
    (GAMES, "borodino or austerlitz", None),
    (PLACES, "Apulia", "A APU - ION"),
    (PLACES, "ローマはアプリアのことです", "A APU - ION"),
    (PLACES, "I meant Tuscany, not Rome", "A TUS - ION"),
    (PLACES, "If Venice holds, Tuscany", None),
    (PLACES, "Does Tuscany border Rome?", None),
    (ORDER, "Berlin of course", "YES 3"),
    (ORDER, "Yes, please do that", "YES 3"),
    (ORDER, "失礼しました、老眼で綴りを間違えました。おっしゃるとおりベルリンへ向かわせてください。", "YES 3"),
    (ORDER, "ベルリンではないです", None),
    (ORDER, "もしキールが空くならベルリン", None),
    (ORDER, "NO 3", "NO 3"),
    (ORDER, "A Mun - Kie", None),
    (ORDER, "yes, but only if Kiel is free", None),
    (PROPOSAL, "Yes please, that is what I meant.", PROPOSAL.choices[0].lines),
    (PROPOSAL, "Yes, unless the game waits for Ben", None),
    (PROPOSAL, "Yes, he says", None),
    (PRESS, "yes", PRESS.choices[0].lines),
    (PRESS, "Yes, and tell her that I am sorry", None),
    (REASON, "because Ben is ill", "EXTEND 2 days because Ben is ill"),
    (REASON, "Ben is ill.\n\nThanks\nAlice", "EXTEND 2 days because Ben is ill\n\n\n"),
    (REASON, "理由は入院です", "EXTEND 2 days because 入院です"),
    (REASON, "weil Ben krank ist", "EXTEND 2 days because Ben krank ist"),
    (REASON, f"Weil bei Frankreich {LONG}", f"EXTEND 2 days because bei Frankreich {LONG}"),
    (
        REASON,
        "Turkey asked me, the storm took her line down",
        "EXTEND 2 days because Turkey asked me, the storm took her line down",
    ),
    (REASON, "Why do you ask?", None),
    (REASON, "EXTEND 3 days because of snow", None),
    (DATE, "until 6 December", "ABSENCE until 6 December"),
    (DATE, "12月6日まで", "ABSENCE 12月6日まで"),
    (DATE, "I don't know yet", None),
]


@pytest.mark.parametrize(("asked", "said", "meant"), ANSWERS)
def test_answer(asked: Question, said: str, meant: str | None) -> None:
    answer = replied(said, (asked,), CONTEXT)
    assert answer.text == (said if meant is None else meant)
    assert answer.is_answer is (meant is not None)


@pytest.mark.parametrize("said", ["no", "never mind", "no, forget it", "いいえ", "nein danke", "neither"])
def test_a_no_does_nothing(said: str) -> None:
    answer = replied(said, (GAMES,), CONTEXT)
    assert answer.refuses
    assert not answer.text.strip()


@pytest.mark.parametrize(("questions", "answer"), [(1, "You are away"), (2, "asks for nothing that I know")])
def test_without_a_reply_the_only_open_question_is_answered(questions: int, answer: str) -> None:
    world = World()
    world.signed("gil", "CREATE ardennes\ndeadline: 3 days")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.signed(name, f"JOIN ardennes AS {power}")
    world.collect_reports()
    for day in ("10", "12")[:questions]:
        assert "Did you mean" in text(world.reply("ada", f"ABSENT until {day} December, perhaps"))
    world.mail("ada", "Yes please.", Authentication_Results=PASS)
    (receipt,) = world.box.take("ada")
    assert answer in text(receipt)


def test_a_sentence_that_names_who_shares_a_draw_asks_for_the_vote_that_all_share() -> None:
    world = World()
    world.signed("gil", "CREATE ardennes\ndeadline: 3 days")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.signed(name, f"JOIN ardennes AS {power}")
    world.collect_reports()
    world.mail("ada", "フランスと私の二国で引き分けにしたいです。", Authentication_Results=PASS)
    (question,) = [one for one in world.box.take("ada") if "you vote for a draw" in text(one)]
    assert all(power in text(question) for power in TITLES)


def test_process_is_offered_with_its_phase() -> None:
    world = World()
    world.signed("gil", "CREATE ardennes\ndeadline: 3 days")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.signed(name, f"JOIN ardennes AS {power}")
    world.collect_reports()
    assert "1901" in text(world.reply("ada", "さっさと処理を始めちゃってくださいな"))
