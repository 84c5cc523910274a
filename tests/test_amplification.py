"""How many mails one mail can cause, and what they say.

The judge cannot be made to write to others at will.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from email.message import EmailMessage, Message

import pytest

from judge.mail.headers import body_text
from tests.office import JUDGE, NAMES, World, address, playing, text, world

__all__ = ["playing", "world"]

STRANGER = "stranger@elsewhere.test"
ADVERT = "Buy pills at pills.test"


def received(world: World) -> Counter[str]:
    """Count the letters of each recipient since the last look."""
    found = Counter(to for to, _ in world.box.letters)
    world.box.letters.clear()
    return found


def master_of(world: World, *games: str) -> None:
    world.proved("gil", f"CREATE {games[0]}")
    for game in games[1:]:
        master_writes(world, f"CREATE {game}")
    world.box.letters.clear()


def master_writes(world: World, body: str) -> None:
    world.mail("gil", body)
    (asked,) = world.box.take("gil")
    world.mail("gil", "YES", to=str(asked["Reply-To"]))
    world.box.take("gil")


def forged(world: World, name: str, body: str) -> bytes:
    world.number += 1
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"{ADVERT} <{address(name)}>", JUDGE, ADVERT
    mail["Message-ID"] = f"<{world.number}@forger.test>"
    mail.set_content(body)
    return mail.as_bytes()


# People who did not write first


def test_a_stranger_is_invited_once_in_30_days_by_whomever(world: World) -> None:
    games = ("aisne", "berry", "cher")
    master_of(world, *games)
    for game in games:
        master_writes(world, f"GAME {game}\nINVITE {STRANGER}")
    assert received(world)[STRANGER] == 1
    world.now += timedelta(days=31)
    master_writes(world, f"GAME {games[0]}\nUNINVITE {STRANGER}\nINVITE other-{STRANGER}")
    assert received(world)[f"other-{STRANGER}"] == 1


def test_one_mail_invites_no_more_people_than_there_are_seats(playing: World) -> None:
    answer = playing.reply("gil", "\n".join(f"REPLACE Turkey {n}@elsewhere.test because of {n}" for n in range(190)))
    assert "at most as many people as the game has seats, and that is 7" in " ".join(text(answer).split())
    assert sum(count for to, count in received(playing).items() if to.endswith("@elsewhere.test")) == 7


def test_who_invites_too_many_in_a_day_is_told_until_when(playing: World) -> None:
    def invited(day: int) -> tuple[int, list[str]]:
        mails = [[f"REPLACE Turkey {day}-{n}-{m}@elsewhere.test because of {m}" for m in range(7)] for n in range(5)]
        answers = [" ".join(text(playing.reply("gil", "\n".join(lines))).split()) for lines in mails]
        return sum(count for to, count in received(playing).items() if to.endswith("@elsewhere.test")), answers

    count, answers = invited(1)
    assert count == 30
    assert ["Please invite again after Wed 25 Nov" in answer for answer in answers] == [False] * 4 + [True]
    playing.now += timedelta(hours=25)
    assert invited(2)[0] == 30


def test_invitations_to_people_who_are_known_count_alike(playing: World) -> None:
    """Otherwise the answer would reveal who is registered."""
    answer = playing.signed("out", "CREATE somme")
    assert "somme" in text(answer)
    names = [*NAMES, "gil"]
    answer = playing.signed("out", "GAME somme\n" + "\n".join(f"INVITE {address(name)}" for name in names))
    assert "as the game has seats, and that is 7" in " ".join(text(answer).split())


@pytest.mark.parametrize("body", ["JOIN ardennes", "REGISTER", "CREATE pillstest", "F LON - NTH", "OBSERVE ardennes"])
def test_forged_strangers_are_asked_once_and_read_no_advertisement(playing: World, body: str) -> None:
    for n in range(3):
        for _ in range(3):
            playing.arrive(forged(playing, f"victim-{n}", f"{body}\n{ADVERT}"), JUDGE)
        playing.now += timedelta(hours=2)
    letters = list(playing.box.letters)
    assert max(received(playing).values(), default=0) <= 1
    for _, letter in letters:
        assert "pills" not in text(letter).replace("pillstest", "") + str(letter["Subject"])
    assert not any("pillstest" in text(letter) for _, letter in letters)


@pytest.mark.parametrize(
    "body",
    [
        "HELP {advert}",
        "ヘルプ {advert}",
        "HELP join {advert}",
        "HELP\n{advert}\nA Par - {advert}",
        "HELP\n> A Par - Bur {advert}",
        "RULES {advert}",
        "STATUS pillstest",
        "LIST\nRULES pillstest",
        "CREATE pillstest\ndeadline: {advert}",
        "CREATE pillstest\n{advert}: 2 days",
        "CHECK SETTINGS\ndeadline: {advert}\npress: {advert}",
        "JOIN ardennes\n{advert}",
        "SET NAME {advert}",
        "SET ZONE {advert}",
        "SET REMINDERS {advert}",
        "STANDBY {advert}",
        "REGISTER {advert}\nlanguage: en",
        "ABSENCE until {advert}",
        "RULES ardennes\n{advert}, shall I?",
        "Please show me the list of games. {advert}!",
        "PRESS TO France: {advert}",
        "NOTE: {advert}",
    ],
)
def test_no_word_that_somebody_chose_reaches_a_stranger(playing: World, body: str) -> None:
    playing.arrive(forged(playing, "victim", body.format(advert=ADVERT)), JUDGE)
    (letter,) = playing.box.take("victim")
    assert "pills" not in f"{letter['Subject']}\n{text(letter)}".lower()


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ("SET ZONE Tokyo", "SET ZONE Asia/Tokyo"),
        ("時間帯 日本", "時間帯 Asia/Tokyo"),
        ("SET MAPS dark", "SET MAPS DARK"),
        ("図 暗い", "図 暗い"),
        ("SET REMINDERS 24h and 3h", "SET REMINDERS 1 day, 3 hours"),
        ("SET MAIL digest daily 20:00", "SET MAIL DIGEST daily 20:00"),
        ("STANDBY standard, en", "STANDBY standard, en"),
        ("補欠 en", "補欠 en"),
        ("SET RECEIPTS short", "SET RECEIPTS SHORT"),
        ("SET NAME Alice", "SET NAME"),
    ],
)
def test_a_stranger_is_asked_what_is_set_to_what(world: World, body: str, asked: str) -> None:
    world.mail("out", body)
    (letter,) = world.box.take("out")
    assert asked in [line.strip() for line in text(letter).splitlines()]


def test_a_stranger_is_told_how_often_questions_come(playing: World) -> None:
    def asked(body: str, days: int = 0) -> list[Message]:
        playing.now += timedelta(days=days)
        playing.mail("out", body)
        return playing.box.take("out")

    (first,) = asked("OBSERVE ardennes")
    assert "at most once a day, and three times in 30 days" in " ".join(text(first).split())
    assert [len(asked(body)) for body in ("CREATE somme", "HELP", "LIST", "hello")] == [0, 1, 1, 1]


def test_a_stranger_who_says_yes_is_asked_as_those_are_who_play(playing: World) -> None:
    def asked() -> list[Message]:
        playing.mail("out", "CREATE somme\ndeadline: soon")
        return playing.box.take("out")

    for _ in range(3):
        (question,) = asked()
        playing.mail("out", "YES", to=str(question["Reply-To"]))
        (refused,) = playing.box.take("out")
        assert "deadline: soon" in text(refused)
    assert asked() == []


def test_a_stranger_who_writes_what_cannot_be_read_hears_of_it_and_reads_nothing_of_it(world: World) -> None:
    head = f"From: victim@players.test\r\nSubject: {ADVERT}\r\nMessage-ID: <1@players.test>\r\n\r\n"
    world.arrive(head.encode() + b"x" * 1_100_000, "judge@localhost", "victim@players.test")
    ((to, letter),) = world.box.letters
    assert to == "victim@players.test"
    assert "too large" in " ".join(text(letter).split())
    assert "pills" not in text(letter)


def test_a_new_address_is_asked_no_more_often_than_others(playing: World) -> None:
    for _ in range(5):
        playing.reply("cho", f"SET ADDRESS {STRANGER}")
    assert received(playing)[STRANGER] == 1


# Inside a game


def test_what_one_mail_says_to_all_is_one_letter_for_each(playing: World) -> None:
    words = [f"word {n}" for n in range(20)]
    playing.reply("cho", "\n".join(f"BROADCAST\n{word}\nEND BROADCAST" for word in words))
    broadcasts = [(to, letter) for to, letter in playing.box.letters if letter["Auto-Submitted"] == "auto-generated"]
    others = {address(name) for name in ("gil", *NAMES)} - {address("cho")}
    assert Counter(to for to, _ in broadcasts) == dict.fromkeys(others, 1)
    said = text(broadcasts[0][1])
    assert [said.find(word) for word in words] == sorted(said.find(word) for word in words)
    assert all(word in said for word in words)


def test_words_to_different_readers_stay_apart(playing: World) -> None:
    playing.reply(
        "cho", "PRESS TO ENGLAND\nyes\nEND PRESS\nPRESS TO GERMANY\nno\nEND PRESS\nPRESS TO ENGLAND\nreally\nEND PRESS"
    )
    (england,), (germany,) = playing.box.take("ben"), playing.box.take("dan")
    assert "yes" in text(england)
    assert "really" in text(england)
    assert "no" not in text(england).split()
    assert "really" not in text(germany)


def test_who_says_too_much_is_told_what_was_not_sent_and_until_when(playing: World) -> None:
    for number in range(19):
        answer = playing.reply("cho", f"BROADCAST: word {number}")
    assert "Not sent: 120 letters" in " ".join(text(answer).split())
    assert "Please send it again after Tue" in " ".join(text(answer).split())
    assert "BROADCAST: word 18" in text(answer)
    assert max(received(playing).values()) <= 19
    playing.now += timedelta(minutes=61)
    assert "Not sent" not in text(playing.reply("cho", "BROADCAST: word 20"))
    assert "Not sent" not in text(playing.reply("ben", "PRESS TO FRANCE: enough"))


# What people wrote


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("A PAR\u202e RUB - \u202c", "A PAR RUB - "),
        ("\u2067abc\u2069\u200e\u200f\u061c", "abc"),
        ("\x1b[2Jcleared\x07\x9b", "[2Jcleared"),
        ("two\n\tlines", "two\n\tlines"),
        ("👨\u200d👩\u200d👧 家族", "👨\u200d👩\u200d👧 家族"),
        ("שלום", "שלום"),
    ],
)
def test_what_turns_or_controls_is_taken_out_of_what_people_wrote(written: str, shown: str) -> None:
    assert body_text(written) == shown


def test_press_goes_out_without_marks_of_direction(playing: World) -> None:
    playing.reply("cho", "PRESS TO ENGLAND\nI \u202eetah\u202c you\nEND PRESS")
    (letter,) = playing.box.take("ben")
    assert "I etah you" in text(letter)


@pytest.mark.parametrize("said", ["山田です", "太郎より", "山田太郎です", "やはり山田太郎", "わたしは山田、よろしく"])
def test_in_an_anonymous_game_a_japanese_name_is_hidden_by_its_parts(world: World, said: str) -> None:
    world.proved("gil", "CREATE ardennes\ndeadline: 2 days\nanonymous: yes")
    for name in NAMES:
        world.proved(name, "JOIN ardennes\nNAME 山田太郎" if name == "cho" else "JOIN ardennes")
    world.settle()
    world.collect_reports()
    world.box.letters.clear()
    world.reply("cho", f"BROADCAST\n{said}\nEND BROADCAST")
    letters = [text(letter) for to, letter in world.box.letters if to == address("ben")]
    assert letters
    assert not any(part in letter for part in ("山田", "太郎") for letter in letters)


# Who is registered


def test_nobody_learns_who_is_registered(playing: World) -> None:
    playing.mail("out", "REGISTER")
    (asked,) = playing.box.take("out")
    playing.mail("out", "YES", to=str(asked["Reply-To"]))
    for word, name in (("SET ADDRESS", "cho"), ("PROMOTE", "gil"), ("HAND OVER", "gil")):
        answers = [
            text(playing.reply(name, f"{word} {one}@players.test")).replace(f"{one}@", "…@") for one in ("out", "nil")
        ]
        assert answers[0] == answers[1], word
