"""Several people who share a mailbox.

Each is a person of their own, and none acts for another.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from email.message import Message
from email.utils import parseaddr

import pytest

from judge.commands import Language, Promote
from judge.games import LookedUp, MailContext, Person, Request, handle
from judge.games.refusals import Refused, WhichThere
from judge.mailbox import address_at, mailbox_of, name_before
from tests.database import store_in_memory
from tests.office import JUDGE, NAMES, PASS, World, address, begun, text

HOME = "eva"
"""Eva plays Italy. Jo shares the mailbox, and takes Turkey."""


@pytest.fixture(scope="module")
def shared() -> World:
    """Return a game in which Eva plays Italy and Jo Turkey, at one mailbox."""
    world = begun(World(store_in_memory()))
    world.signed("gus", "RESIGN ardennes")
    answers(world, "AS Jo: TAKE OVER ardennes Turkey", "YES")
    world.collect_reports()
    world.reports["jo"] = [letter for _, letter in world.box.kept if is_to(letter, "Jo")][-1]
    world.reports["eva"] = [letter for to, letter in world.box.kept if to == address("eva") and is_to(letter, "")][-1]
    world.box.letters = []
    return world


@pytest.fixture
def world(shared: World) -> World:
    """Return a copy of that game."""
    world = shared.apart()
    world.reports = dict(shared.reports)
    return world


def is_to(letter: Message, name: str) -> bool:
    return parseaddr(str(letter["To"])) == (name, address(HOME))


def answers(world: World, first: str, answer: str) -> Message:
    """Send a mail with proof, and answer the question that it causes; return the question."""
    world.mail(HOME, first, Authentication_Results=PASS)
    question = world.box.take(HOME)[-1]
    assert "+confirm." in str(question["Reply-To"])
    world.mail(HOME, answer, to=str(question["Reply-To"]), answers=question)
    return question


def people(world: World) -> tuple[Person, ...]:
    with world.parts.store.work() as work:
        return work.people.at(address(HOME))


def test_an_address_names_a_person_at_a_mailbox() -> None:
    for mailbox in ("home@example.org", '"a b"@example.org'):
        for name in ("Ben", "Ben Smith", "ベン", '"Ben"'):
            made = address_at(mailbox, name)
            assert (name_before(made), mailbox_of(made)) == (name.replace('"', ""), mailbox)
        assert (name_before(mailbox), mailbox_of(mailbox)) == ("", mailbox)


def test_each_has_letters_and_a_secret_address_of_their_own(world: World) -> None:
    eva, jo = world.reports["eva"], world.reports["jo"]
    assert is_to(jo, "Jo")
    assert is_to(eva, "")
    assert eva["Reply-To"] != jo["Reply-To"]
    assert [person.name for person in people(world)] == ["Eva", "Jo"]
    world.mail(HOME, "A Con - Bul", to=str(jo["Reply-To"]))
    world.mail(HOME, "A Ven - Tri", to=str(eva["Reply-To"]))
    assert (world.orders("TURKEY"), world.orders("ITALY")) == (["A CON - BUL"], ["A VEN - TRI"])


def test_every_letter_to_a_person_at_a_mailbox_has_an_address_for_the_reply(world: World) -> None:
    world.mail(HOME, "AS Jo: LIST", Authentication_Results=PASS)
    for body in ("HELP", "SET ZONE Asia/Tokyo", "GAMES"):
        (receipt,) = world.box.take(HOME)[-1:]
        assert is_to(receipt, "Jo")
        assert receipt["Reply-To"]
        world.mail(HOME, body, to=str(receipt["Reply-To"]))  # not even the program's In-Reply-To is needed
    assert people(world)[1].zone == "Asia/Tokyo"
    assert people(world)[0].zone != "Asia/Tokyo"


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ("AS Jo: A Con - Bul", "Jo"),
        ("AS Jo:\nA Con - Bul", "Jo"),
        ("Dear judge,\n\nAS Jo:\nA Con - Bul", "Jo"),
        ("AS Jo\nA Con - Bul", "Jo"),
        ("Joとして\nA Con - Bul", "Jo"),
        ("as jo : a con - bul", "Jo"),
        ("ALS Jo: A Con - Bul", "Jo"),
        ("Joとして：A Con - Bul", "Jo"),
        ("AS Eva: A Ven - Tri", ""),
        ("A Con - Bul", ""),
        ("A Ven - Tri", ""),
        ("READY", ""),
        ("SET ZONE Asia/Tokyo", ""),
        ("STATUS", ""),
    ],
)
def test_the_address_alone_proves_nobody_there(world: World, body: str, asked: str) -> None:
    before = people(world)
    world.mail(HOME, body, Authentication_Results=PASS)
    (question,) = world.box.take(HOME)
    assert is_to(question, asked)
    assert "+confirm." in str(question["Reply-To"])
    assert "Con" not in text(question) or "Con" in body
    assert [world.orders(power) for power in ("ITALY", "TURKEY")] == [[], []]
    assert people(world) == before


@pytest.mark.parametrize(("answer", "power"), [("YES", "ITALY"), ("AS Jo: YES", "TURKEY"), ("AS Eva: YES", "ITALY")])
def test_the_answer_says_whose_a_mail_is(world: World, answer: str, power: str) -> None:
    orders = "A Ven - Tri\nA Con - Bul"
    assert "You share this address with Jo" in " ".join(text(answers(world, orders, answer)).split())
    filed = {"ITALY": ["A VEN - TRI"], "TURKEY": ["A CON - BUL"]}
    for one, its in filed.items():
        assert world.orders(one) == (its if one == power else [])


def test_a_name_does_not_turn_a_secret_address_into_another_ones(world: World) -> None:
    world.mail(HOME, "AS Jo: A Con - Bul", to=str(world.reports["eva"]["Reply-To"]), answers=world.reports["eva"])
    assert world.orders("TURKEY") == []
    assert is_to(world.box.take(HOME)[0], "Jo")
    world.mail(HOME, "AS Eva: A Ven - Tri", to=str(world.reports["jo"]["Reply-To"]), answers=world.reports["jo"])
    assert world.orders("ITALY") == []


def test_a_mail_to_both_secret_addresses_is_nobodys(world: World) -> None:
    both = ", ".join(str(world.reports[name]["Reply-To"]) for name in ("eva", "jo"))
    world.mail(HOME, "A Ven - Tri\nA Con - Bul", to=both)
    assert (world.orders("ITALY"), world.orders("TURKEY")) == ([], [])


@pytest.mark.parametrize("sender", ["ada", "gil", "stranger"])
@pytest.mark.parametrize("named", ["AS Jo: ", ""])
def test_others_get_nothing_by_a_name(world: World, sender: str, named: str) -> None:
    world.mail(sender, f"{named}A Con - Bul", Authentication_Results=PASS)
    world.mail(sender, f"{named}A Con - Bul", to=str(world.reports["jo"]["Reply-To"]))
    assert world.orders("TURKEY") == []
    assert "Jo" not in "".join(str(one["To"]) for one in world.box.take(sender))


def test_a_forged_mail_is_asked_about_at_the_mailbox_only(world: World) -> None:
    world.mail(HOME, "AS Jo: RESIGN ardennes")
    letters = [to for to, _ in world.box.letters]
    assert letters == [address(HOME)]
    assert world.game().seats_of(people(world)[1].id)


def test_the_same_mail_again_makes_nobody_twice(world: World) -> None:
    sent = world.mail(HOME, "AS Kim: OBSERVE ardennes", Authentication_Results=PASS)
    (question,) = world.box.take(HOME)
    yes = world.mail(HOME, "YES", to=str(question["Reply-To"]), answers=question)
    for content, to in ((sent, JUDGE), (yes, str(question["Reply-To"]))):
        world.arrive(content, to, address(HOME))
    answers(world, "AS kim: GAMES", "YES")
    assert [person.name for person in people(world)] == ["Eva", "Jo", "Kim"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("AS Italy: OBSERVE ardennes", "nobody can be called Italy"),
        ("AS Türkei: OBSERVE ardennes", "nobody can be called"),
        ("イギリスとして: OBSERVE ardennes", "nobody can be called"),
        ("AS Master: OBSERVE ardennes", "nobody can be called Master"),
        ("AS Judge: JOIN ardennes", "nobody can be called Judge"),
    ],
)
def test_nobody_is_called_like_a_power_or_an_office(world: World, body: str, words: str) -> None:
    world.mail(HOME, body, Authentication_Results=PASS)
    (letter,) = world.box.take(HOME)
    assert words in " ".join(text(letter).split())
    assert len(people(world)) == 2
    assert people(world)[0].id not in world.game().observers


def test_there_is_an_end_of_people_at_a_mailbox(world: World) -> None:
    with world.parts.store.work() as work:
        for name in ("Kit", "Kay", "Kai", "Ken", "Ked"):
            work.people.add(address_at(address(HOME), name), name, Language.ENGLISH, "")
        work.commit()
    world.mail(HOME, "AS Kim: OBSERVE ardennes", Authentication_Results=PASS)
    assert "seven people" in text(world.box.take(HOME)[0])
    assert len(people(world)) == 7


def test_many_names_bring_the_mailbox_few_letters(world: World) -> None:
    for number in range(40):
        world.mail(HOME, f"AS K{chr(97 + number % 26)}{chr(97 + number // 26)}: OBSERVE ardennes")
        world.now += timedelta(minutes=20)
        world.settle()
    letters = world.box.take(HOME)
    assert 0 < len(letters) <= 3
    assert all(is_to(one, "") for one in letters)
    assert len(people(world)) == 2
    assert world.box.letters == []


@pytest.mark.parametrize(
    "body", ["As promised: A Ven - Tri", "As agreed: A Ven - Tri", "As Agreed:\nA Ven - Tri", "As agreed\nA Ven - Tri"]
)
def test_words_that_look_like_a_name_stay_words(world: World, body: str) -> None:
    world.mail(HOME, body, to=str(world.reports["eva"]["Reply-To"]), answers=world.reports["eva"])
    assert world.orders("ITALY") == ["A VEN - TRI"]
    assert len(people(world)) == 2


def test_press_with_such_a_line_stays_press(world: World) -> None:
    world.reply("ada", "PRESS TO Italy: Well?")
    (press,) = [one for one in world.box.take(HOME) if "--press." in str(one["Reply-To"])]
    world.mail(HOME, "As promised: I join you.", to=str(press["Reply-To"]), answers=press)
    assert "As promised: I join you." in text(world.box.take("ada")[-1])
    assert len(people(world)) == 2


@pytest.mark.parametrize("body", ["I say\nAS Jo: A Con - Bul", "A Ven - Tri\nAS Jo: A Con - Bul"])
def test_a_name_further_down_is_no_name(world: World, body: str) -> None:
    world.mail(HOME, body, to=str(world.reports["eva"]["Reply-To"]), answers=world.reports["eva"])
    assert world.orders("TURKEY") == []


def test_an_invitation_to_the_mailbox_is_for_whoever_answers_it(world: World) -> None:
    world.signed("gil", "CREATE borodino\nlisted: no")
    world.signed("gil", f"GAME borodino\nINVITE {address(HOME)}")
    (invitation,) = [one for one in world.box.take(HOME) if "borodino" in str(one["Subject"])]
    world.mail(HOME, "AS Kim: YES", to=str(invitation["Reply-To"]), answers=invitation)
    (question,) = world.box.take(HOME)
    world.mail(HOME, "YES", to=str(question["Reply-To"]), answers=question)
    with world.parts.store.work() as work:
        game = work.games.get("borodino")
    assert game is not None
    assert [one.person for one in game.applicants] == [people(world)[2].id]
    assert people(world)[2].name == "Kim"
    assert game.invitations == ()


@pytest.mark.parametrize(
    ("command", "office"), [("PROMOTE", "co_masters"), ("副管理人", "co_masters"), ("HAND OVER", "master")]
)
def test_an_office_is_offered_to_one_person_by_name(world: World, command: str, office: str) -> None:
    home = address(HOME)

    def said(words: str) -> str:
        return " ".join(text(world.signed("gil", words)).split())

    assert "Eva and Jo share the address" in said(f"{command} {home}")
    assert "has a part in this game" in said(f"{command} {home} Kim")
    assert world.box.take(HOME) == []
    assert f"Jo ({home})" in said(f"{command} {home} Jo")
    (offer,) = world.box.take(HOME)
    assert is_to(offer, "Jo")
    eva = world.reports["eva"]
    world.mail(HOME, "ACCEPT ardennes", to=str(eva["Reply-To"]), answers=eva)
    assert world.game().master_offers  # it is not hers
    world.mail(HOME, "YES", to=str(offer["Reply-To"]), answers=offer)
    game, jo = world.game(), people(world)[1].id
    assert game.master_offers == ()
    assert jo == game.master if office == "master" else jo in game.co_masters
    assert not [letter for _, letter in world.box.letters if "Jo " + home in text(letter)]


def test_where_names_are_hidden_the_question_names_nobody(world: World) -> None:
    game = world.game()
    game = replace(game, settings=replace(game.settings, anonymous=True))
    command = Promote(address(HOME))
    two = LookedUp(several=("Eva", "Jo"))
    handled = handle(Request(game, game.master, command, MailContext(1, "", world.now), world.now, two))
    assert handled.answer == Refused(WhichThere(command, address(HOME), ()))
    assert handled.game == game


def test_no_office_is_offered_to_a_person_without_a_part_in_the_game(world: World) -> None:
    answers(world, "AS Kim: REGISTER", "YES")
    world.box.letters = []
    receipt = world.signed("gil", f"PROMOTE {address(HOME)} Kim")
    assert "has a part in this game" in text(receipt)
    assert world.game().master_offers == ()


def test_a_successor_at_the_mailbox_of_players_is_the_one_without_a_seat(world: World) -> None:
    words = f"REPLACE France WITH {address(HOME)} BECAUSE he left"
    assert "is in the game already" in text(world.signed("gil", words))
    answers(world, "AS Kim: REGISTER", "YES")
    world.signed("gil", words)
    assert [one.address for one in world.game().invitations] == [address(HOME)]


# Sitters and coaches at a shared mailbox


def test_nobody_is_asked_to_coach_at_the_mailbox_of_another_player(world: World) -> None:
    world.mail("hal", "REGISTER", Authentication_Results=PASS)
    answers(world, "AS Kim: REGISTER", "YES")
    world.box.letters = []
    world.reply("cho", f"COACH {address(HOME)}")
    assert world.box.take(HOME) == []
    world.reply("cho", f"COACH {address('hal')}")
    assert world.box.take("hal")


@pytest.mark.parametrize("asking", ["ABSENCE 5 days WITH", "COACH"])
@pytest.mark.parametrize(("name", "is_asked"), [("hal", False), ("ivy", True)])
def test_where_names_are_hidden_no_letter_to_a_mailbox_tells_a_player_there_who_plays(
    name: str, asking: str, *, is_asked: bool
) -> None:
    world = World()  # Hal is outside the game; Jo, who shares his mailbox, plays
    world.signed("gil", "CREATE ardennes\ndeadline: 2 days\nanonymous: yes")
    world.signed("hal", "REGISTER")
    world.signed("ivy", "REGISTER")
    for player in NAMES[:-1]:
        world.signed(player, "JOIN ardennes")
    world.box.letters = []
    world.mail("hal", "AS Jo: JOIN ardennes", Authentication_Results=PASS)
    for _ in range(2):  # whether he may share the mailbox, and whether he joins
        for letter in world.box.take("hal"):
            if "+confirm." in str(letter["Reply-To"]):
                world.mail("hal", "YES", to=str(letter["Reply-To"]), answers=letter)
    world.settle()
    assert world.game().is_running
    world.collect_reports(*NAMES[:-1])
    world.box.letters = []
    world.reply("cho", f"{asking} {address(name)}")
    offers = [one for one in world.box.take(name) if "--offer." in str(one["Reply-To"])]
    assert bool(offers) is is_asked


@pytest.mark.parametrize(("answer", "sits"), [("AS Kim: YES", "Kim"), ("YES", "Hal")])
def test_a_request_to_sit_is_for_whoever_answers_it_and_theirs_alone(world: World, answer: str, sits: str) -> None:
    world.signed("hal", "REGISTER")
    world.mail("hal", "AS Kim: REGISTER", Authentication_Results=PASS)
    (question,) = world.box.take("hal")
    world.mail("hal", "YES", to=str(question["Reply-To"]), answers=question)
    world.box.letters = []
    world.reply("cho", f"ABSENCE 5 days WITH {address('hal')}")
    (asked,) = [one for one in world.box.take("hal") if "--offer." in str(one["Reply-To"])]
    world.mail("hal", answer, to=str(asked["Reply-To"]), answers=asked)
    for letter in world.box.take("hal"):
        if "+confirm." in str(letter["Reply-To"]):
            world.mail("hal", "YES", to=str(letter["Reply-To"]), answers=letter)
    (sitting,) = world.game().sittings
    with world.parts.store.work() as work:
        people = {person.id: person.name for person in work.people.at(address("hal"))}
    assert sitting.sitter is not None
    assert people[sitting.sitter] == sits
    letters = [one for _, one in world.box.kept if "You sit for" in str(one["Subject"])]
    assert [parseaddr(str(one["To"]))[0] for one in letters] == ["Kim" if sits == "Kim" else ""]
    # a name without proof gives no order for the seat, and neither does a reply of the other person
    world.box.letters = []
    world.mail("hal", f"AS {sits}: GAME ardennes\nA Par - Bur")
    assert world.orders("FRANCE") == []
    world.mail("hal", "A Par - Pic", to=str(letters[0]["Reply-To"]), answers=letters[0])
    assert world.orders("FRANCE") == ["A PAR - PIC"]


def test_the_page_of_questions_tells_how_to_share_an_address(world: World) -> None:
    world.mail("ada", "HELP AS", Authentication_Results=PASS)
    assert "AS Ben: JOIN ardennes" in " ".join(text(world.box.take("ada")[-1]).split())


def test_blanks_before_a_name_cost_nothing(world: World) -> None:
    world.mail(HOME, " \n" * 20_000 + "AS Jo\n" * 2_000, to=str(world.reports["eva"]["Reply-To"]))
    assert len(people(world)) == 2


def test_names_at_a_mailbox_differ(world: World) -> None:
    jo = world.reports["jo"]
    for name in ("Eva", "EVA"):
        world.mail(HOME, f"SET NAME {name}", to=str(jo["Reply-To"]), answers=jo)
    world.mail(HOME, "SET NAME Jo", to=str(world.reports["eva"]["Reply-To"]), answers=world.reports["eva"])
    assert [person.name for person in people(world)] == ["Eva", "Jo"]


def test_a_person_leaves_the_mailbox(world: World) -> None:
    jo = world.reports["jo"]
    world.mail(HOME, "SET ADDRESS jo@players.test", to=str(jo["Reply-To"]), answers=jo)
    (question,) = world.box.take("jo")
    world.mail("jo", "YES", to=str(question["Reply-To"]), answers=question)
    assert [person.name for person in people(world)] == ["Eva"]
    world.mail("jo", "A Con - Bul", Authentication_Results=PASS)
    world.mail(HOME, "A Ven - Tri", Authentication_Results=PASS)
    assert (world.orders("TURKEY"), world.orders("ITALY")) == (["A CON - BUL"], ["A VEN - TRI"])


def test_a_mail_asked_about_twice_stays_the_same_persons(world: World) -> None:
    question = answers(world, "SET ADDRESS jo@players.test", "AS Jo: YES")
    assert is_to(question, "")
    (question,) = world.box.take("jo")
    world.mail("jo", "YES", to=str(question["Reply-To"]), answers=question)
    assert [person.name for person in people(world)] == ["Eva"]


def test_who_stays_alone_at_a_mailbox_needs_no_name(world: World) -> None:
    eva = world.reports["eva"]
    world.mail(HOME, "SET ADDRESS eva2@players.test", to=str(eva["Reply-To"]), answers=eva)
    (question,) = world.box.take("eva2")
    world.mail("eva2", "YES", to=str(question["Reply-To"]), answers=question)
    assert [person.name for person in people(world)] == ["Jo"]
    world.mail(HOME, "A Con - Bul", Authentication_Results=PASS)
    assert world.orders("TURKEY") == ["A CON - BUL"]


def test_erasing_oneself_erases_nothing_of_the_others(world: World) -> None:
    jo, before = world.reports["jo"], len(world.letters())
    world.mail(HOME, "ERASE ME", to=str(jo["Reply-To"]), answers=jo)
    question = [one for one in world.box.take(HOME) if is_to(one, "Jo")][-1]
    world.mail(HOME, "YES", to=str(question["Reply-To"]), answers=question)
    assert [person.name for person in people(world)] == ["Eva"]
    left = [one for one in world.letters() if one.recipient == address(HOME)]
    assert any(one.text for one in left)
    gone = [one for one in world.letters()[:before] if one.recipient.endswith("@invalid")]
    assert gone
    assert not any(one.text for one in gone)
    world.mail(HOME, "A Ven - Tri", to=str(world.reports["eva"]["Reply-To"]))
    assert world.orders("ITALY") == ["A VEN - TRI"]


def test_bounces_of_one_person_leave_the_other_their_mail(world: World) -> None:
    jo = people(world)[1]
    with world.parts.store.work() as work:
        for day in range(3):
            work.outbox.count_bounce(jo.address, world.now.date().replace(day=day + 1))
        assert work.outbox.is_suspended(jo.address)
        assert not work.outbox.is_suspended(address(HOME))
        work.commit()


def test_a_mail_of_one_person_is_no_sign_of_the_other(world: World) -> None:
    world.now += timedelta(days=1)
    jo = world.reports["jo"]
    world.mail(HOME, "A Con - Bul", to=str(jo["Reply-To"]), answers=jo)
    with world.parts.store.work() as work:
        eva, jo_now = (work.inbox.last_heard(one.id, one.known_mailboxes) for one in work.people.at(address(HOME)))
    assert jo_now == world.now
    assert eva is not None
    assert eva < world.now


def test_a_new_secret_is_one_persons(world: World) -> None:
    jo = world.reports["jo"]
    world.now += timedelta(hours=1)
    world.mail(HOME, "NEW SECRET", to=str(jo["Reply-To"]), answers=jo)
    world.mail(HOME, "A Con - Bul", to=str(jo["Reply-To"]), answers=jo)
    world.mail(HOME, "A Ven - Tri", to=str(world.reports["eva"]["Reply-To"]))
    assert (world.orders("TURKEY"), world.orders("ITALY")) == ([], ["A VEN - TRI"])


def test_receipts_of_two_people_are_never_one_letter(world: World) -> None:
    world.gathers = True
    for name, lines in {"eva": ("A Ven - Tri", "A Rom - Ven"), "jo": ("A Con - Bul", "A Smy - Arm")}.items():
        for line in lines:
            world.mail(HOME, line, to=str(world.reports[name]["Reply-To"]), answers=world.reports[name])
    world.gathers = False
    world.settle()
    letters = world.box.take(HOME)
    assert {str(one["To"]) for one in letters} == {address(HOME), f'"Jo" <{address(HOME)}>'}
    for one in letters:
        assert ("BUL" in text(one) or "ARM" in text(one)) == is_to(one, "Jo")


def test_who_shares_a_mailbox_with_a_player_sees_no_orders_as_a_master(world: World) -> None:
    answers(world, "AS Kim: CREATE borodino", "YES")
    world.box.letters = []
    eva = world.reports["eva"]
    world.mail("cho", "JOIN borodino", Authentication_Results=PASS)
    world.mail(HOME, "JOIN borodino", to=str(eva["Reply-To"]), answers=eva)
    told = [letter for letter in world.box.take("cho") if "use the same address" in text(letter)]
    assert [str(one["Subject"]) for one in told] == ["[borodino] People in this game share an address"]


def test_a_later_newcomer_is_told_too(world: World) -> None:
    world.signed("fay", "RESIGN ardennes")
    world.box.letters = []
    world.signed("hal", "TAKE OVER ardennes Russia")
    kept = [letter for to, letter in world.box.kept if to == address("hal")]
    assert any("Eva and Jo use the same address" in " ".join(text(one).split()) for one in kept)
    assert not [letter for letter in world.box.take("ada") if "use the same address" in text(letter)]
