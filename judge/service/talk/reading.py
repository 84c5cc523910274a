"""Read a mail: find its game, and read each line on that game's board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import get_args

from judge.budget import Budget
from judge.commands import (
    Broadcast,
    Clear,
    Command,
    Doubted,
    GameCommand,
    Give,
    Join,
    Language,
    ListKind,
    OrderFor,
    Perhaps,
    Press,
    PressOrOrders,
    PressToCoach,
    PressToMaster,
    Reading,
    Steering,
    TakeOver,
    Talk,
    UseGame,
    Wait,
)
from judge.games import Game, LookedUp, MailContext, Person, PersonId, Request, handle
from judge.games.access import is_unknown_to, refusal
from judge.games.insight import people_concerned, same_people
from judge.games.listing import SHELVES
from judge.games.questions import open_questions
from judge.games.refusals import Refused
from judge.games.refused_lines import refused_lines
from judge.games.setup import NAME
from judge.games.sight import powers_of, seen_as
from judge.language import Context, ReadLine, read
from judge.language.asking.below import with_topic
from judge.language.context import Role
from judge.language.faults import FaultKind
from judge.language.letters import asked_which, lines_for_the_judge, report_in, without_own_heading
from judge.mail.letters import Letter
from judge.rules.map import USUAL_BOARD, load_map
from judge.rules.position import Power
from judge.service.talk.senders import Author
from judge.storage import Work

_MOST_OPEN_GAMES = 5
"""The most open games, in the order of LIST, tried for a wish to play."""
_SOME_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""When a wish to play is tried.

Any day does that has a day before and after it.
"""


def read_mail(
    work: Work,
    sender: Author,
    letter: Letter,
    budget: Budget,
    chosen: Reading | None = None,
    *,
    is_picture: bool = False,
) -> tuple[Game | None, tuple[ReadLine, ...]]:
    """Return the default game of a mail and its lines.

    Letters that were asked about are read as `chosen`. If `is_picture`, an answer to press needs no words.
    If the budget runs out, the last line returned is the first one that was not read.
    """
    game = _usual_game(work, sender)
    lines = _lines_of(work, sender, letter.own_text, game, budget)
    left = [line for line in lines if line.is_unread]
    if letter.first_unread and not left:
        left = [ReadLine(letter.own_text.count("\n") + 2, letter.first_unread, is_unread=True)]
    lines = [line for line in lines if not line.is_unread]
    if is_picture:
        lines = [replace(line, requests=tuple(map(_as_picture, line.requests))) for line in lines]
    if chosen is not None:
        return game, (*_as_chosen(work, sender, lines, chosen, game, budget), *left)
    person = sender.person
    is_press = _press_answered_with(sender, game) is not None
    if not is_press and sender.game is None and (person is None or not work.games.of_person(person.id)):
        return game, (*_without_what_needs_a_game(lines, context_of(None, sender)), *left)
    return game, (*lines, *left)


def _lines_of(work: Work, sender: Author, text: str, game: Game | None, budget: Budget) -> list[ReadLine]:
    """Read the lines of a mail.

    An answer to press is one letter. It is dropped if it cannot be read to its end.
    """
    context = replace(context_of(game, sender), budget=budget)
    if game is None:
        context = _without_a_game(work, sender, context)
    answer = _press_answered_with(sender, game)
    if answer is None:
        readings = [list(read(text, one)) for one in _on_boards(work, sender, context)] if game is None else []
        lines = min(readings, key=_faults, default=None) or list(read(text, context))
        lines = _on_named_boards(work, lines, context)
        return _on_their_boards(work, sender, lines, text, game, budget)
    report = report_in(text, context) if sender.says is None else None
    if report is not None:
        line = ReadLine(1, text.strip().splitlines()[0], requests=(report,))
    else:
        line = answer_to_press(text, answer, context, may_be_sent=sender.misaddressed is None)
    return [replace(line, requests=(), instead=(), is_unread=True) if budget.is_spent else line]


def _on_boards(work: Work, sender: Author, context: Context) -> list[Context]:
    """Return the context on the board of each game of the sender.

    The sender may mean any of these games.
    """
    names = work.games.of_person(sender.person.id) if sender.person is not None else ()
    maps = {game.settings.map: game.map for game in work.games.many(names)}
    return [replace(context, map=map_) for _, map_ in sorted(maps.items())]


_OF_A_COMMAND = frozenset(
    (FaultKind.UNKNOWN_POWER, FaultKind.MALFORMED_COMMAND, FaultKind.INCOMPLETE_COMMAND, FaultKind.UNSURE)
)


def _on_named_boards(work: Work, lines: list[ReadLine], context: Context) -> list[ReadLine]:
    """Reread each command on the board of the game it names: JOIN ardennes AS France.

    A command that is not understood may name a game in any of its words.
    """

    def names_in(line: ReadLine) -> set[str]:
        joined = {one.game.lower() for one in map(_meant, line.requests) if isinstance(one, Join | TakeOver)}
        if joined:
            return joined
        is_unclear = line.is_guess or any(fault.kind in _OF_A_COMMAND for fault in line.faults)
        return set(NAME.findall(line.text.lower())) if is_unclear else set()

    names = {name for line in lines for name in names_in(line)}
    maps = {game.name: game.map for game in work.games.many(sorted(names)) if game.map is not context.map}
    for place, line in enumerate(lines) if maps else ():
        named = next((maps[name] for name in sorted(names_in(line)) if name in maps), None)
        again = read(line.text, replace(context, map=named)) if named is not None else ()
        if len(again) == 1 and len(again[0].faults) <= len(line.faults):
            lines[place] = replace(again[0], number=line.number)
    return lines


def _faults(lines: Sequence[ReadLine]) -> int:
    return sum(len(line.faults) for line in lines)


def _as_picture(request: Command) -> Command:
    return replace(request, is_picture=True) if isinstance(request, Talk) else request


_COUNTS_IN_PART = Give | Doubted | Clear | Wait | Steering | OrderFor
"""Requests that count if a mail was not read to its end.

They are orders, and requests that keep a phase open.
"""


def what_counts(lines: Sequence[ReadLine]) -> tuple[ReadLine, ...]:
    """Return the lines with the requests that count.

    Of a mail not read to its end, only orders and questions count. Requests that close, end or change a game might have
    read differently with the rest.
    """
    if not any(line.is_unread for line in lines):
        return tuple(lines)
    return tuple(replace(line, requests=tuple(filter(_counts_in_part, line.requests))) for line in lines)


def _counts_in_part(request: Command) -> bool:
    return isinstance(request, _COUNTS_IN_PART) or request.card.is_question


def _on_their_boards(
    work: Work, sender: Author, lines: list[ReadLine], text: str, game: Game | None, budget: Budget
) -> list[ReadLine]:
    """Reread the lines below each heading on the board of the game it names.

    Headings name a game or a power.
    """
    for place, line in enumerate(lines):
        game = _game_below(work, sender, line, game)
        context = _context_below(work, sender, line, game)
        if context is not None:
            # Line numbers refer to the whole mail, therefore the lines above are replaced by empty ones.
            below = "\n" * line.number + "\n".join(text.splitlines()[line.number :])
            lines[place + 1 :] = read(below, replace(context, budget=budget))
    return lines


def _press_answered_with(sender: Author, game: Game | None) -> Press | Broadcast | PressToMaster | PressToCoach | None:
    """Return the press command for a mail that answers press, whatever it says.

    Return None if the mail answers none. Mail to the private address of a power is press in the same way.
    """
    if not sender.answers_press or sender.says is not None:
        return sender.says
    if sender.room is not None and sender.room.is_with_coach:
        return PressToCoach()
    person = sender.person
    is_for_masters = sender.answers_master and game is not None and (person is None or {person.id} != set(game.masters))
    return PressToMaster() if is_for_masters else Press(())


def answer_to_press(
    text: str, answer: Press | Broadcast | PressToMaster | PressToCoach, context: Context, *, may_be_sent: bool = True
) -> ReadLine:
    """Read an answer to press as one letter.

    It becomes a question if parts of it may be for the judge and it may be sent.
    """
    words, is_closed = without_own_heading(text, context)
    written = words.splitlines()
    first = ReadLine(1, next((line for line in written if line.strip()), ""))
    letter = with_topic(replace(answer, text=words))
    doubtful = () if is_closed or not may_be_sent else lines_for_the_judge(written, context, answers_press=True)
    if not doubtful:
        return replace(first, requests=(letter,))
    plain = replace(context, hears_sentences=False)
    return asked_which(first, letter, written, doubtful, lambda lines: read(lines, plain), keeps_words=False)


def _as_chosen(
    work: Work, sender: Author, lines: Sequence[ReadLine], chosen: Reading, game: Game | None, budget: Budget
) -> tuple[ReadLine, ...]:
    """Read the letters that were asked about as `chosen`.

    Of the other lines, only the steering commands are kept.
    """
    found: list[ReadLine] = []
    for line in lines:
        asked = next((one for one in line.requests if isinstance(one, PressOrOrders)), None)
        steering = tuple(one for one in line.requests if one.card.steers)
        if asked is None:
            found.append(replace(line, requests=steering, faults=()))
        elif chosen is Reading.PRESS:
            found.append(replace(line, requests=(*steering, asked.letter)))
        else:
            words = () if asked.words is None else (asked.words,)
            text = "\n".join(asked.lines)
            found.append(replace(line, requests=(*steering, *words)))
            found += _on_their_boards(work, sender, list(line.instead), text, game, budget)
    return tuple(found)


def _without_what_needs_a_game(lines: Sequence[ReadLine], context: Context) -> tuple[ReadLine, ...]:
    """Drop sentences such as `I would like to play` from a sender without a game.

    Lines written as commands stay. Lines that name a game stay too, and all lines below those.
    """
    plain = replace(context, hears_sentences=False)
    named = next((place for place, line in enumerate(lines) if any(map(_names_a_game, line.requests))), len(lines))
    return tuple(
        replace(line, requests=(), faults=()) if place < named and _is_asked_of_a_game(line, plain) else line
        for place, line in enumerate(lines)
    )


def _names_a_game(request: Command) -> bool:
    return getattr(_meant(request), "game", None) is not None


def _is_asked_of_a_game(line: ReadLine, plain: Context) -> bool:
    """Whether a line asks something of a game only as a sentence, and orders nothing."""
    if any(isinstance(one, Give | Doubted) for one in line.requests):
        return False
    if not any(isinstance(_meant(one), get_args(GameCommand)) for one in line.requests):
        return False
    return line.is_guess or not any(one.requests for one in read(line.text, plain))


def _meant(request: Command) -> Command:
    return request.command if isinstance(request, Perhaps) else request


def _game_below(work: Work, sender: Author, line: ReadLine, game: Game | None) -> Game | None:
    """Return the game of the lines below this one.

    Return None if this line names a game that the sender may not know of.
    """
    for request in line.requests:
        if isinstance(request, UseGame):
            named = work.games.get(request.game.lower())
            person = sender.person.id if sender.person is not None else PersonId(0)
            return named if named is not None and not is_unknown_to(named, person, sender.address) else None
    return game


def _context_below(work: Work, sender: Author, line: ReadLine, game: Game | None) -> Context | None:
    """Return the context of the lines below this one, if it differs from that above."""
    for request in line.requests if game is not None else ():
        if isinstance(request, UseGame):
            return context_of(game, sender)
        if isinstance(request, OrderFor) and game is not None and _may_read_as(work, sender, request, game):
            return context_of(game, sender, request)
    return None


def _may_read_as(work: Work, sender: Author, request: OrderFor, game: Game) -> bool:
    """Whether orders are read by what another power sees.

    In fog this tells where that power's units stand.
    A question whether a mail is its sender's names what was read too. An unproved mail is therefore read that way only
    after the yes.
    """
    if not game.is_foggy:
        return True
    person = sender.person
    if person is None or not sender.is_proved or person.id not in game.masters:
        return False
    known = work.people.many(people_concerned(game))
    return refusal(game, person.id, request, same_people(game, [*known.values(), person])) is None


def _usual_game(work: Work, sender: Author) -> Game | None:
    """Return the game of the answered report, or the sender's only game."""
    if sender.game is not None:
        return work.games.get(sender.game)
    names = work.games.of_person(sender.person.id) if sender.person is not None else ()
    return work.games.get(names[0]) if len(names) == 1 else None


def _without_a_game(work: Work, sender: Author, context: Context) -> Context:
    """Return the context of a mail about no game.

    For a sender without a game it holds the games they may join.
    """
    person = sender.person
    if person is not None and work.games.of_person(person.id):
        return context
    names, _ = work.games.on_shelves(SHELVES[ListKind.NEW], None, 0, _MOST_OPEN_GAMES)
    who = person or Person(PersonId(0), sender.address, "", Language.ENGLISH)
    open_games = {game.name: _powers_to_join(game, who) for game in work.games.many(names)}
    return replace(context, role=Role.STRANGER, open_games=open_games)


def _powers_to_join(game: Game, person: Person) -> frozenset[Power]:
    """Return the powers of a game that a person may ask for."""

    def is_refused(power: Power) -> bool:
        looked_up = LookedUp(address=person.address, percent=person.record.percent)
        at = game.clock.opened_at or _SOME_TIME
        request = Request(game, person.id, Join(game.name, power), MailContext(0, "", at), at, looked_up)
        return isinstance(handle(request).answer, Refused)

    return frozenset(power for power in game.map.powers if not is_refused(power))


def _role_in(game: Game, person: PersonId | None, powers: tuple[Power, ...]) -> Role | None:
    if person is not None and person in game.masters:
        return Role.MASTER
    return Role.PLAYER if powers else None


def context_of(game: Game | None, sender: Author, ordering: OrderFor | None = None) -> Context:
    """Return the context in which a sender's words are read: board, powers, rules, names."""
    if game is None:
        return Context(load_map(USUAL_BOARD))
    person = sender.person.id if sender.person is not None else None
    powers = powers_of(game, person or PersonId(0), ordering)
    game = seen_as(game, powers)
    # A mail ends the civil disorder of its sender's power: their words never refer to that disorder.
    terms = replace(game.circumstances, disorder=frozenset())
    asked = person is not None and bool(open_questions(game, person) or refused_lines(game, person))
    names = (sender.person.name if sender.person is not None else "", sender.name, *map(str.title, powers))
    return Context(
        game.map,
        game.position,
        powers,
        game.settings.rules,
        terms,
        unseen=game.sight.unseen if game.sight is not None else frozenset(),
        has_questions=asked,
        names=tuple(filter(None, names)),
        answers_report=sender.phase is not None,
        # In an answer to press, sentences address the other player and not the judge.
        hears_sentences=not sender.answers_press,
        role=_role_in(game, person, powers),
    )
