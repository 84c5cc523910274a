"""Nobody is made to do, or to lose, what he did not want: what cannot be undone is asked about by its name."""

from __future__ import annotations

import pytest

from judge import commands as c
from judge.commands import Command, Language
from judge.reports import Consequence, NoticeKind, notice
from judge.rules.position import Power

FRANCE, ITALY = Power("FRANCE"), Power("ITALY")
FINALS: tuple[tuple[Consequence, str, str], ...] = (
    (Consequence(c.Resign(), "aisne", (FRANCE,)), "In “aisne” you give up France", "「aisne」のフランスを手放します"),
    (Consequence(c.Resign(), "aisne", (FRANCE, ITALY)), "give up France, Italy", "フランス・イタリアを手放します"),
    (Consequence(c.Resign(), "aisne", has_joined=True), "your place in “aisne”", "「aisne」への参加を取りやめます"),
    (Consequence(c.Resign(), "aisne"), "no longer a master of “aisne”", "「aisne」の副管理人をやめます"),
    (
        Consequence(c.Concede(ITALY), "aisne", (FRANCE,)),
        "as France, let Italy win",
        "フランスとしてイタリアの勝利に同意",
    ),
    (Consequence(c.EndGame("aisne"), "aisne"), "“aisne” is over for everybody", "「aisne」は結果のないまま"),
    (Consequence(c.HandOver("a@b.test"), "aisne"), "a@b.test is the master of “aisne”", "管理人が a@b.test に"),
    (Consequence(c.Rematch(), "aisne"), "the settings of “aisne”", "「aisne」と同じ設定"),
    (Consequence(c.SetAddress("a@b.test")), "to the new address", "新しいアドレスにお送りし"),
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
    values = {"asked": ["x"], "finals": [final], "subject": "x", "new_address": False}
    assert english in " ".join(notice(kind, Language.ENGLISH, **values).text.split())
    assert japanese in "".join(notice(kind, Language.JAPANESE, **values).text.split()).replace("a@b.test", " a@b.test ")


def test_all_that_cannot_be_undone_has_its_consequence() -> None:
    finals = {kind for kind in c.__dict__.values() if isinstance(kind, type) and _is_final(kind)}
    assert finals - {c.Perhaps} == {type(one.command) for one, _, _ in FINALS}


def _is_final(kind: type[Command]) -> bool:
    card = getattr(kind, "card", None)
    return card is not None and card.is_final
