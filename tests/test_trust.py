"""People do and lose only what they want, and see only what is theirs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from email.message import Message
from pathlib import Path

import pytest

from judge import commands as c
from judge.commands import Command, Language
from judge.reports.readers import Consequence, NoticeKind
from judge.reports.render import notice
from judge.reports.wording import wording_in
from judge.rules.position import Power
from judge.storage.backup import back_up, put_back
from tests.database import change
from tests.office import Office, World, begun, text, world

__all__ = ["world"]

FRANCE, ITALY = Power("FRANCE"), Power("ITALY")
FINALS: tuple[tuple[Consequence, str, str], ...] = (
    (Consequence(c.Resign(), "aisne", (FRANCE,)), "In “aisne” you give up France", "「aisne」のフランスを手放します"),
    (Consequence(c.Resign(), "aisne", (FRANCE, ITALY)), "give up France, Italy", "フランス・イタリアを手放します"),
    (Consequence(c.Resign(), "aisne", has_joined=True), "your place in “aisne”", "「aisne」への参加を取りやめます"),
    (Consequence(c.Resign(), "aisne"), "no longer a master of “aisne”", "「aisne」の副管理人をやめます"),
    (
        Consequence(c.Concede(ITALY), "aisne", (FRANCE,), sharers=(ITALY,)),
        "as France, let Italy win",
        "フランスとしてイタリアの勝利に同意",
    ),
    (
        Consequence(c.Concede(ITALY), "aisne", (FRANCE,), sharers=(ITALY,), is_held=True),
        "are counted when the phase closes",
        "フェイズの終わりに数えます",
    ),
    (Consequence(c.EndGame("aisne"), "aisne"), "“aisne” is over for everybody", "「aisne」は結果のないまま"),
    (Consequence(c.HandOver("a@b.test"), "aisne"), "a@b.test is the master of “aisne”", "管理人が a@b.test に"),
    (Consequence(c.Rematch(), "aisne"), "the settings of “aisne”", "「aisne」と同じ設定"),
    (Consequence(c.SetAddress("a@b.test")), "to the new address", "新しいアドレスにお送りし"),
    (Consequence(c.SetSecondAddress("a@b.test")), "mail from there counts", "そのアドレスからのメールも"),
    (
        Consequence(c.EraseMe(), games=("aisne", "berry")),
        "all your games (aisne, berry)",
        "すべてのゲーム(aisne、berry)",
    ),
    (Consequence(c.EraseMe()), "your mails are forgotten", "メールは消去します"),
)


@pytest.mark.parametrize("kind", [NoticeKind.CONFIRM, NoticeKind.CONFIRM_FINAL, NoticeKind.UNCLEAR])
@pytest.mark.parametrize(("final", "english", "japanese"), FINALS)
def test_a_question_names_game_power_and_consequence(
    kind: NoticeKind, final: Consequence, english: str, japanese: str
) -> None:
    def told(language: Language) -> str:
        summary = wording_in(language).say_from("notices", "summary", ["x"], "", [final], [])
        of_a_mail = {"summary": summary, "asked": ["x"], "is_known": True}
        of_a_line = {"asked": ["x"], "finals": [final], "subject": "x", "new_address": False}
        return notice(kind, language, **(of_a_mail if kind is NoticeKind.CONFIRM else of_a_line)).text

    assert english in " ".join(told(Language.ENGLISH).split())
    assert japanese in "".join(told(Language("ja")).split()).replace("a@b.test", " a@b.test ")


def test_all_that_cannot_be_undone_has_its_consequence() -> None:
    finals = {kind for kind in c.__dict__.values() if isinstance(kind, type) and _is_final(kind)}
    assert finals - {c.Perhaps, c.PressOrOrders} == {type(one.command) for one, _, _ in FINALS}


def _is_final(kind: type[Command]) -> bool:
    card = getattr(kind, "card", None)
    return card is not None and card.is_final


# A private game

ASKED = (
    "TABLE {}",
    *("STATUS {}", "RULES {}", "JOIN {}", "JOIN {} AS France", "OBSERVE {}", "TAKE OVER {} France", "END {} BECAUSE x"),
    *("GAME {}\n" + line for line in ("MAP", "MAP S1901M", "HISTORY", "SUMMARY", "REPLAY", "WHO", "LOG", "VOTES")),
    *(
        "GAME {}\n" + line
        for line in ("A Par - Bur", "F Lon - Bur", "パリ陸軍は維持", "PRESS TO MASTER: hello", "READY")
    ),
    *("GAME {}\n" + line for line in ("RESIGN", "INVITE a@b.test", "ALLOW", "CALENDAR", "EXPORT", "STATUS", "RULES")),
)


@pytest.fixture
def secret(world: World) -> World:
    world.proved("gil", "CREATE ardennes\nlisted: no\nobservers: no\nplayers: 2")
    world.proved("out", "REGISTER")
    return world


def answered(world: World, asked: str) -> Message:
    """Return the answer to a mail, which is confirmed if necessary."""
    world.mail("out", asked)
    (letter,) = world.box.take("out")
    if "+confirm." in str(letter["Reply-To"]):
        world.mail("out", "YES", to=str(letter["Reply-To"]))
        (letter,) = world.box.take("out")
    return letter


def answer(world: World, asked: str, name: str) -> str:
    world.now += timedelta(hours=1)  # a person without proof is answered twenty times an hour
    letter = answered(world, asked.format(name))
    return f"{letter['Subject']}\n{text(letter)}".replace(name, "…")


def test_to_strangers_a_private_game_is_as_none(secret: World) -> None:
    answers = {asked: [answer(secret, asked, name) for name in ("ardennes", "nonesuch")] for asked in ASKED}
    assert not {asked for asked, (private, none) in answers.items() if private != none}
    assert not {asked for asked, (_, none) in answers.items() if "no game" not in none}


@pytest.mark.parametrize("asked", ["STATUS ardennes", "JOIN ardennes", "GAME ardennes\nMAP"])
def test_who_was_invited_knows_it(secret: World, asked: str) -> None:
    secret.box.letters.clear()
    secret.proved("gil", "GAME ardennes\nINVITE out@players.test")
    secret.box.letters.clear()
    assert "no game" not in text(answered(secret, asked))


# Data stored about a person


def test_my_data_holds_mine_and_nothing_of_others(world: World) -> None:
    begun(world)
    world.reply("cho", "A PAR - BUR\nNOTE: beware of Eva\nDRAW")
    world.reply("eva", "A VEN - PIE\nNOTE: beware of Cho")
    letter = world.reply("eva", "MY DATA")
    assert "1 line of your diary" in " ".join(text(letter).split())
    (file,) = [part for part in letter.walk() if part.get_filename() == "my-data.json"]
    content = file.get_payload(decode=True)
    assert isinstance(content, bytes)
    data = json.loads(content)
    assert [row["line"] for row in data["orders"]] == ["A VEN - PIE"]
    assert [row["text"] for row in data["diary"]] == ["beware of Cho"]
    assert data["registered"]["address"] == "eva@players.test"
    assert {row["game"] for row in data["games"]} == {"ardennes"}
    assert any("beware of Cho" in row.get("content", "") for row in data["mails from you"])
    assert not [secret for secret in ("beware of Eva", "A PAR - BUR", "cho@players.test") if secret in content.decode()]


def test_who_was_forgotten_stays_so_when_a_backup_is_restored(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.keep("gil", "REGISTER Gil the Great")
    office.keep("ada", "REGISTER Ada")
    office.settle()
    change(office.url, "UPDATE person SET second = 'work@players.test' WHERE name = 'Gil the Great'")
    office.keep("work", "SET STANDBY any")
    office.settle()
    back_up(office.url, tmp_path / "copy")
    office.keep("gil", "ERASE ME")
    office.settle()
    (asked,) = [one for one in office.letters("gil@players.test") if "+confirm." in str(one.reply_to)]
    office.keep("gil", "YES", to=str(asked.reply_to))
    office.settle()
    office.stop()
    put_back(office.url, tmp_path / "copy")
    office.start()
    with office.parts.store.work() as work:
        assert work.people.by_address("gil@players.test") is None
        assert work.people.by_address("work@players.test") is None
        assert work.people.by_address("ada@players.test") is not None
        assert work.connection.exec_driver_sql("select count(*) from person where wishes <> '{}'").scalar() == 0
        boxes: Mapping[str, Callable[[int], object]] = {"outbox": work.outbox.get, "inbox": work.inbox.get}
        kept = [
            repr(read(number))
            for box, read in boxes.items()
            for number in work.connection.exec_driver_sql(f"select id from {box}").scalars().all()
        ]
    office.stop()
    assert not [one for one in kept if "gil@" in one or "work@" in one or "Great" in one]
    assert any("ada@players.test" in one for one in kept)
