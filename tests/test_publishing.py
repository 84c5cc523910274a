"""Press is published with a finished game if all agreed and no player said no."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from judge.reports.site import ArchivedGame
from judge.rules import Power
from judge.service.archive import archived_games, write_site
from judge.storage import back_up, put_back
from judge.storage import tables as t
from tests.answered import Asking, scene_of
from tests.office import NAMES, PASS, TITLES, Office, World, joining, text
from tests.scripts import Player, Step

START = "start ardennes\n  deadline: 2 days\n  publish press: yes"
SAID = "cho> PRESS TO Germany: I keep out of Burgundy."
DRAWN = "\n".join(f"{name}! DRAW" for name in NAMES)
OVER = f"@ deadline\n{DRAWN}"
LEFT = f"dan> PRESS TO France: So do I.\ndan! RESIGN\nhal! TAKE OVER ardennes Germany\n{OVER.replace('dan!', 'hal!')}"
"""The game ends without Dan, who has written press."""
ROLLED_BACK = "gil! GAME ardennes\n  ROLLBACK F1901M BECAUSE of a mistake"


NOT_BETWEEN_SEATS = """cho> PRESS TO MASTER: how do I vote?
gil> PRESS TO France: stop that
gil> ANNOUNCE: a happy new year
hal! OBSERVE ardennes
hal! PRESS TO MASTER: who is Austria?
cho> COACH hal@players.test
hal? YES
cho> PRESS TO COACH: what now?
hal@ Burgundy!
cho> NOTE: never trust Germany"""


def played(*scenes: str) -> Player:
    """Play scenes in the lines of `tests/scripts.py`."""
    return scene_of(Asking("", 0, ("scene",), _steps(scenes)))


def go_on(player: Player, *scenes: str) -> None:
    """Play on with more scenes."""
    for step in _steps(scenes):
        player.play(step)


def _steps(scenes: Sequence[str]) -> list[Step]:
    steps: list[Step] = []
    for line in "\n".join(scenes).splitlines():
        if line.startswith(" "):
            steps[-1].below.append(line.strip())
        else:
            steps.append(Step(0, line))
    return steps


def archived(player: Player, days: int = 15) -> ArchivedGame:
    """Return the game as it is published some days later."""
    world = player.world
    (game,) = archived_games(world.parts.store, world.now + timedelta(days=days))
    return game


def published(player: Player, days: int = 15) -> list[str] | None:
    """Return the published press: who, to whom, about what, and the words."""
    messages = archived(player, days).messages
    return [_as_line(one.sender, one.to, one.about, one.text) for one in messages] if messages is not None else None


def _as_line(sender: Power | None, to: tuple[Power, ...] | None, about: str, words: str) -> str:
    return f"{sender or '?'} → {', '.join(to or ('all',))}: {f'[{about}] ' if about else ''}{words}"


def kept(world: World) -> list[str]:
    """Return the texts in the table of press."""
    with world.parts.store.look() as work:
        return list(work.connection.execute(select(t.press.c.text).order_by(t.press.c.id)).scalars())


@pytest.mark.parametrize(
    ("settings", "lines", "found"),
    [
        ("", SAID, ["FRANCE → GERMANY: I keep out of Burgundy."]),
        ("", f"{SAID}\ndan@ So do I.", ["FRANCE → GERMANY: I keep out of Burgundy.", "GERMANY → FRANCE: So do I."]),
        ("", "cho% Germany, Italy | Tyrolia: Shall we?", ["FRANCE → GERMANY, ITALY: [Tyrolia] Shall we?"]),
        ("", "cho> BROADCAST: good luck", ["FRANCE → all: good luck"]),
        ("press sender: anonymous", "cho> ANONYMOUS PRESS TO Italy: psst", ["? → ITALY: psst"]),
        ("press sender: any", "cho> PRESS TO Italy AS Turkey: psst", ["TURKEY → ITALY: psst"]),
        ("anonymous: yes", SAID, ["FRANCE → GERMANY: I keep out of Burgundy."]),
        ("fog: adjacent", SAID, ["FRANCE → GERMANY: I keep out of Burgundy."]),
        # Leaving it out would tell France that Germany has muted it.
        ("", f"dan> MUTE France\n{SAID}", ["FRANCE → GERMANY: I keep out of Burgundy."]),
        ("", f"dan> BLOCK France\n{SAID}", ["FRANCE → GERMANY: I keep out of Burgundy."]),
        (
            "",
            "cho> ABSENCE until 5 Dec WITH hal@players.test\nhal? YES\nhal> PRESS TO Germany: I sit for Cho.",
            ["FRANCE → GERMANY: I sit for Cho."],
        ),
        ("master reads: yes", NOT_BETWEEN_SEATS, None),
        ("publish press: no", SAID, None),
    ],
)
def test_what_is_published(settings: str, lines: str, found: list[str] | None) -> None:
    player = played(f"{START}\n  {settings}", lines, "@ deadline", "cho> NO ABSENCE", DRAWN)
    assert published(player) == found
    assert published(player, days=13) is None


def test_press_after_the_end_is_not_published() -> None:
    player = played(START, SAID, OVER, "cho> PRESS TO Germany: now I can tell you")
    assert published(player) == ["FRANCE → GERMANY: I keep out of Burgundy."]


@pytest.mark.parametrize(
    "lines",
    [
        "ada> KEEP PRESS",
        "ada> NO",
        "dan> NO",
        "dan! GAME ardennes\n  KEEP PRESS",
        "cho! ERASE ME",
        "dan! ERASE ME",
        "@ +30 days\neva! GAME ardennes\n  KEEP PRESS",
    ],
)
def test_one_no_of_anybody_who_played_is_enough_for_ever(lines: str) -> None:
    player = played(START, SAID, LEFT)
    assert len(kept(player.world)) == 2
    assert published(player) is not None
    go_on(player, lines)
    assert published(player, days=60) is None
    assert kept(player.world) == []
    go_on(player, "ben! GAME ardennes\n  SHARE PRESS")
    assert published(player, days=60) is None


@pytest.mark.parametrize("name", ["gil", "ivy", "out"])
def test_nobody_else_has_a_say(name: str) -> None:
    player = played(START, "ivy! OBSERVE ardennes", SAID, OVER, f"{name}! GAME ardennes\n  KEEP PRESS")
    assert "You hold no power" in "".join(map(text, player.letters[name]))
    assert published(player) is not None


def test_press_in_the_name_of_a_player_is_kept_only_with_proof() -> None:
    player = played(START, "cho~ GAME ardennes\n  PRESS TO Germany: I am Cho")
    assert kept(player.world) == []
    go_on(player, "cho? YES")
    assert kept(player.world) == ["I am Cho"]


def test_a_no_in_the_name_of_a_player_does_nothing_without_proof() -> None:
    player = played(START, SAID, OVER, "cho~ GAME ardennes\n  KEEP PRESS")
    assert published(player) is not None
    go_on(player, "cho? NO")  # to the question whether the mail was theirs
    assert published(player) is not None


def test_the_same_mail_again_does_nothing_more() -> None:
    player = played(START, SAID)
    world = player.world
    mail = world.mail("cho", "GAME ardennes\nPRESS TO Germany: once", Authentication_Results=PASS)
    world.arrive(mail, "judge@localhost")
    assert kept(world) == ["I keep out of Burgundy.", "once"]
    go_on(player, OVER)
    mail = world.mail("ada", "GAME ardennes\nKEEP PRESS", Authentication_Results=PASS)
    world.arrive(mail, "judge@localhost")
    assert kept(world) == []


@pytest.mark.parametrize(
    "end",
    [
        "gil! END ardennes BECAUSE nobody plays on",
        "ada> PROPOSE END\n" + "\n".join(f"{name}> VOTE YES" for name in NAMES[1:]),
    ],
)
def test_the_press_of_a_game_without_a_result_is_never_published(end: str) -> None:
    player = played(START, SAID, "@ deadline", end, "= finished")
    assert published(player) is None
    assert kept(player.world) == []
    assert not any("publish" in text(letter) for letters in player.letters.values() for letter in letters)


def test_a_game_that_starts_anew_begins_without_press() -> None:
    player = played(START, SAID, "gil! UNSTART BECAUSE of a mistake", "gil! START", OVER)
    assert (published(player), player.found().writers) == (None, ())


def test_a_game_that_goes_on_after_its_end_is_not_published_before_its_next() -> None:
    player = played(START, SAID, "@ deadline", "@ deadline", DRAWN, ROLLED_BACK)
    assert archived_games(player.world.parts.store, player.world.now + timedelta(days=30)) == ()
    go_on(player, "cho> PRESS TO Germany: again?", "@ +5 days", DRAWN, "= finished")
    assert published(player, days=13) is None
    assert published(player) == ["FRANCE → GERMANY: I keep out of Burgundy.", "FRANCE → GERMANY: again?"]


def test_what_is_kept_stays_kept_and_a_no_stays_a_no_after_a_rollback() -> None:
    player = played(START, SAID, "@ deadline", "@ deadline", DRAWN, "ada> KEEP PRESS")
    go_on(player, ROLLED_BACK, SAID, "@ +5 days", DRAWN, "= finished")
    assert (published(player), kept(player.world)) == (None, [])


def test_on_another_board() -> None:
    world = World()
    world.signed("gil", "CREATE ardennes\nboard: isthmus\npublish press: yes\nassignment: registration-order")
    first, second, *_ = world.game().map.powers
    for name, power in (("ada", first), ("ben", second)):
        world.signed(name, f"JOIN ardennes AS {power}")
    world.settle()
    world.collect_reports("ada", "ben")
    world.reply("ada", f"PRESS TO {second}: hello")
    world.pass_deadline()
    for name in ("ada", "ben"):
        world.signed(name, "GAME ardennes\nDRAW")
    (game,) = archived_games(world.parts.store, world.now + timedelta(days=15))
    assert [(one.sender, one.to, one.text) for one in game.messages or ()] == [(first, (second,), "hello")]


def test_the_pages_show_press_and_statements_without_people(tmp_path: Path) -> None:
    said = "cho> STATEMENT:\n  <b>Burgundy</b> stayed empty.\n  END STATEMENT"
    player = played(START, SAID, OVER, said, "cho> STATEMENT: It stayed <i>empty</i>.", "ada> STATEMENT: Thanks.")
    assert [(one.power, one.text) for one in archived(player).statements] == [
        ("AUSTRIA", "Thanks."),
        ("FRANCE", "It stayed <i>empty</i>."),
    ]
    write_site(tmp_path / "before", archived_games(player.world.parts.store, player.world.now))
    assert not [*(tmp_path / "before").rglob("press.html")]
    page = (tmp_path / "before/en/ardennes/index.html").read_text("utf-8")
    assert "It stayed &lt;i&gt;empty&lt;/i&gt;." in page
    later = player.world.now + timedelta(days=15)
    write_site(tmp_path / "site", archived_games(player.world.parts.store, later))
    for language, heading in (
        ("en", "France to Germany"),
        ("ja", "フランスからドイツへ"),
        ("de", "Frankreich an Deutschland"),
    ):
        page = (tmp_path / "site" / language / "ardennes/press.html").read_text("utf-8")
        assert heading in page
        assert "I keep out of Burgundy." in page
    written = "".join(path.read_text("utf-8") for path in _of_the_game(tmp_path / "site"))
    assert "players.test" not in written
    assert [name for name in (*NAMES, "gil") if f"{name.title()} " in written] == []
    go_on(player, "ada> KEEP PRESS")
    write_site(tmp_path / "site", archived_games(player.world.parts.store, later))
    assert "Burgundy" not in "".join(path.read_text("utf-8") for path in _of_the_game(tmp_path / "site"))


def _of_the_game(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.rglob("*ardennes*/*.html"))
    yield folder / "games" / "ardennes.json"


def test_statements_need_no_consent_and_go_with_their_player() -> None:
    player = played("start ardennes\n  deadline: 2 days", SAID, OVER, "cho> STATEMENT: Thanks.", "ada> STATEMENT: Bye.")
    assert (len(archived(player).statements), published(player)) == (2, None)
    go_on(player, "cho! ERASE ME")
    assert [one.power for one in archived(player).statements] == ["AUSTRIA"]


def test_my_data_holds_what_i_wrote_and_not_what_others_wrote() -> None:
    player = played(START, SAID, "dan> PRESS TO France: So do I.")
    with player.world.parts.store.look() as work:
        person = work.people.by_address("cho@players.test")
        assert person is not None
        (row,) = work.data_of(person)["press and statements to be published"]
    assert (row["power"], row["recipients"], row["text"]) == ("FRANCE", "GERMANY", "I keep out of Burgundy.")


def test_a_game_that_moves_leaves_its_press_here() -> None:
    player = played(START, SAID, "gil> EXPORT")
    (receipt,) = player.letters["gil"]
    (content,) = [part for part in receipt.walk() if part.get_content_type() == "application/json"]
    written = content.get_payload(decode=True)
    assert isinstance(written, bytes)
    assert b"writers" not in written
    assert b"Burgundy" not in written


def test_who_was_erased_since_a_backup_still_counts_as_a_no(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.keep("gil", "CREATE ardennes", "deadline: 2 days", "publish press: yes")
    office.settle()
    for name, title in zip(NAMES, TITLES, strict=True):
        for line in joining(title):
            office.keep(name, line)
            office.settle()
    office.keep("cho", "GAME ardennes", "PRESS TO Germany: I keep out of Burgundy.")
    office.settle()
    assert kept_by(office) == 1
    back_up(office.url, tmp_path / "copy")
    office.keep("cho", "ERASE ME")
    office.settle()
    (asked,) = [one for one in office.letters("cho@players.test") if "+confirm." in str(one.reply_to)]
    office.keep("cho", "YES", to=str(asked.reply_to))
    office.settle()
    assert kept_by(office) == 0
    office.stop()
    put_back(office.url, tmp_path / "copy")
    office.start()
    assert kept_by(office) == 0
    office.stop()


def kept_by(office: Office) -> int:
    with office.parts.store.look() as work:
        return len(work.publications.of("ardennes"))
