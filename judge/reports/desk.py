"""The morning letter to a master: what waits for them in all their games.

Its links begin mails that answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from judge import commands as c
from judge.commands import AsWritten, Proposable
from judge.games.ballots import Proposal
from judge.games.game import Game
from judge.games.matters import Stall, joined_since, missing_players, requests, stall
from judge.games.person import Person, PersonId, Record
from judge.reports.ballots import ProposalView, may_see_votes, proposal_view
from judge.reports.buttons import Button, mailto
from judge.reports.columns import flowed
from judge.reports.layout import as_text, blocks
from judge.reports.lists import OwnGame, own_game
from judge.reports.readers import HeldMail, Rendered
from judge.reports.views import ObjectionView
from judge.reports.wording import Wording, wording_for
from judge.rules.position import Phase, Power

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class RequestView:
    """A person would like to play, and the reader decides."""

    person: str
    """Their name; "" where the reader may not know it."""
    address: str
    wishes: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class MissingPlayersView:
    """Players who sent nothing for the last movement phases."""

    rows: tuple[tuple[Power, int], ...]
    """Each power, and for how many phases."""


@dataclass(frozen=True, slots=True)
class StallView:
    """The open phase waits."""

    why: Stall
    phase: Phase


@dataclass(frozen=True, slots=True)
class JoinedView:
    """People joined since yesterday."""

    people: tuple[tuple[str, Record], ...]
    """Their names, and how reliable they are; none where the reader may not know them."""
    joined: int
    free: int
    """How many seats are free."""


Matter: TypeAlias = ObjectionView | RequestView | ProposalView | MissingPlayersView | StallView | JoinedView
_Asked: TypeAlias = tuple[Matter, Sequence[c.Command]]
"""Something for the reader to decide, with the commands that do it."""


@dataclass(frozen=True, slots=True)
class OnDesk:
    """A game as its master sees it, and the master's secret address for it."""

    game: Game
    address: str


@dataclass(frozen=True, slots=True)
class HeldMails:
    """Mails in the reader's name that wait for a YES, and the address for it."""

    mails: tuple[HeldMail, ...] = ()
    address: str = ""
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of the letter, and the links below it."""

    written: str
    links: tuple[Button, ...] = ()


def desk_letter(
    games: Sequence[OnDesk], held: HeldMails, reader: Person, people: Mapping[PersonId, Person], now: datetime
) -> Rendered | None:
    """Return the letter about all games of a master; None without anything to decide."""
    found = [(one, list(_matters(one.game, reader, people, now))) for one in games]
    count = sum(len(asked) for _, asked in found) + len(held.mails)
    if not count:
        return None
    wording = wording_for(reader)
    parts = [_Part(wording.speech.message("desk-intro"))]
    for on_desk, asked in found:
        if asked:
            parts += _of_a_game(on_desk, asked, reader, now)
    parts += _of_held_mails(held, wording)
    text = "\n\n".join(_as_text(part) for part in parts)
    html = wording.in_html("desk", {"parts": [(blocks(part.written), part.links) for part in parts]})
    subject = wording.speech.message("desk-subject", n=count)
    return Rendered(subject, f"{flowed(text)}\n", html, wording.say_from("reports", "sender", ""))


def _as_text(part: _Part) -> str:
    lines = [f"    {link.label}" for link in part.links]
    return "\n".join([as_text(part.written), *(["", *lines] if lines else [])])


def _matters(game: Game, reader: Person, people: Mapping[PersonId, Person], now: datetime) -> Iterator[_Asked]:
    """Yield what the reader has to decide in a game.

    In a game that the reader plays, it is only what STATUS tells any player.
    """
    id_, hides = reader.id, _hides_names(game, reader.id)

    def name(one: PersonId) -> str:
        return people[one].name if not hides and one in people else ""

    for one in game.open_objections:
        view = ObjectionView(one.number, one.phase, None if game.hides_names else one.power, one.reason)
        yield view, [c.DecideObjection(upholds, one.number) for upholds in (True, False)]
    for asking in requests(game, id_):
        address = people[asking.person].mailboxes[0] if asking.person in people else ""
        if address:
            wishes = () if hides else asking.wishes
            yield RequestView(name(asking.person), address, wishes), [c.Allow(address), c.Deny(address)]
    for proposal in game.proposals if game.is_running else ():
        shown = proposal_view(game, proposal, shows_whose=may_see_votes(game, id_))
        yield shown, list(_on_a_proposal(game, proposal, id_))
    missing = missing_players(game, id_)
    if missing:
        rows = tuple((seat.power, seat.missed) for seat in missing)
        yield MissingPlayersView(rows), [c.Eject(seat.power) for seat in missing]
    why = stall(game, now)
    if why is not None:
        yield StallView(why, game.position.phase), [c.Process(game.position.phase)]
    joined = [one for one in joined_since(game, now - _DAY) if one != id_]
    if joined:
        known = tuple((people[one].name, people[one].record) for one in joined if name(one))
        yield JoinedView(known, len(joined), max(0, game.seats_left)), []


def _hides_names(game: Game, reader: PersonId) -> bool:
    """Whether a master may not know who is who.

    It is hidden in an anonymous game that the master plays or has applied to play.
    """
    applies = any(one.person == reader for one in game.applicants)
    return game.hides_names_from(reader) or (game.hides_names and applies)


def _on_a_proposal(game: Game, proposal: Proposal, person: PersonId) -> Iterator[c.Command]:
    """Yield the commands by which a master can act on a proposal.

    A master with a seat votes; a master without one does what is proposed.
    """
    if game.seats_of(person):
        yield c.CastVote(yes=True, number=proposal.number)
        yield c.CastVote(yes=False, number=proposal.number)
        return
    match proposal.what:
        case Proposable.PAUSE:
            yield c.Pause()
        case Proposable.RESUME:
            yield c.Resume()
        case Proposable.EXTEND:
            yield c.Extend(AsWritten(proposal.written, proposal.length))
        case Proposable.END:
            yield c.EndGame(game.name)
        case Proposable.REPLACE:
            assert proposal.power is not None
            yield c.Eject(proposal.power)


def _of_a_game(on_desk: OnDesk, asked: Sequence[_Asked], reader: Person, now: datetime) -> Iterator[_Part]:
    game = on_desk.game
    wording = wording_for(reader, game.settings.map)
    row: OwnGame = own_game(game, reader, now)
    yield _Part(wording.say_from("sections", "desk_game", row))
    for matter, commands in asked:
        links = (_link(on_desk, wording, command) for command in commands)
        yield _Part(wording.say_from("sections", "desk_matter", matter), tuple(links))


def _link(on_desk: OnDesk, wording: Wording, command: c.Command) -> Button:
    """Return a link that begins a mail with a command.

    If the command needs a reason, the master writes it in that mail.
    """
    if isinstance(command, c.Extend) and command.length.meant is not None:  # it was written in the words of a player
        command = replace(command, length=replace(command.length, text=wording.span(command.length.meant)))
    line = wording.line(command)
    if command.card.reason not in (c.Reason.NEEDED, c.Reason.ONCE_RUNNING):
        return Button(line, mailto(on_desk.address, f"[{on_desk.game.name}] {line}", [line, ""]))
    begun = wording.speech.message("desk-because", line=line)
    return Button(f"{begun} …", mailto(on_desk.address, f"[{on_desk.game.name}] {line}", [f"{begun} "]))


def _of_held_mails(held: HeldMails, wording: Wording) -> Iterator[_Part]:
    yes = wording.speech.message("desk-yes")
    for mail in held.mails:
        written = wording.say_from("sections", "desk_mail", mail, held.zone)
        line = f"{yes} {mail.number}" if len(held.mails) > 1 else yes
        yield _Part(written, (Button(line, mailto(held.address, line, [line])),))
