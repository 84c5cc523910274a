"""Villains in a random game by mail: a dishonest ally, a peeking master, a forger.

They try whatever they can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from email.message import Message
from random import Random

from judge.games import Game
from judge.games.game import Seat
from judge.rules import Power, write_order
from judge.rules.orders import Hold, Move, Order
from tests.office import JUDGE, World, address, text
from tests.stage import ALLY, COVERED, LACKED, MASTER, SIGNATURE, SIGNED, Mail, Stage, without_file

FORGED = (
    *("READY", "完了", "BEREIT", "WAIT", "DRAW", "引き分け", "CONCEDE TO England", "UNDO", "CLEAR", "NEW SECRET"),
    *("RESIGN ardennes", "辞退 ardennes", "SET ADDRESS mal@evil.test", "SET SECOND ADDRESS mal@evil.test"),
    *("SET NAME Moriarty", "ERASE ME", "PROPOSE EXTEND 1 day", "VOTE 1 YES", "ABSENT until 1 Jan", "YES", "はい", "JA"),
    *("PRESS TO England: {mark}", "BROADCAST: {mark}", "PRESS TO MASTER: {mark}", "OBJECT {mark}", "NOTE {mark}"),
)
FORGED_BY_MASTER = (
    *("END ardennes BECAUSE {mark}", "HAND OVER mal@evil.test", "REPLACE France mal@evil.test BECAUSE {mark}"),
    *("EJECT France BECAUSE {mark}", "EXTEND 1 day BECAUSE {mark}", "PAUSE BECAUSE {mark}", "PROCESS S1901M"),
    *("PREVIEW", "ANNOUNCE: {mark}", "PROMOTE mal@evil.test", "SET DEADLINE Fri 21:00 BECAUSE {mark}"),
)
_NOTHING = "Authentication-Results: mx.test; dmarc=none header.from=players.test"
LACKING = (
    (_NOTHING,),
    ("Authentication-Results: mx.test; dmarc=fail header.from=players.test; spf=pass smtp.mailfrom=ben@players.test",),
    ("Authentication-Results: mx.test; dkim=fail header.d=players.test; dmarc=fail header.from=players.test",),
    (),
)
"""Stamps of our mail server on another person's mail."""


@dataclass
class Villainy:
    """A game with honest players and three villains, checked after each mail.

    The villains and the honest players take turns.
    """

    world: World
    seed: int
    tried: Counter[str] = field(default_factory=Counter)
    """The villains' attempts, and how often each was made."""

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.stage = Stage(self.world, self.chance)
        self.villains = (Forger(self), Ally(self), PeekingMaster(self))

    def play(self, phases: int, attacks: int) -> None:
        """Play some phases; raises AssertionError if a villain succeeds."""
        for _ in range(phases):
            if not self.world.game().is_running:
                return
            for villain in self.villains:
                villain.begin()
            honest = list(self.stage.honest().items())
            for name, power in self.chance.sample(honest, len(honest)):
                if self.stage.honest().get(name) == power:
                    self.stage.order(name, power)
                for _ in range(attacks):
                    self.chance.choice(self.villains).strike()
            self.stage.close()

    def __str__(self) -> str:
        return f"seed {self.seed}, {self.stage.where}"


@dataclass
class Villain:
    """The common base of the villains."""

    villainy: Villainy
    number: int = 0

    @property
    def stage(self) -> Stage:
        return self.villainy.stage

    @property
    def chance(self) -> Random:
        return self.villainy.chance

    def begin(self) -> None:
        """Prepare for a phase that has opened."""

    def strike(self) -> None:
        """Make one attempt."""
        self.stage.wait()
        ways = self.ways()
        if not ways:
            return
        way = self.chance.choice(ways)
        self.villainy.tried[f"{type(self).__name__}.{way.__name__}"] += 1
        way()

    def ways(self) -> list[Callable[[], None]]:
        raise NotImplementedError

    def victim(self) -> tuple[str, Power]:
        """Choose an honest player in whose name to write."""
        return self.chance.choice(list(self.stage.honest().items()))

    def mark(self) -> str:
        """Return a word that no honest mail contains."""
        self.number += 1
        return f"{type(self).__name__}{self.number}"

    def wished(self, name: str, power: Power) -> tuple[str, str]:
        """Return the request of a forged mail, and a word in it.

        No third person may read that word.
        """
        mark = self.mark()
        if name == MASTER:
            return "GAME ardennes\n" + self.chance.choice(FORGED_BY_MASTER).format(mark=mark), mark
        asked = [self.chance.choice(FORGED).format(mark=mark)]
        if self.chance.random() < 0.6:
            asked = [*self.other_orders(power), *(asked if self.chance.random() < 0.5 else [])]
        return "\n".join(asked) or "READY", mark

    def other_orders(self, power: Power) -> list[str]:
        """Return an order that the victim did not give."""
        game, filed = self.stage.world.game(), self.stage.meant.get(power, [])
        units = game.position.units_of(power)
        if not units:
            return []
        unit = self.chance.choice(units)
        orders: list[Order] = [Hold(unit), *(Move(unit, goal) for goal in game.map.neighbors(unit))]
        made_up = self.chance.choice([one for one in map(write_order, orders) if one not in filed])
        self.stage.told.add(made_up)
        return [made_up]

    def suffer(self, mail: Mail, mark: str, *, again: int | None = None) -> list[tuple[str, Message]]:
        """Send a mail in a victim's name that must change nothing.

        No third person may read a word of it.
        """
        before = self.stage.standing()
        letters = self.stage.arrive(mail, again=again)
        assert self.stage.standing() == before, f"{self.villainy}"
        self.check_unread(letters, mail, mark)
        return letters

    def check_unread(self, letters: list[tuple[str, Message]], mail: Mail, mark: str) -> None:
        readers = [to for to, letter in letters if mark and mark in text(letter) and to not in mail.sender]
        assert not readers, f"{readers} read what {mail.sender} did not write\n{self.villainy}"


class Forger(Villain):
    """Writes in other people's names, under every kind of result that proves nothing."""

    def ways(self) -> list[Callable[[], None]]:
        return [self.forge, self.forge, self.forge, self.forge_the_master, self.look_alike, self.replay]

    def forge(self) -> None:
        name, power = self.victim()
        body, mark = self.wished(name, power)
        self.suffer(Mail(address(name), body, head=poisoned(self.chance)), mark)

    def forge_the_master(self) -> None:
        body, mark = self.wished(MASTER, Power("FRANCE"))
        self.suffer(Mail(address(MASTER), body, head=poisoned(self.chance)), mark)

    def look_alike(self) -> None:
        name, power = self.victim()
        body, mark = self.wished(name, power)
        mine = PASSED_ELSEWHERE, SIGNATURE.format(COVERED).replace("players.test", "evil.test")
        sender = self.chance.choice(LOOK_ALIKES).format(name=name)
        self.suffer(Mail(sender, body, head=mine), mark)

    def replay(self) -> None:
        """Replay an old mail of an honest player, as signed, with one more header."""
        game = self.stage.world.game()
        name, _ = self.victim()
        mine = f"From: {address(name)}\r\n".encode()
        old = [
            number
            for number, content in self.stage.mails.items()
            if content.startswith("\r\n".join((*SIGNED, "")).encode() + mine)
        ]
        if not old:
            return
        more = self.chance.choice(REPLAYED).format(report=self.stage.world.reports[name]["Message-ID"])
        head = (*([SIGNED[0]] if self.chance.random() < 0.5 else []), *([more] if more else []))
        assert game.is_running
        self.suffer(Mail(address(name), "", JUDGE, head), "", again=self.chance.choice(old))


PASSED_ELSEWHERE = (
    "Authentication-Results: mx.test; dkim=pass header.d=evil.test header.s=k header.b=AbCdEfGh; "
    "spf=pass smtp.mailfrom=evil.test; dmarc=pass header.from=evil.test"
)
LOOK_ALIKES = (
    "{name}@p1ayers.test",
    "{name}@players.test.evil.test",
    "{name}@evil.test",
    '"{name}@players.test" <mal@evil.test>',
    "{name}.players.test@evil.test",
    "{name}+x@evil.test",
    "{name}@evil.test, {name}@players.test",
)
REPLAYED = ("", "In-Reply-To: {report}", "X-Again: yes", "Reply-To: mal@evil.test", "Resent-From: mal@evil.test")


def poisoned(chance: Random) -> tuple[str, ...]:
    """Return headers above a forged mail that nearly prove it.

    Something in them must make them prove nothing.
    """
    results = [
        "dkim=pass header.d=players.test header.s=k header.b=AbCdEfGh",
        "spf=softfail smtp.mailfrom=relay.test",
        "dmarc=pass header.from=players.test",
    ]
    covered, server, below = COVERED, "mx.test", []
    match chance.randrange(10):
        case 0:
            results[2] = chance.choice(FAILED)
        case 1:
            results.append(chance.choice(FAILED))
        case 2:
            results.append("dkim=fail header.d=players.test header.s=other")
        case 3:
            covered = chance.choice(("from:subject:date:message-id", "from:to:cc:subject:date", "from:resent-to"))
        case 4:
            server = chance.choice(("evil.test", "mx.test.evil.test", "mx", "MX.TEST.", "xmx.test"))
        case 5:
            results[0] = "dkim=pass header.d=evil.test header.s=k header.b=AbCdEfGh"
            results[2] = "dmarc=none header.from=players.test"
        case 6:
            below, results = (
                [f"Authentication-Results: mx.test; {'; '.join(results)}"],
                ["spf=none smtp.mailfrom=x@evil.test"],
            )
        case 7:
            results[0] = "dkim=pass header.d=players.test header.s=k header.b=ZyXwVuTs"
        case 8:
            results[:2] = ["spf=pass smtp.mailfrom=mal@evil.test"]
            results[1] = "dmarc=fail header.from=players.test"
        case _:
            below = [f"Authentication-Results: mx.test; {chance.choice(FAILED)}"]
    results += chance.sample(OF_OTHERS, chance.randint(0, 3))
    chance.shuffle(results)
    signature = SIGNATURE.format(covered)
    return f"Authentication-Results: {server}; {'; '.join(results)}", *below, signature


FAILED = (
    "dmarc=fail header.from=players.test",
    "dmarc=fail (p=REJECT) header.from=PLAYERS.test",
    "dmarc=fail header.from=cho@players.test",
    "dmarc=fail",
)
OF_OTHERS = (
    "dkim=pass header.d=list.test",
    "dkim=fail header.d=list.test",
    "spf=pass smtp.helo=evil.test",
    "dmarc=pass header.from=evil.test",
    "arc=pass",
)


@dataclass
class Ally(Villain):
    """Plays a power, and knows reports that other players forwarded unchanged.

    They contain Reply-To and Message-IDs.
    """

    leaked: dict[str, Message] = field(default_factory=dict)
    """Player → the report they forwarded."""
    held_back: list[Mail] = field(default_factory=list)
    """Signed mails that the ally intercepted, and that did not arrive in their phase."""

    def begin(self) -> None:
        """Get reports from some players; one may notice and ask for another secret address."""
        reports, honest = self.stage.world.reports, self.stage.honest()
        self.leaked = {name: reports[name] for name in honest if self.chance.random() < 0.6}
        self.ended: set[str] = set()
        if self.leaked and self.chance.random() < 0.5:
            name = self.chance.choice(sorted(self.leaked))
            before = self.stage.standing()[0].seat(honest[name])
            self.stage.arrive(Mail(address(name), "NEW SECRET", head=SIGNED))
            assert self.stage.standing()[0].seat(honest[name]) != before, f"{self.villainy}"
            self.ended.add(name)

    def ways(self) -> list[Callable[[], None]]:
        sure = [self.order, self.take_a_name, self.write_to_the_seat_of_another, self.bait, self.hold_back]
        known = [self.use_the_seat] * 4 + [self.answer_a_question] * 2 if self.leaked else []
        return [*sure, *known, *([self.let_go] if self.held_back else [])]

    def order(self) -> None:
        """Order for the ally's own seat; nothing else changes."""
        mine = self._seat()
        if mine is not None:
            before = self.stage.standing()
            orders = "\n".join(self.stage.legal(mine.power)) or "STATUS"
            self.stage.arrive(Mail(address(ALLY), orders, head=SIGNED))
            self._only_mine(before)

    def take_a_name(self) -> None:
        """Try to take a name; no name like one used in the game is accepted."""
        if self._seat() is None:
            return
        before = self.stage.standing()
        playing = [one for name, ones in LIKE_NAMES.items() if name in self.stage.honest() for one in ones]
        name = self.chance.choice((*LIKE_OFFICES, *playing))
        self.stage.arrive(Mail(address(ALLY), f"SET NAME {name}", head=SIGNED))
        assert self.stage.standing() == before, f"{self.villainy}"

    def write_to_the_seat_of_another(self) -> None:
        """Write to another seat from the ally's own address, which does not play it."""
        if not self.leaked:
            return
        name = self.chance.choice(sorted(self.leaked))
        report, power = self.leaked[name], self.stage.honest().get(name)
        if power is None:
            return
        before = self.stage.standing()
        body = "\n".join(self.other_orders(power)) or "STATUS"
        self.stage.arrive(Mail(address(ALLY), body, str(report["Reply-To"]), SIGNED, str(report["Message-ID"])))
        self._only_mine(before)

    def use_the_seat(self) -> None:
        """Order by what a report revealed, without the usual proof.

        Orders are filed, and the victim hears of it.
        """
        name = self.chance.choice(sorted(self.leaked))
        power = self.stage.honest().get(name)
        if power is None:
            return
        report = self.leaked[name]
        body, mark = self.wished(name, power)
        to = str(report["Reply-To"]) if self.chance.random() < 0.7 else JUDGE
        answers = str(report["Message-ID"]) if to == JUDGE or self.chance.random() < 0.5 else ""
        head = self.chance.choice(LACKING)
        mail = Mail(address(name), body, to, head, answers)
        if name in self.ended:
            self.suffer(mail, mark)
            return
        before = self.stage.standing()
        letters = self.stage.arrive(mail)
        self._only_orders(before, power)
        self.check_unread(letters, mail, mark)
        if self.stage.standing() != before:
            self._is_told(name, letters)
        self._put_right(name, power)

    def answer_a_question(self) -> None:
        """Forge a request and its YES; then let the victim answer.

        The victim says NO to it, and YES to what they asked for themselves.
        """
        name, power = self.victim()
        letters = self.suffer(Mail(address(name), "RESIGN ardennes", head=poisoned(self.chance)), "")
        asked = [letter for to, letter in letters if to == address(name) and "+confirm." in str(letter["Reply-To"])]
        if not asked:
            return
        before = self.stage.standing()
        forged = Mail(address(ALLY), "YES", str(asked[0]["Reply-To"]), SIGNED, str(asked[0]["Message-ID"]))
        self.stage.arrive(forged)
        self._only_mine(before)
        own = self.stage.arrive(Mail(address(name), "DRAW", head=SIGNED))
        mine = [letter for to, letter in own if to == address(name) and "+confirm." in str(letter["Reply-To"])]
        for letter in mine:
            self.stage.answer(name, letter, "YES")
        seat = self.stage.world.game().seat(power)
        assert seat.holder == before[0].seat(power).holder, f"{self.villainy}"
        assert replace(seat, ballots=before[0].seat(power).ballots) == before[0].seat(power), f"{self.villainy}"
        self.stage.answer(name, asked[0], self.chance.choice(["NO", "いいえ", "NEIN", "Not me!"]))
        assert self.stage.world.game().seat(power).holder == seat.holder, f"{self.villainy}"

    def bait(self) -> None:
        """Let a victim answer a letter that contains orders and a YES.

        Nothing of it becomes the victim's.
        """
        name, power = self.victim()
        if self._seat() is None:
            return
        title = str(power).title()
        lines = [*self.other_orders(power), "READY", "YES", "-- ", *self.other_orders(power)]
        sent = self.stage.arrive(Mail(address(ALLY), f"PRESS TO {title}:\n" + "\n".join(lines), head=SIGNED))
        press = [letter for to, letter in sent if to == address(name)]
        before = self.stage.standing()
        for letter in press:
            answer = "\n".join(("Let me think about it.", "", *(f"> {line}" for line in lines)))
            self.stage.answer(name, letter, answer)
        assert self.stage.standing() == before, f"{self.villainy}"

    def hold_back(self) -> None:
        """Intercept a signed mail of a victim."""
        name, power = self.victim()
        orders = self.stage.legal(power)
        if orders:
            self.held_back.append(Mail(address(name), "\n".join(orders), head=SIGNED))
            self.held_at = self.stage.world.now

    def let_go(self) -> None:
        """Deliver an intercepted mail in another phase: it is asked about."""
        mail = self.held_back.pop()
        game = self.stage.world.game()
        if game.clock.opened_at is None or self.held_at >= game.clock.opened_at:
            self.held_back.append(mail)
            return
        ago = self.stage.world.now - self.held_at
        before = self.stage.standing()
        self.stage.told.update(mail.body.split("\n"))
        self.stage.arrive(replace(mail, ago=ago))
        power = self.stage.honest().get(mail.sender.partition("@")[0])
        if power is not None:
            self._only_orders(before, power)
        self.stage.check_orders()

    def _seat(self) -> Seat | None:
        game = self.stage.world.game()
        powers = [power for power, name in self.stage.holders(game).items() if name == ALLY]
        return game.seat(powers[0]) if powers else None

    def _only_mine(self, before: tuple[Game, object]) -> None:
        """Check that only the ally's own seat has changed."""
        mine, after = self._seat(), self.stage.standing()[0]
        game = before[0] if mine is None else before[0].with_seat(mine)
        assert replace(after, version=0) == replace(game, version=0), f"{self.villainy}"

    def _only_orders(self, before: tuple[Game, object], power: Power) -> None:
        """Check that only the orders of this power have changed; a READY may be gone."""
        after = self.stage.standing()
        old, new = (without_file(game.seat(power)) for game in (before[0], after[0]))
        assert new.filed.ready <= old.filed.ready, f"{self.villainy}"
        new = replace(new, filed=replace(new.filed, ready=old.filed.ready))
        assert new == old, f"{self.villainy}"
        assert replace(after[0].with_seat(before[0].seat(power)), version=0) == replace(before[0], version=0)
        assert after[1] == before[1], f"{self.villainy}"

    def _is_told(self, name: str, letters: list[tuple[str, Message]]) -> None:
        """Check that the registered address is told first that the usual proof was missing."""
        firsts = [" ".join(text(letter).split())[:200] for to, letter in letters if to == address(name)]
        assert any(words in first for words in LACKED for first in firsts), f"{firsts}\n{self.villainy}"

    def _put_right(self, name: str, power: Power) -> None:
        """Let the warned player send their own orders again."""
        filed = [write_order(one.order) for one in self.stage.world.game().seat(power).filed.orders]
        if sorted(filed) != self.stage.meant.get(power, []):
            self.stage.send_orders(name, power, self.stage.meant.get(power, []), to=JUDGE)


LIKE_OFFICES = (
    *(
        "France",
        "FRANKREICH",
        "フランス",
        "ＦＲＡＮＣＥ",
        "Frаnce",
        "master",
        "ＭＡＳＴＥＲ",
        "GM",
        "G M",
        "管理人",
        "Spielleiter",
    ),
    *("the master", "mаster"),
)
LIKE_NAMES = {
    "ada": ("Ada", "ada", "ΑDΑ", "Аdа", "Ａｄａ", "A d a"),
    "cho": ("Cho", "СHО", "Ｃｈｏ", "C.h.o.", "Сho"),
    "dan": ("Dan", "Dan.", "ＤＡＮ", "Dаn"),
    "eva": ("Eva", "Εva", "ΕVΑ", "eva "),
    "fay": ("Fay", "Fаy", "ｆａｙ"),
    "gus": ("Gus", "gυs", "Guѕ", "GUS"),
}


@dataclass
class PeekingMaster(Villain):
    """Looks at orders and tries to play, or the reverse.

    The master uses every address that is known to be theirs.
    """

    addresses: list[str] = field(default_factory=lambda: [address(MASTER)])
    is_patient: bool = False
    """Whether they wait for orders to look at before they try to play."""

    def begin(self) -> None:
        """Choose patience or not; a patient master gives up a seat to look again."""
        self.is_patient = self.chance.random() < 0.7
        if MASTER in self.stage.holders(self.stage.world.game()).values() and self.is_patient:
            self.say("RESIGN ardennes")

    def ways(self) -> list[Callable[[], None]]:
        if self.is_patient and self.stage.saw.get(MASTER) != self.stage.world.phase():
            return [self.look]
        if MASTER in self.stage.holders(self.stage.world.game()).values():
            return [self.look, self.look, self.leave_and_look, self.move]
        playing = [self.take_a_seat, self.take_a_seat, self.come_back, self.seat_oneself, self.seat_oneself]
        return [self.look, *playing, self.move, self.leave, self.empty, self.empty]

    def say(self, body: str, sender: str | None = None) -> list[tuple[str, Message]]:
        """Send a mail with proof, and answer YES to every question about it.

        Other players' orders must stay as they are.
        """
        before = self.stage.world.game()
        letters = self.stage.arrive(Mail(sender or self.chance.choice(self.addresses), body, head=SIGNED))
        asked = [one for one in letters if "+confirm." in str(one[1]["Reply-To"])]
        for to, letter in asked:
            if self.stage.person_at(to) == MASTER:
                letters += self.stage.arrive(
                    Mail(to, "YES", str(letter["Reply-To"]), SIGNED, str(letter["Message-ID"]))
                )
        self._orders_stand(before)
        return letters

    def leave_and_look(self) -> None:
        """Leave a seat and look in the same phase: the seat's orders stay on file."""
        self.say("RESIGN ardennes")
        self.say("GAME ardennes\nPREVIEW")

    def look(self) -> None:
        what = (
            "PREVIEW",
            "STATUS",
            "PAUSE BECAUSE of snow\nRESUME",
            "GAMES",
            "LOG",
            "PREVIEW CLOSE",
            "試算",
            "VORSCHAU",
        )
        self.say(f"GAME ardennes\n{self.chance.choice(what)}")

    def take_a_seat(self, sender: str | None = None) -> None:
        vacant = [seat for seat in self.stage.world.game().seats if seat.is_vacant]
        if vacant:
            self.say(f"TAKE OVER ardennes {str(self.chance.choice(vacant).power).title()}", sender)

    def come_back(self) -> None:
        """Use the master's previous address, as if it were another person's."""
        game = self.stage.world.game()
        before = self.stage.standing()[1][game.master].address
        if self.stage.person_at(before) == MASTER:
            self.empty()
            self.move("SET ADDRESS", before)
            self.take_a_seat(before)

    def seat_oneself(self) -> None:
        """Take a seat by the master's command, at any address."""
        seat = self.chance.choice(self.stage.world.game().seats)
        mine = self.chance.choice(self.addresses)
        self.say(f"GAME ardennes\nREPLACE {str(seat.power).title()} {mine} BECAUSE of snow")
        self.say("ACCEPT ardennes", mine)

    def move(self, how: str = "", sender: str | None = None) -> None:
        """Move to another address, or add a second one.

        The mail comes from an address known before: the judge cannot know whose a new one is.
        """
        new = f"gil{self.number}@players.test"
        self.number += 1
        sender = sender or self.chance.choice(self.addresses)
        self.stage.same[new] = MASTER
        self.addresses = [*self.addresses[-3:], new]
        self.say(f"{how or self.chance.choice(('SET ADDRESS', 'SET SECOND ADDRESS'))} {new}", sender)

    def leave(self) -> None:
        self.say(self.chance.choice(["RESIGN ardennes", "ERASE ME", "HAND OVER hal@players.test", "OBSERVE ardennes"]))

    def empty(self) -> None:
        """Make a seat vacant, by the master or by its player."""
        game = self.stage.world.game()
        if sum(seat.is_vacant for seat in game.seats) > 1:
            return
        name, power = self.victim()
        if self.chance.random() < 0.5:
            self.say(f"GAME ardennes\nEJECT {str(power).title()} BECAUSE of snow")
        else:
            letters = self.stage.arrive(Mail(address(name), "RESIGN ardennes", head=SIGNED))
            for to, letter in letters:
                if to == address(name) and "+confirm." in str(letter["Reply-To"]):
                    self.stage.answer(name, letter, "YES")
        self.stage.forget_who_left()

    def _orders_stand(self, before: Game) -> None:
        """Check that each seat with its player still has its orders."""
        self.stage.forget_who_left()
        after = self.stage.world.game()
        if after.position == before.position:
            self.stage.check_orders()
