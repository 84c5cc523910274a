"""Commands of people about themselves: name, addresses, preferences, data."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace

from judge import commands as c
from judge.games import Person, change, handle, refusals
from judge.games.answers import Answer, DataShown, Done
from judge.games.insight import once_erased
from judge.games.persons import CHANGES
from judge.games.publishing import withheld
from judge.games.refusals import Refused
from judge.games.remembering import without_changed_seats
from judge.games.request import table
from judge.language.look_alikes import is_a_power, is_an_office, look_of
from judge.language.writing import word_of
from judge.mail.letters import Attachment
from judge.mailbox import name_before
from judge.service.talk.handling import MailHandling
from judge.service.talk.of_a_game import game_request
from judge.service.talk.request import MailRequest, on

_MOST_FORMER = 10
"""The most earlier addresses of a person that are remembered."""


def change_oneself(asked: MailRequest[c.GeneralCommand]) -> Answer:
    """Change what the judge knows of the sender."""
    handling = asked.handling
    changed, answer = change(handling.person, asked.command)
    if changed.name != handling.person.name:
        if is_an_office(changed.name) or is_a_power(changed.name):
            return Refused(refusals.BadPersonName(changed.name, is_reserved=True))
        if _is_taken_at_a_mailbox(handling, changed):
            return Refused(refusals.NameClashes(changed.name))
        if handling.has_namesake(changed, handling.own_games()):
            return Refused(refusals.NameClashes(changed.name))
    handling.person = changed
    if handling.is_registered:
        handling.work.people.save(changed)
    return answer


def _is_taken_at_a_mailbox(handling: MailHandling, person: Person) -> bool:
    """Whether another person at a mailbox of theirs has that name: mails name people there."""
    others = [one for at in person.mailboxes for one in handling.work.people.at(at) if one.id != person.id]
    names = {look_of(name) for one in others for name in (one.name, name_before(one.address)) if name}
    return look_of(person.name) in names


def set_mail(asked: MailRequest[c.SetMail]) -> Answer:
    """Change when mail that can wait arrives; letters already waiting are released."""
    answer = change_oneself(asked)
    asked.handling.work.outbox.release(asked.handling.now, asked.handling.person.id)
    return answer


def set_reminders(asked: MailRequest[c.SetReminders]) -> Answer:
    """Change when the sender is reminded, in their running games too."""
    answer = change_oneself(asked)
    asked.handling.remind_as_wished()
    return answer


def set_address(asked: MailRequest[c.SetAddress | c.SetSecondAddress]) -> Answer:
    """Change the first or second address, after a confirmation from the new one."""
    handling, request = asked.handling, asked.command
    person = handling.person
    changed = _with_address(person, request)
    if changed == person:
        return Refused(refusals.SameSetting(request.address or "none"))
    if request.address:
        if any(not isinstance(other.request, type(request)) for other in handling.to_confirm):
            return Refused(refusals.Alone(word_of(request)))
        if not handling.is_confirmed(request):  # only the address itself is told whether it is registered
            return handling.ask_first(asked.item, request.address)
        if any(known.id != person.id for known in handling.work.people.at(request.address)):
            return Refused(refusals.AddressTaken(request.address))
    left = tuple(one for one in person.addresses if one not in changed.addresses)
    former = (*(one for one in person.preferences.former if one not in (*left, *changed.addresses)), *left)
    changed = replace(changed, preferences=replace(changed.preferences, former=former[-_MOST_FORMER:]))
    handling.person = changed
    handling.work.people.save(changed)
    return Done(request)


def _with_address(person: Person, request: c.SetAddress | c.SetSecondAddress) -> Person:
    """Return the person with another first or second address.

    Making the second address the first exchanges them, or leaves the shared mailbox.
    """
    if isinstance(request, c.SetSecondAddress):
        return person if request.address == person.address else replace(person, second=request.address)
    if request.address != person.second:
        return replace(person, address=request.address)
    is_shared = bool(name_before(person.address))  # its mail would not tell who of the mailbox it is from
    return replace(person, address=request.address, second="" if is_shared else person.address)


def show_data(asked: MailRequest[c.MyData]) -> Answer:
    """Attach a file with everything stored about the sender."""
    handling, person = asked.handling, asked.handling.person
    data = {**handling.work.data_of(person), "asked for at": handling.now.isoformat()} if handling.is_registered else {}
    content = json.dumps(data, ensure_ascii=False, indent=1).encode()
    handling.attachments.append(Attachment("my-data.json", "application/json", content))
    games = dict.fromkeys(str(row["game"]) for row in data.get("games", ()))
    counts = [len(data.get(name, ())) for name in ("diary", "mails from you", "mails to you")]
    return DataShown(person.name, person.mailboxes[0], tuple(games), *counts)


def erase_oneself(asked: MailRequest[c.EraseMe]) -> Answer:
    """Leave all games and forget the sender."""
    handling, item = asked.handling, asked.item
    work, person = handling.work, handling.person
    mine = [game for game in handling.own_games() if game.master == person.id]
    if mine:
        return Refused(refusals.MastersGames(mine[0].name))
    if not handling.is_confirmed(item.request):
        return handling.ask_first(item, person.address)
    for game in handling.own_games():
        handling.take(handle(game_request(handling, item, game, c.Resign(game.name))))
    own = [one for one in person.invited_at if name_before(one) or work.people.at(one) == (person,)]
    for name in {name: None for address in own for name in work.games.inviting(address)}:
        _forget_invitation(handling, name, own)
    for game in work.games.many(list(dict.fromkeys((*work.games.with_insight(), *sorted(handling.changed))))):
        handling.change(once_erased(handling.games.setdefault(game.name, game), person))
    for game in work.games.many(list(work.publications.forget_words_of(person.id))):
        handling.change(withheld(handling.games.setdefault(game.name, game)))
    work.people.erase(person)
    work.inbox.redact(person.id)
    for address in person.addresses:
        work.outbox.redact(person.id, address)
    return Done(asked.command)


def _forget_invitation(handling: MailHandling, name: str, own: Collection[str]) -> None:
    """Remove these addresses of the sender from the invitations and offers of a game."""
    game = handling.named(name)
    assert game is not None, "it was found just now"
    kept = tuple(one for one in game.invitations if one.address not in own)
    offers = tuple(one for one in game.master_offers if one.address not in own)
    coaching = tuple(one for one in game.coach_offers if one.address not in own)
    asked = tuple(one for one in game.sittings if one.address not in own)
    game = replace(game, invitations=kept, master_offers=offers, coach_offers=coaching, sittings=asked)
    handling.change(without_changed_seats(game))


HANDLERS = {
    **dict.fromkeys(CHANGES, change_oneself),
    **table(
        on(c.SetMail, set_mail),
        on(c.SetReminders, set_reminders),
        on(c.SetAddress, set_address),
        on(c.SetSecondAddress, set_address),
        on(c.EraseMe, erase_oneself),
        on(c.MyData, show_data),
    ),
}
"""Class of a command → its handler.

Commands that change only the person are done by `change_oneself`.
"""
