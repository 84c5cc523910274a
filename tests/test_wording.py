"""Everything that is said in one language is said in the other.

A missing translation fails here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import get_args
from zoneinfo import ZoneInfo

import pytest

from judge.commands import Language
from judge.games.answers import AbsenceSet
from judge.language import Context, read
from judge.language.asking.phrases import load_phrases
from judge.language.writing import translated
from judge.reports.ballots import DrawView, VotesView
from judge.reports.catalogs import files_of
from judge.reports.manual import load_manual
from judge.reports.wording import wording_in
from judge.rules import Power, load_map, read_order, read_unit
from judge.rules.orders import Order
from judge.rules.outcomes import Bounced, Dislodged, Outcome, Verdict
from judge.rules.position import PhaseKind
from tests.happenings import FRANCE, GAME, ITALY

ENGLISH, JAPANESE, GERMAN = (wording_in(language) for language in (Language.ENGLISH, Language("ja"), Language("de")))


def english_words() -> re.Pattern[str]:
    """Return a pattern for English command words that have Japanese ones, in capitals.

    Hints write them that way.
    """
    entries = [entry for entry in load_phrases().entries if Language("ja") in entry.own_words]
    words = {word.upper() for entry in entries for word in entry.own_words.get(Language.ENGLISH, ())} | {"YES", "NO"}
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![A-Za-z({{])(?:END )?(?:{'|'.join(map(re.escape, longest_first))})(?![A-Za-z])")


def japanese_sentences() -> Iterator[tuple[str, str]]:
    """Yield each Japanese text with its origin, without what templates fill in."""
    for path in files_of("ja"):
        texts = re.findall(r'^msgstr(?:\[0\])? "(.*)"$', path.read_text("utf-8"), re.MULTILINE)
        yield path.name, "\n".join(re.sub(r"\{.*?\}", "", text) for text in texts)
    manual = load_manual()
    commands = [entry.pages[Language("ja")] for entry in manual.commands]
    settings = [entry.pages[Language("ja")] for entry in manual.settings]
    for page in (*commands, *settings):
        yield type(page).__name__, str(page)
    for topic, told in manual.topics.items():
        yield topic, told["ja"]


def test_who_reads_japanese_is_told_japanese_commands() -> None:
    english = english_words()
    assert english.search("CLEAR と書いてください")
    # The English word may stand in brackets beside the Japanese one.
    sentences = [(name, re.sub(r"\([A-Z ]+\)", "", told)) for name, told in japanese_sentences()]
    found = [(name, word[0]) for name, told in sentences for word in english.finditer(told)]
    assert found == []


@pytest.mark.parametrize(
    ("hint", "japanese"),
    [
        ("CLEAR A MUN", "取消 A MUN"),
        ("CLEAR", "取消"),
        ("CONCEDE TO Austria", "降伏 オーストリア"),
        ("SET ZONE Asia/Tokyo", "時間帯 Asia/Tokyo"),
        ("SET LANGUAGE ja", "言語 日本語"),
        ("PROCESS S1901M", "更新 S1901M"),
        ("EXTEND 1 day BECAUSE Alice is away", "延長 1日 理由: 秋山さんが不在のため"),
        ("ready", "完了"),
        ("TAKE OVER ardennes", "引き継ぎ ardennes"),
    ],
)
def test_a_hint_in_japanese(hint: str, japanese: str) -> None:
    assert translated(Language("ja"), hint) == japanese


LACKING = [
    ("CONCEDE", "CONCEDE needs a power: CONCEDE TO Austria.", "「降伏」の後に国を書いてください: 「降伏 "),
    ("降伏", "CONCEDE needs a power: CONCEDE TO Austria.", "「降伏」の後に国を書いてください: 「降伏 オーストリア」"),
    ("EXTEND", "EXTEND needs a length of time: EXTEND 1 day", "「延長」の後に長さを書いてください: 「延長 1日"),
    ("SET ZONE", "ZONE needs a time zone: SET ZONE Asia/Tokyo.", "「時間帯」の後に地域を書いてください"),
    ("JOIN", "JOIN needs the name of a game: JOIN ardennes AS France.", "「参加」の後にゲーム名を書いてください"),
    ("INVITE", "INVITE needs an address: INVITE alice@example.com.", "「招待」の後にアドレスを書いてください: "),
]  # fmt: skip


@pytest.mark.parametrize(("written", "english", "japanese"), LACKING, ids=[row[0] for row in LACKING])
def test_what_a_command_lacks_is_named(written: str, english: str, japanese: str) -> None:
    (line,) = read(written, Context(load_map(), load_map().start(), (FRANCE,)))
    (fault,) = line.faults
    assert ENGLISH.say("fault", fault).startswith(english)
    assert JAPANESE.say("fault", fault).startswith(japanese)


def test_a_line_in_another_language_is_answered_with_the_commands_of_its_reader() -> None:
    """Each command has text behind it that it cannot have."""
    japanese, english = re.compile("[ぁ-んァ-ヶ一-龯]"), english_words()
    told = 0
    for word in [words[0] for entry in load_phrases().entries for words in entry.own_words.values()]:
        written = f"{word.upper()} xyz"
        (line,) = read(written, Context(load_map(), load_map().start(), (FRANCE,)))
        for fault in line.faults:
            told += 1
            for reader in (ENGLISH, GERMAN):
                assert not japanese.search(reader.say("fault", fault).replace(fault.word, "")), written
            found = english.search(JAPANESE.say("fault", fault).replace(fault.word, ""))
            assert found is None, written
    assert told > 100


def paris(day: int, hour: int = 0) -> datetime:
    return datetime(2026, 12, day, hour, tzinfo=ZoneInfo("Europe/Paris"))


@pytest.mark.parametrize(
    ("start", "end", "english", "japanese"),
    [
        (paris(1), paris(2), "on Tue 1 Dec 2026.", "2026年12月1日(火)を不在"),
        (
            paris(1), paris(6), "from Tue 1 Dec 2026 through Sat 5 Dec 2026.",
            "2026年12月1日(火)から2026年12月5日(土)まで不在",
        ),
        (
            paris(1, 18), paris(6), "from Tue 1 Dec 2026, 18:00 CET (17:00 UTC) through Sat 5 Dec 2026.",
            "2026年12月1日(火) 18時00分 CET (UTC 17:00)から2026年12月5日(土)まで不在",
        ),
        (
            paris(1), paris(5, 12), "from Tue 1 Dec 2026 to Sat 5 Dec 2026, 12:00 CET (11:00 UTC).",
            "2026年12月1日(火)から2026年12月5日(土) 12時00分 CET (UTC 11:00)まで不在",
        ),
    ],
)  # fmt: skip
def test_days_of_absence_are_told_as_days(start: datetime, end: datetime, english: str, japanese: str) -> None:
    absence = AbsenceSet(start, end, None, is_later=False, zone="Europe/Paris")
    assert ENGLISH.say("answer", absence).startswith(f"You are away {english}")
    assert JAPANESE.say("answer", absence).startswith(f"{japanese}として登録しました。")


ORDERS = [
    read_order(text)
    for text in (
        "A PAR H", "A PAR - BUR", "A LON - BEL VIA", "A MAR S A PAR - BUR", "A MAR S A PAR", "F NTH C A LON - BEL",
        "A MUN R TYR", "A MUN D", "A PAR B", "F BRE B", "WAIVE",
    )
]  # fmt: skip
OUTCOMES: dict[str, tuple[Outcome, ...]] = {
    "done": (),
    "failed": (Bounced("BUR", (read_unit("A MUN"),), 1, 1),),  # type: ignore[arg-type]
    "lost": (Dislodged(read_unit("A MUN"), None, 2, 1),),  # type: ignore[arg-type]
}


def test_every_kind_of_order_is_tried() -> None:
    assert {type(order) for order in ORDERS} == set(get_args(Order))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("came_out", OUTCOMES)
@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_what_became_of_an_order_is_one_sentence(order: Order, came_out: str, language: Language) -> None:
    wording = wording_in(language)
    verdict = Verdict(FRANCE, order, OUTCOMES[came_out])
    for kind in PhaseKind:
        told = wording.say_from("reports", "result", verdict, kind.value)
        assert len(told) > 8
        assert re.search(r"[.。]$", told)
        assert not re.search(r"\s\s|[.。]{2}|^\W", told), told


UNORDERED = {
    "en": ("no order", "By rule: Army Paris was disbanded."),
    "ja": ("命令がなく", "規則により"),
    "de": ("keinen Befehl", "Nach den Regeln: Armee Paris wurde abgebaut."),
}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", PhaseKind)
def test_a_unit_without_an_order_is_told_of(kind: PhaseKind, language: Language) -> None:
    order = read_order("A PAR H" if kind is PhaseKind.MOVEMENT else "A PAR D")
    told = wording_in(language).say_from("reports", "result", Verdict(FRANCE, order, (), given=False), kind.value)
    by_rule = kind is PhaseKind.ADJUSTMENT
    assert UNORDERED[language][by_rule] in told
    assert re.search(r"[.。]$", told)


CONCEDED: dict[Power, tuple[Power, ...]] = {ITALY: (FRANCE,)}
NAMED = (DrawView((FRANCE, ITALY), 2, 5, (FRANCE, ITALY)),)


@pytest.mark.parametrize(
    ("votes", "english", "japanese"),
    [
        (
            VotesView(3, 4, in_centers=False, agreeing=(), conceding={}),
            "Draw: 3 of 7 agree.",
            "引き分け: 7か国のうち3か国が賛成しています。",
        ),
        (
            VotesView(1, 6, in_centers=False, agreeing=(FRANCE,), conceding={}),
            "Draw: 1 of 7 agree (France).",
            "引き分け: 7か国のうち1か国が賛成しています(フランス)。",
        ),
        (
            VotesView(13, 10, in_centers=True, agreeing=(), conceding={}),
            "Armistice: those who agree own 13 centers; 10 more are needed.",
            "停戦: 賛成している国の補給都市は合わせて13か所、成立まであと10か所です。",
        ),
        (
            VotesView(0, 7, in_centers=False, agreeing=(), conceding=CONCEDED),
            "France would concede to Italy.",
            "フランスはイタリアに降伏すると言っています。",
        ),
        (
            VotesView(1, 6, in_centers=False, agreeing=(), conceding={}, named=NAMED),
            "Draw: 1 of 7 agree. Draw shared by France, Italy: 2 of 7 agree (France, Italy).",
            (
                "引き分け: 7か国のうち1か国が賛成しています。"
                "フランス、イタリアの引き分け: 7か国のうち2か国が賛成しています(フランス、イタリア)。"
            ),
        ),
    ],
)
def test_votes_under_way(votes: VotesView, english: str, japanese: str) -> None:
    told = [wording.say("votes", votes) for wording in (ENGLISH, JAPANESE)]
    assert told == [english, japanese]


def test_how_to_write_to_the_others_is_said_where_it_is_allowed() -> None:
    powers = tuple(seat.power for seat in GAME.seats)
    for wording, press, broadcast in ((ENGLISH, "PRESS TO", "BROADCAST"), (JAPANESE, "密書 オーストリア", "公式発言")):
        private, public = (wording.say_from("reports", "talk", how, powers) for how in ("private", "public"))
        assert press in private
        assert press not in public
        assert broadcast in public
        assert wording.say_from("reports", "talk", "", powers) == ""
