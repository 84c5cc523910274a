"""What somebody asks about himself: his name, his address, to be forgotten."""

from __future__ import annotations

import json
from dataclasses import replace

from judge import commands as c
from judge.games import Person, change, handle, refusals
from judge.games.answers import Answer, DataShown, Done
from judge.games.persons import AboutOneself
from judge.games.refusals import Refused
from judge.games.remembering import without_changed_seats
from judge.language.asking.data import is_an_office
from judge.language.writing import word_of
from judge.mail.letters import Attachment
from judge.service.talk.agenda import RequestedCommand
from judge.service.talk.handling import MailHandling
from judge.service.talk.of_a_game import request_context


def change_oneself(handling: MailHandling, request: AboutOneself) -> Answer:
    """Change what the judge knows of the sender."""
    changed, answer = change(handling.person, request)
    if changed.name != handling.person.name:
        if is_an_office(changed.name):
            return Refused(refusals.BadPersonName(changed.name))
        if _is_taken(handling, changed.name):
            return Refused(refusals.NameClashes(changed.name))
    handling.person = changed
    if handling.is_registered:
        handling.work.people.save(changed)
    _heed_wishes(handling, request)
    return answer


def _heed_wishes(handling: MailHandling, request: AboutOneself) -> None:
    """What waits for another time than he wants now waits no longer; his games remind him as he likes."""
    match request:
        case c.SetMail():
            handling.work.outbox.release(handling.person.id, handling.now)
        case c.SetReminders():
            handling.remind_as_wished()
        case _:
            pass


def _is_taken(handling: MailHandling, name: str) -> bool:
    """Whether somebody else has that name where the others know him by it; in an anonymous game nobody does."""
    games = [game for game in handling.own_games() if not game.hides_names]
    others = {id_ for game in games for id_ in game.members if id_ != handling.person.id}
    return bool(name) and name.casefold() in {
        other.name.casefold() for other in handling.work.people.many(others).values()
    }


def set_address(handling: MailHandling, item: RequestedCommand, request: c.SetAddress | c.SetSecondAddress) -> Answer:
    """Write to another address from now on, or hear from another one too, once somebody there says yes."""
    person = handling.person
    changed = _with_address(person, request)
    if changed == person:
        return Refused(refusals.SameSetting(request.address or "none"))
    if request.address:
        if any(not isinstance(other.request, type(request)) for other in handling.to_confirm):
            return Refused(refusals.Alone(word_of(request)))
        if not handling.is_confirmed(request):  # whether somebody is registered there is told to nobody but him
            return handling.ask_first(item, request.address)
        known = handling.work.people.by_address(request.address)
        if known is not None and known.id != person.id:
            return Refused(refusals.AddressTaken(request.address))
    handling.person = changed
    handling.work.people.save(changed)
    return Done(request)


def _with_address(person: Person, request: c.SetAddress | c.SetSecondAddress) -> Person:
    """With another first or second address; the second made the first, they change places."""
    if isinstance(request, c.SetSecondAddress):
        return person if request.address == person.address else replace(person, second=request.address)
    is_exchanged = request.address == person.second
    return replace(person, address=request.address, second=person.address if is_exchanged else person.second)


def kept_of_oneself(handling: MailHandling, item: RequestedCommand) -> Answer:
    """What is stored about the sender: the address changed, all of it shown, or forgotten."""
    match item.request:
        case c.SetAddress() | c.SetSecondAddress() as request:
            return set_address(handling, item, request)
        case c.EraseMe():
            return erase_oneself(handling, item)
        case _:
            return show_data(handling)


def show_data(handling: MailHandling) -> Answer:
    """All that is stored about the sender, as a file."""
    person = handling.person
    data = {**handling.work.data_of(person), "asked for at": handling.now.isoformat()} if handling.is_registered else {}
    content = json.dumps(data, ensure_ascii=False, indent=1).encode()
    handling.attachments.append(Attachment("my-data.json", "application/json", content))
    games = dict.fromkeys(str(row["game"]) for row in data.get("games", ()))
    counts = [len(data.get(name, ())) for name in ("diary", "mails from you", "mails to you")]
    return DataShown(person.name, person.address, tuple(games), *counts)


def erase_oneself(handling: MailHandling, item: RequestedCommand) -> Answer:
    """Leave all games and forget who it was."""
    work, person = handling.work, handling.person
    mine = [game for game in handling.own_games() if game.master == person.id]
    if mine:
        return Refused(refusals.MastersGames(mine[0].name))
    if not handling.is_confirmed(item.request):
        return handling.ask_first(item, person.address)
    for game in handling.own_games():
        handling.take(handle(game, person.id, c.Resign(game.name), request_context(handling, item, game)))
    for name in {name: None for address in person.addresses for name in work.games.inviting(address)}:
        _forget_invitation(handling, name)
    work.people.erase(person)
    work.inbox.redact(person.id)
    for address in person.addresses:
        work.outbox.redact(person.id, address)
    return Done(item.request)


def _forget_invitation(handling: MailHandling, name: str) -> None:
    """No game keeps the address of who wants to be forgotten."""
    game = handling.named(name)
    assert game is not None, "it was found just now"
    kept = tuple(one for one in game.invitations if one.address not in handling.person.addresses)
    offers = tuple(one for one in game.master_offers if one.address not in handling.person.addresses)
    game = replace(game, invitations=kept, master_offers=offers)
    handling.change(without_changed_seats(game))
