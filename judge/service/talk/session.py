"""One mail's requests, handled in their order, and the receipt for them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from judge import commands as c
from judge.commands import Command, Permitted
from judge.config import Config
from judge.errors import NotationError
from judge.games import Around, Game, GameState, Handled, MailContext, Person, change, create, handle, refusals
from judge.games.answers import Answer, AskedToConfirm, Done, GamesListed, HelpShown, Noted, Overridden, StatusShown
from judge.games.events import Event, FoundTooLate, Happened, OrderedFor
from judge.games.mastery import Past
from judge.games.press import answered
from judge.games.refusals import Refused
from judge.games.setup import is_name, next_name
from judge.language import ReadLine
from judge.language.faults import Fault
from judge.mail.letters import Attachment, Letter, LetterKind
from judge.reports import AnsweredLine, Reader, Receipt, Remark, Role, Section, reply
from judge.rules.orders import Order
from judge.rules.position import Phase, Power
from judge.service.post.letters import Desk
from judge.service.talk.questions import sections_for
from judge.storage import About, Waiting, Work
from judge.storage.moving import put_records, read_game, write_game


@dataclass(frozen=True, slots=True)
class Frame:
    """What a line is about, by the lines above it and by the report the mail answers."""

    game: str | None = None
    phase: Phase | None = None
    power: Power | None = None
    ordering: c.OrderFor | None = None
    """The master's ORDER FOR that it stands below."""


@dataclass(frozen=True, slots=True)
class Act:
    """One request in its place."""

    request: Command
    line: str
    frame: Frame


@dataclass
class Session:
    """The requests of one mail, answered one by one in a unit of work."""

    work: Work
    desk: Desk
    config: Config
    person: Person
    is_registered: bool
    game: Game | None
    """The game the mail is about, if that is known before it is read."""
    phase: Phase | None
    """The phase the mail is meant for, if that is known."""
    mail: Waiting
    letter: Letter
    now: datetime
    pressed_by: Power | None = None
    """Who wrote the press that the mail answers."""
    events: list[Event] = field(default_factory=list)
    lines: list[AnsweredLine] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    to_confirm: list[Act] = field(default_factory=list)
    """What is done only once it was confirmed."""
    games: dict[str, Game] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    shown: str | None = None
    """The game whose state the receipt shows."""
    settings: dict[str, tuple[c.ChangeSetting, ...]] = field(default_factory=dict)
    """Game → all that the mail sets in it."""
    ordered: dict[tuple[str, c.OrderFor], list[Order]] = field(default_factory=dict)
    """What a master ordered for others."""

    def answer(self, lines: Sequence[ReadLine]) -> None:
        """Handle all requests, and save what changed."""
        if self.game is not None:
            self.games[self.game.name] = self.game
            self.shown = self.game.name
        acts = self._acts(lines)
        if self.mail.is_worked:  # only what had to be confirmed is still to be done
            acts = [[act for act in row if act.request.card.is_final] for row in acts]
        overridden = _overridden([act for row in acts for act in row])
        for act in (act for row in acts for act in row if id(act) not in overridden):
            if isinstance(act.request, c.ChangeSetting) and act.frame.game:
                self.settings[act.frame.game] = (*self.settings.get(act.frame.game, ()), act.request)
        answers: dict[tuple[int, int], Answer] = {}
        for last in (False, True):
            for place, row in enumerate(acts):
                for index, act in enumerate(row):
                    if act.request.card.comes_last is last:
                        by = overridden.get(id(act))
                        answers[place, index] = Overridden(by) if by is not None else self._answer_one(act)
        for place, line in enumerate(lines):
            requests = tuple(act.request for act in acts[place])
            given = tuple(answers[place, index] for index in range(len(requests)))
            faults: tuple[Fault, ...] = () if self.mail.is_worked else line.faults
            self.lines.append(AnsweredLine(line.text, requests, given, faults))
        self._note_what_came_in_time(acts, answers)
        self._save()

    def _note_what_came_in_time(self, acts: Sequence[Sequence[Act]], answers: Mapping[tuple[int, int], Answer]) -> None:
        """Orders for a phase that was closed after they arrived: the master may open it again."""
        late: dict[tuple[str, Phase], list[str]] = {}
        for (place, index), answer in answers.items():
            act = acts[place][index]
            refused = isinstance(answer, Refused) and isinstance(answer.why, refusals.WrongPhase)
            if refused and isinstance(act.request, c.Give) and act.frame.game and act.frame.phase:
                late.setdefault((act.frame.game, act.frame.phase), []).append(act.line)
        for (name, phase), lines in late.items():
            closed_at = self.work.records.closed_at(name, phase)
            arrived = self.mail.raw.received_at
            if closed_at is not None and arrived <= closed_at:
                told = FoundTooLate(self.games[name], phase, self.person.id, tuple(dict.fromkeys(lines)), arrived)
                self.events.append(told)

    def _acts(self, lines: Sequence[ReadLine]) -> list[list[Act]]:
        """The requests, line by line, each with what it is about."""
        frame = Frame(self.game.name if self.game else None, self.phase)
        acts: list[list[Act]] = []
        for line in lines:
            row: list[Act] = []
            for request in line.requests:
                frame = self._steered(frame, request)
                row.append(Act(request, line.text, frame))
            acts.append(row)
        return acts

    def _steered(self, frame: Frame, request: Command) -> Frame:
        match request:
            case c.UseGame(game=name) | c.Create(game=name) | c.Join(game=name) | c.Observe(game=name):
                return self._about(frame, name)
            case c.TakeOver(game=name) | c.Import(game=name):
                return self._about(frame, name)
            case c.ForPhase(phase):
                return replace(frame, phase=phase)
            case c.ForPower(power):
                return replace(frame, power=power, ordering=None)
            case c.OrderFor(power):
                return replace(frame, power=power, ordering=request)
        return frame

    def _about(self, frame: Frame, name: str) -> Frame:
        name = name.lower()
        if isinstance(self.game, Game) and name == frame.game:
            return frame
        # The phase is that of the report replied to, or was named for the other game.
        return Frame(name)

    def _save(self) -> None:
        for (name, ordering), orders in self.ordered.items():
            told = OrderedFor(self.games[name], ordering.power, tuple(orders), ordering.reason, self.now)
            self.events += [told, Happened(self.games[name], ordering, self.now)]
        for name in sorted(self.changed):
            self.games[name] = self.work.games.save(self.games[name])
        for event in self.events:
            if isinstance(event, Happened):
                self.work.records.log(event)

    # One request

    def _answer_one(self, act: Act) -> Answer:
        request = act.request
        match request:
            case c.Help(topic):
                return HelpShown(topic)
            case c.ListGames():
                games = self.work.games.listing((GameState.FORMING, GameState.ACTIVE, GameState.PAUSED))
                return GamesListed(tuple(one for one in games if one.settings.listed or self._has_part_in(one)))
            case c.SetLanguage() | c.SetZone() | c.SetName() | c.SetReceipts() | c.Register():
                changed, answer = change(self.person, request)
                if changed.name != self.person.name and self._is_taken(changed.name):
                    return Refused(refusals.NameClashes(changed.name))
                self.person = changed
                if self.is_registered:
                    self.work.people.save(self.person)
                return answer
            case c.SetAddress() | c.EraseMe():
                return self._about_oneself(act, request)
            case c.Create():
                return self._create(request)
            case c.Import():
                return self._import(request)
            case _:
                return self._about_a_game(act, request)

    def _is_taken(self, name: str) -> bool:
        """Whether somebody else has that name where the others know him by it; in an anonymous game nobody does."""
        games = [game for game in self._own_games() if not game.settings.anonymous]
        others = self.work.people.many({id_ for game in games for id_ in game.members if id_ != self.person.id})
        return name.casefold() in {other.name.casefold() for other in others.values()}

    def _about_oneself(self, act: Act, request: c.SetAddress | c.EraseMe) -> Answer:
        if isinstance(request, c.SetAddress):
            if request.address == self.person.address:
                return Refused(refusals.SameSetting(request.address))
            if any(not isinstance(other.request, c.SetAddress) for other in self.to_confirm):
                return Refused(refusals.Alone("SET ADDRESS"))
            if self.work.people.by_address(request.address) is not None:
                return Refused(refusals.AddressTaken(request.address))
            if not self._is_confirmed(request):
                return self._ask_first(act, request.address)
            self.person = replace(self.person, address=request.address)
            self.work.people.save(self.person)
            return Done(request)
        mine = [game for game in self._own_games() if game.master == self.person.id]
        if mine:
            return Refused(refusals.MastersGames(mine[0].name))
        if not self._is_confirmed(request):
            return self._ask_first(act, self.person.address)
        for game in self._own_games():
            self._take(handle(game, self.person.id, c.Resign(game.name), self._around(act, game)))
        for game in self.work.games.listing((GameState.FORMING, GameState.ACTIVE, GameState.PAUSED)):
            self._forget_invitation(game.name)
        self.work.people.erase(self.person)
        self.work.inbox.redact(self.person.id)
        self.work.outbox.redact(self.person.id, self.person.address)
        return Done(request)

    def _forget_invitation(self, name: str) -> None:
        """No game keeps the address of who wants to be forgotten."""
        game = self._named(name)
        assert game is not None
        kept = tuple(one for one in game.invitations if one.address != self.person.address)
        if kept != game.invitations:
            self.games[name] = replace(game, invitations=kept)
            self.changed.add(name)

    def _own_games(self) -> list[Game]:
        names = self.work.games.of_person(self.person.id)
        return [game for game in map(self._named, names) if game is not None]

    def _is_confirmed(self, request: Command) -> bool:
        """Whether the one mail that asks for it was confirmed by whoever has to."""
        return self.mail.confirmed and (self.mail.is_worked or not isinstance(request, c.SetAddress))

    def _ask_first(self, act: Act, address: str) -> Answer:
        if any(isinstance(other.request, c.SetAddress) for other in self.to_confirm):
            return Refused(refusals.Alone("SET ADDRESS"))  # it is the new address that answers
        self.to_confirm.append(act)
        return AskedToConfirm(act.request, address)

    def _create(self, request: c.Create) -> Answer:
        why_not = self._why_no_new_game(request.game.lower())
        if why_not is not None:
            return why_not
        made = create(request, self.person.id, self.config.judge.zone)
        if isinstance(made, Refused):
            return made
        self.work.games.add(made.game)
        self.games[made.game.name] = made.game
        self.shown = made.game.name
        return made.answer

    def _import(self, request: c.Import) -> Answer:
        """A game from another judge; whoever brings it is its master."""
        name = request.game.lower()
        why_not = self._why_no_new_game(name)
        if why_not is not None:
            return why_not
        if not self.letter.files:
            return Refused(refusals.NoFile(name))
        try:
            game, file = read_game(self.letter.files[0].content, name, self.person.id)
        except NotationError as error:
            return Refused(refusals.BadFile(str(error)))
        self.work.games.add(game)
        put_records(self.work.records, game, file)
        self.games[name] = game
        self.shown = name
        return Done(request)

    def _why_no_founder(self) -> Refused | None:
        creators = self.config.games.creators
        may = "*" in creators or self.person.address in creators
        return None if may else Refused(refusals.MayNotCreate())

    def _why_no_new_game(self, name: str) -> Refused | None:
        if why_not := self._why_no_founder():
            return why_not
        if self.work.games.get(name) is not None:
            return Refused(refusals.NameTaken(name))
        return None if is_name(name) else Refused(refusals.BadName(name))

    def _about_a_game(self, act: Act, request: c.GameCommand | c.Steering) -> Answer:
        name = getattr(request, "game", None) or act.frame.game
        if name is None:
            return Noted(request) if request.card.steers else Refused(refusals.WhichGame())
        game = self._named(name)
        if game is None:
            return Refused(refusals.NoSuchGame(name))
        if not isinstance(request, c.Status) or self.shown is None:
            self.shown = game.name
        if isinstance(request, c.Press):
            request = answered(request, self.pressed_by)
        if isinstance(request, c.Press | c.Broadcast | c.PressToMaster):
            request = self._disguised(request, game)
        around = self._around(act, game)
        if request.card.founds and around.next_game is None and (why_not := self._why_no_founder()):
            return why_not
        if request.card.is_final and not self._is_confirmed(request):
            return self._checked_first(act, game, request)
        handled = handle(game, self.person.id, request, around)
        before = self.games[game.name]
        answer = self._take(handled)
        if not isinstance(answer, Refused):
            self._record(request, game.name, act, before)
            self.sections += sections_for(self.work, request, answer, self.games[game.name], self.person)
        return answer

    def _disguised(self, request: c.Talk, game: Game) -> c.Press | c.Broadcast | c.PressToMaster:
        """In an anonymous game the words go out without the name and the address of who wrote them."""
        assert isinstance(request, c.Press | c.Broadcast | c.PressToMaster)
        if not game.hides_names or not game.seats_of(self.person.id):
            return request
        names = (self.person.name, self.letter.sender_name)
        told = [self.person.address, self.letter.sender, *names, *(word for name in names for word in name.split())]
        known = [re.escape(name) for name in sorted(told, key=len, reverse=True) if len(name) > 1]
        # Japanese is written without blanks, so a name may stand within other characters.
        pattern = "|".join(rf"(?<!\w){name}(?!\w)" if name.isascii() else name for name in known)
        return replace(request, text=re.sub(pattern, "…", request.text, flags=re.IGNORECASE))

    def _checked_first(self, act: Act, game: Game, request: c.GameCommand | c.Steering) -> Answer:
        """Ask for a yes, unless it would be refused all the same; taking back needs none."""
        handled = handle(game, self.person.id, request, self._around(act, game))
        if isinstance(handled.answer, Refused) or request == c.Concede(None):
            return self._take(handled)
        return self._ask_first(act, self.person.address)

    def _around(self, act: Act, game: Game) -> Around:
        request = act.request
        context = MailContext(
            mail=self.mail.id,
            line=act.line,
            received_at=self.mail.raw.received_at,
            meant_phase=act.frame.phase,
            fresh=self._fresh(game),
            power=act.frame.power,
            ordering=act.frame.ordering,
            set_aside=bool(self.letter.set_aside),
            zone=self.person.zone or game.settings.zone,
        )
        address = getattr(request, "address", None)
        known = self.work.people.by_address(address) if address else None
        holders = {seat.holder for seat in game.seats if seat.holder is not None} if request.card.founds else ()
        people = {address: known.id} if address and known else {}
        return Around(
            self.now,
            context,
            seed=self.mail.id,
            people=people,
            address=self.person.address,
            addresses={one.id: one.address for one in self.work.people.many(holders).values()},
            next_game=self._named(next_name(game.name)) if request.card.founds else None,
            past=self._past(request, game),
            settings=self.settings.get(game.name, ()),
        )

    def _past(self, request: Command, game: Game) -> Past | None:
        match request:
            case c.Rollback(phase):
                return self.work.records.past(game.name, phase)
            case c.Redo():
                return self.work.records.before_rollback(game.name)
        return None

    def _record(self, request: Command, name: str, act: Act, before: Game) -> None:
        """What is written down beside the game."""
        match request:
            case c.Rollback(phase):
                self.work.records.roll_back(name, phase)
            case c.Redo():
                self.work.records.redo(name)
            case c.Unstart():
                self.work.records.forget_rollback(name)
            case c.Export():
                content = write_game(before, self.work.records, self.now)
                self.attachments.append(Attachment(f"{name}-export.json", "application/json", content))
            case c.Note(text=text) if text:
                self.work.records.note(before, self.person.id, text, self.now)
            case c.Give(order) if act.frame.ordering is not None:
                self.ordered.setdefault((name, act.frame.ordering), []).append(order)

    def _fresh(self, game: Game) -> timedelta:
        """No phase came before the first, so nothing can have been meant for it."""
        return timedelta(minutes=self.config.games.fresh_phase_minutes if game.has_begun else 0)

    def _named(self, name: str) -> Game | None:
        name = name.lower()
        if name not in self.games:
            game = self.work.games.get(name)
            if game is None:
                return None
            self.games[name] = game
        return self.games[name]

    def _take(self, handled: Handled) -> Answer:
        name = handled.game.name
        if self._named(name) is None:
            self.work.games.add(handled.game)
            self.games[name] = handled.game
            self.shown = name
        elif handled.game != self.games[name]:
            self.games[name] = handled.game
            self.changed.add(name)
        self.events += handled.events
        return handled.answer

    # The receipt

    def queue_reply(self) -> None:
        """Answer the mail, line by line."""
        game = self.games.get(self.shown or "")
        game = game if game is not None and self._has_part_in(game) else None
        reader = self._reader(game)
        touched = [self.games[name] for name in sorted(self.changed) if game is None or name != game.name]
        receipt = Receipt(
            reader=reader,
            lines=tuple(self.lines),
            game=game,
            others=tuple((other, self._reader(other)) for other in [*touched, *self._asked(game)]),
            remarks=self._remarks(),
            unread_parts=self.letter.unread_parts,
            set_aside=self.letter.set_aside,
            subject=self.letter.subject,
            sections=tuple(self.sections),
        )
        about = About(
            self._key(),
            person=self.person.id if self.is_registered else None,
            game=game.name if game else None,
            phase=str(game.position.phase) if game and game.is_running else None,
            inbox=self.mail.id,
        )
        written = self.desk.write(
            LetterKind.REPLY, self.person.address, reply(receipt, self.now), about, self.now, game
        )
        references = (self.letter.message_id,) if self.letter.message_id else ()
        written = replace(
            written,
            in_reply_to=self.letter.message_id,
            references=references,
            attachments=tuple(self.attachments),
        )
        self.work.outbox.queue(written, about, self.now)

    def _key(self) -> str:
        """Every mail has its answer; but small talk may be a robot that answers all of ours: once a day."""
        if self._is_small_talk():
            return f"nothing asked by {self.letter.sender} on {self.now.date()}"
        return f"reply to mail {self.mail.id}" + (", confirmed" if self.mail.is_worked else "")

    def _is_small_talk(self) -> bool:
        return not self.letter.set_aside and not any(line.requests or line.faults for line in self.lines)

    def _has_part_in(self, game: Game) -> bool:
        return self.is_registered and self.person.id in game.members

    def _asked(self, game: Game | None) -> list[Game]:
        """The other games whose state he asked for, and has a part in."""
        told = [answer for line in self.lines for answer in line.answers]
        shown = [self.games[a.game.name] for a in told if isinstance(a, StatusShown) and a.game.name in self.games]
        return [one for one in shown if one is not game and self._has_part_in(one)]

    def _reader(self, game: Game | None) -> Reader:
        return Reader(self.person, self._role(game), self._powers(game))

    def _role(self, game: Game | None) -> Role:
        if game is not None and self.person.id in game.masters:
            return Role.MASTER
        return Role.PLAYER if game is not None and game.seats_of(self.person.id) else Role.OBSERVER

    def _powers(self, game: Game | None) -> tuple[Power, ...]:
        return tuple(seat.power for seat in game.seats_of(self.person.id)) if game else ()

    def _remarks(self) -> tuple[Remark, ...]:
        remarks = [Remark.CONFIRMED] if self.mail.confirmed else []
        if not self.letter.own_text.strip():
            remarks.append(Remark.EMPTY)
        elif self._is_small_talk():
            remarks.append(Remark.NOTHING_UNDERSTOOD)
        if self.letter.unread_parts:
            remarks.append(Remark.UNREAD_PARTS)
        return tuple(remarks)


def _overridden(acts: Sequence[Act]) -> dict[int, Command]:
    """Requests that a later one of the same mail contradicts → that one."""
    last: dict[object, Act] = {}
    for act in acts:
        key = _decides(act)
        if key is not None:
            last[key] = act
    found = {}
    for act in acts:
        key = _decides(act)
        if key is not None and last[key] is not act and last[key].request != act.request:
            found[id(act)] = last[key].request
    return found


def _decides(act: Act) -> object:
    """What a request decides, of which and for whom; None if each of its kind counts."""
    card = act.request.card
    if not card.decides:
        return None
    game = (getattr(act.request, "game", None) or act.frame.game or "").lower()
    power = act.frame.power if card.who is Permitted.PLAYER else None
    return game, power, card.decides, getattr(act.request, "setting", "")
