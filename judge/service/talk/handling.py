"""The state of a mail while its requests are carried out.

It holds the changed games, and the content of the receipt.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from judge import commands as c
from judge.budget import Budget
from judge.commands import Command
from judge.config import Config
from judge.games import Game, GameState, Handled, Person, PersonId, refusals
from judge.games.access import is_unknown_to
from judge.games.answers import Answer, AskedToConfirm, DidYouMean
from judge.games.chance import Chance
from judge.games.events import Event, GameNews, GameStarted, OrderedFor, Relayed, SeatOffered
from judge.games.happenings import happenings
from judge.games.publishing import is_to_be_published
from judge.games.refusals import Refused
from judge.games.reminding import holders, with_own_reminders
from judge.games.rooms import Room
from judge.games.schedule import awaited
from judge.games.votes import living
from judge.games.withdrawn import Withdrawal
from judge.language import ReadLine
from judge.language.look_alikes import look_of
from judge.language.writing import word_of
from judge.mail.letters import Attachment, Letter
from judge.mail.passing_on import PassedOn
from judge.mailbox import mailbox_of
from judge.reports.readers import Fate, Illustration
from judge.reports.sections import Section
from judge.rules.orders import Order
from judge.service.post.letters import LetterWriter
from judge.service.talk.agenda import Agenda, RequestedCommand
from judge.service.talk.mail import MailInWork
from judge.service.talk.suiting import offered_at_the_start
from judge.storage import Waiting, Work

_CONFIRMED_THERE = c.SetAddress | c.SetSecondAddress
"""Commands that are confirmed from the new address."""


@dataclass
class MailHandling:
    """The state of a mail's handling so far, in a unit of work."""

    work: Work
    writer: LetterWriter
    config: Config
    person: Person
    is_registered: bool
    is_new: bool
    """Whether the sender was not registered when the mail came."""
    waiting: Waiting
    letter: Letter
    now: datetime
    agenda: Agenda
    budget: Budget
    """The remaining budget for reading the mail."""
    is_proved: bool = False
    """Whether the sender is proved."""
    lacks_proof: bool = False
    """Whether the mail lacks the proof that the sender's mails usually carry.

    Only its orders are then done.
    """
    unused: tuple[str, ...] = ()
    """Lines that were ignored, though they may be meant for the judge."""
    aside: tuple[ReadLine, ...] = ()
    """Lines that were read as a quotation, though they may be orders."""
    first_unread: str = ""
    """The first of the sender's own lines that was not read, else "".

    Lines are left unread if the mail costs too much work.
    """
    room: Room | None = None
    """The parties of the press that the mail answers."""
    misaddressed: refusals.Misaddress | None = None
    """Why press to private addresses of powers cannot be sent."""
    chosen: c.Reading | None = None
    """Whether a letter in the mail is press or orders, if that was asked."""
    drawn: tuple[PassedOn, ...] | None = None
    """The redrawn pictures of an answer to press without words."""
    withdrawn: Withdrawal | None = None
    """The rollback that withdrew the letter that the mail answers."""
    tapped: bool = False
    """Whether the mail came from a mailto link for a single order.

    Builds and removals on file are then kept beside it.
    """
    events: list[Event] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    illustrations: list[Illustration] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    attached: Mapping[Fate, tuple[str, ...]] = field(default_factory=dict)
    """Fate → names of the files attached to press."""
    asked_in: dict[str, list[str]] = field(default_factory=dict)
    """Sections, illustrations and attachments → the lines that asked for them."""
    calendars: set[str] = field(default_factory=set)
    """Games whose deadline the sender wants as a calendar file."""
    addresses: set[str] = field(default_factory=set)
    """Games for which the sender gets their private addresses of the powers."""
    to_confirm: list[RequestedCommand] = field(default_factory=list)
    """Requests that wait for confirmation."""
    games: dict[str, Game] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    ready_before: dict[str, bool] = field(default_factory=dict)
    """Game → whether the sender's READY counted before the mail.

    Only games in which the sender had said READY for the open phase are listed.
    """
    shown: str | None = None
    """The game whose state the receipt shows."""
    founded: set[str] = field(default_factory=set)
    """Names of new games."""
    ordered: dict[tuple[str, c.OrderFor], list[tuple[Order, ...]]] = field(default_factory=dict)
    """Orders that a master gave for others, by game and ORDER FOR.

    Each stands before what to do instead.
    """

    @classmethod
    def of(cls, mail: MailInWork, person: Person | None, game: Game | None, agenda: Agenda) -> MailHandling:
        """Return a mail before its first request.

        `game` is the one the mail is about, if that is known.
        """
        return cls(
            work=mail.work,
            writer=mail.writer,
            config=mail.config,
            person=person or Person(PersonId(0), mail.sender.address, "", mail.language),
            is_registered=person is not None,
            is_new=mail.sender.person is None,
            waiting=mail.waiting,
            letter=mail.letter,
            now=mail.now,
            agenda=agenda,
            budget=mail.budget,
            is_proved=mail.sender.is_proved,
            lacks_proof=mail.lacks_proof,
            room=mail.sender.room,
            misaddressed=mail.sender.misaddressed,
            chosen=mail.chosen,
            drawn=mail.drawn,
            withdrawn=mail.sender.withdrawn,
            tapped=mail.sender.tapped is not None,
            games={game.name: game} if game is not None else {},
            shown=game.name if game is not None else None,
        )

    def note_what_was_shown(self, line: str) -> None:
        """Note that this line asked for everything added to the receipt since the last call."""
        added = {
            "sections": len(self.sections),
            "illustrations": len(self.illustrations),
            "attachments": len(self.attachments),
        }
        for name, count in added.items():
            lines = self.asked_in.setdefault(name, [])
            lines += [line] * (count - len(lines))

    @property
    def speaks(self) -> bool:
        """Whether the mail contains press or announcements."""
        return any(isinstance(item.request, c.OfPress) for item in self.agenda)

    @property
    def answers_to(self) -> str:
        """The address of the receipt.

        The one the sender wrote from if it is theirs, else their first.
        """
        wrote, person = self.letter.sender, self.person
        return wrote if wrote in person.addresses else person.address

    def named(self, name: str) -> Game | None:
        """Return the game of that name, with the changes made so far."""
        name = name.lower()
        if name not in self.games:
            game = self.work.games.get(name)
            if game is None:
                return None
            self.games[name] = game
        return self.games[name]

    def known(self, name: str) -> Game | None:
        """Return the game of that name, if the sender may know that it exists."""
        game = self.named(name)
        hidden = game is not None and all(is_unknown_to(game, self.person.id, one) for one in self.person.invited_at)
        return None if hidden else game

    def own_games(self) -> list[Game]:
        """Return the unfinished games the sender takes part in."""
        names = self.work.games.of_person(self.person.id)
        for game in self.work.games.many([name for name in names if name not in self.games]):
            self.games[game.name] = game
        return [self.games[name] for name in names if name in self.games]

    def has_namesake(self, person: Person, games: Iterable[Game]) -> bool:
        """Whether another person in these games has a name that looks like theirs.

        Anonymous games do not count.
        """
        others = {id_ for game in games if not game.hides_names for id_ in game.members if id_ != person.id}
        looks = look_of(person.name) if person.name and others else ""
        return bool(looks) and any(look_of(other.name) == looks for other in self.work.people.many(others).values())

    def has_part_in(self, game: Game) -> bool:
        """Whether the sender belongs to a game."""
        return self.is_registered and self.person.id in game.members

    def found(self, game: Game) -> Game:
        """Add a new game.

        If it is forming, it gets the secret from which its lots are drawn.
        """
        if game.state is GameState.FORMING:
            game = replace(game, chance=Chance(secrets.token_bytes(32).hex()))
        self.work.games.add(game)
        self.founded.add(game.name)
        self.games[game.name] = game
        self.shown = game.name
        return game

    def change(self, game: Game) -> None:
        """Keep a changed game, to be saved when all requests are done."""
        before = self.games.get(game.name)
        if game != before:
            self._note_who_was_ready(before)
            self.games[game.name] = game
            self.changed.add(game.name)

    def _note_who_was_ready(self, before: Game | None) -> None:
        if before is None or before.name in self.ready_before or not before.is_running:
            return
        mine = [seat for seat in before.seats_of(self.person.id) if seat.power in awaited(before)]
        if any(seat.filed.ready or seat.filed.ready_by for seat in mine):
            self.ready_before[before.name] = all(seat.filed.ready for seat in mine)

    def take(self, handled: Handled) -> Answer:
        """Keep the result of a request."""
        if self.named(handled.game.name) is None:
            game = self.found(handled.game)
            self.events += [replace(event, game=game) for event in handled.events]
        else:
            self.change(handled.game)
            self.events += handled.events
        if any(isinstance(event, GameStarted) for event in handled.events):
            self.events += offered_at_the_start(self.work, handled.game, self.now)
        return handled.answer

    def is_confirmed(self, request: Command) -> bool:
        """Whether the mail with this request was confirmed from the required address."""
        if self.chosen is not None:  # choosing press or orders confirms nothing irreversible
            return False
        return self.waiting.confirmed and (self.waiting.is_worked or not isinstance(request, _CONFIRMED_THERE))

    def ask_first(self, item: RequestedCommand, address: str) -> Answer:
        """Hold the request until it is confirmed.

        A guess is asked about in the receipt. A reply to the receipt asks for it.
        """
        if item.is_guess and not any(isinstance(one.request, c.PressOrOrders) for one in self.agenda):
            game = self.games.get(item.scope.game or "")
            zone = self.person.zone or (game.settings.zone if game is not None else "UTC")
            return DidYouMean(item.request, self.waiting.raw.received_at, zone, item.left_out)
        other = next((one.request for one in self.to_confirm if isinstance(one.request, _CONFIRMED_THERE)), None)
        if other is not None:
            return Refused(refusals.Alone(word_of(other)))  # that one is answered from the new address
        if self.chosen is not None or any(isinstance(one.request, c.PressOrOrders) for one in self.agenda):
            return Refused(refusals.OnItsOwn(word_of(item.request)))
        self.to_confirm.append(item)
        return AskedToConfirm(item.request, mailbox_of(address))

    def remind_as_wished(self) -> None:
        """Apply the sender's reminder preferences to their games."""
        for game in self.own_games():
            if game.seats_of(self.person.id):
                self.change(self._reminding(game))

    def _heed_reminders(self, name: str) -> None:
        """Apply the reminder preferences of people who are new in a game."""
        before, after = self.work.games.get(name), self.games[name]
        if before is None or _holders(before) != _holders(after):
            self.games[name] = self._reminding(after)

    def _reminding(self, game: Game) -> Game:
        players = {**self.work.people.many(holders(game)), self.person.id: self.person}
        wanted = {id_: players[id_].preferences.reminders for id_ in holders(game)}
        return with_own_reminders(game, {id_: times for id_, times in wanted.items() if times is not None}, self.now)

    def save(self) -> None:
        """Save the changed games, and log the events."""
        for (name, ordering), orders in self.ordered.items():
            copy = OrderedFor(self.games[name], ordering.power, tuple(orders), ordering.reason, self.now)
            self.events += [copy, GameNews(self.games[name], ordering, self.now, by=self.person.id)]
        for name in sorted(self.changed):
            self._heed_reminders(name)
            self._ask_stand_ins(name)
            self._show_coaches(name)
            before = self.work.games.get(name)
            self.games[name] = self.work.games.save(self._with_what_comes_at_once(self.games[name]))
            self._note_housemates(before, self.games[name])
            if before is not None and self.games[name].press_withheld and not before.press_withheld:
                self.work.publications.forget_press(name)
        for event in self.events:
            if isinstance(event, GameNews) and not _is_offer(event):  # an offer is logged as such by `happenings`
                self.work.records.log(event)
                self._count_who_left(event)
            for logged in happenings(event):
                self.work.records.log(logged)
            if isinstance(event, Relayed) and is_to_be_published(event):
                self.work.publications.keep(event)

    def _note_housemates(self, before: Game | None, after: Game) -> None:
        """Tell the people of a game if a newcomer shares a mailbox."""
        if before is not None and before.members == after.members:
            return
        from judge.games.housemates import sharing_told, taking_part  # noqa: PLC0415 - people seldom join

        newcomers = taking_part(after) - (taking_part(before) if before is not None else frozenset())
        if newcomers:
            self.events += sharing_told(after, self.work.people.many(taking_part(after)).values(), newcomers, self.now)

    def _ask_stand_ins(self, name: str) -> None:
        """Offer a vacant seat to people on standby.

        Events about the vacancy then mention the offer.
        """
        if not self.games[name].may_need_stand_ins:
            return
        from judge.service.stand_ins import with_stand_ins  # noqa: PLC0415 - most seats are played

        before = self.work.games.get(name)
        gone = holders(before) - holders(self.games[name]) if before is not None else frozenset()
        self.games[name], asked = with_stand_ins(self.work, self.games[name], self.now, sorted(gone))
        if asked:
            self.events = [
                replace(event, game=self.games[name])
                if event.game.name == name
                and (
                    isinstance(event, SeatOffered)
                    or (isinstance(event, GameNews) and isinstance(event.command, c.Resign | c.Eject))
                )
                else event
                for event in self.events
            ]
        self.events += asked

    def _show_coaches(self, name: str) -> None:
        """Tell coaches what is on file for their power, if the mail changed it."""
        if all(seat.coach is None for seat in self.games[name].seats):
            return
        from judge.games.coaching import shown_to_coaches  # noqa: PLC0415 - few seats have a coach

        before = self.work.games.get(name)
        self.events += shown_to_coaches(before, self.games[name], self.now) if before is not None else ()

    def _with_what_comes_at_once(self, game: Game) -> Game:
        if game.is_sandbox:
            from judge.games.sandbox import at_once  # noqa: PLC0415 - nor are there many sandboxes

            return at_once(game, self.waiting.id, self.waiting.raw.received_at)
        if not game.robot_players:
            return game
        from judge.service.robots import with_robots  # noqa: PLC0415 - few games have robots

        return with_robots(self.work, game)

    def _count_who_left(self, news: GameNews) -> None:
        """Count a player who left or was ejected before their power was out.

        An erased person is not counted.
        """
        whose = news.power if isinstance(news.command, c.Resign) else getattr(news.command, "power", None)
        if (
            not isinstance(news.command, c.Resign | c.Eject)
            or whose not in living(news.game)
            or not news.game.is_running
        ):
            return
        gone = self.person.id if isinstance(news.command, c.Resign) else news.person
        for person in self.work.people.many([gone] if gone is not None else []).values():
            if not person.is_erased:
                record = replace(person.record, left=person.record.left + 1)
                self.work.people.save(person.with_record(record))


def _is_offer(news: GameNews) -> bool:
    """Whether the players voted to offer a seat to others: the player still has it."""
    return news.by_vote and isinstance(news.command, c.Eject)


def _holders(game: Game) -> list[PersonId | None]:
    """Return the holder of each seat, in the order of the board."""
    return [seat.holder for seat in game.seats]
