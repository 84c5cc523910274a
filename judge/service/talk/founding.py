"""New games: created here, or imported from another judge."""

from __future__ import annotations

import json
from dataclasses import replace

from judge import commands as c
from judge.errors import NotationError, PositionError
from judge.games import Game, GameState, MailContext, Request, Settings, create, refusals
from judge.games.answers import Answer, Done, SettingsShown
from judge.games.events import GameNews, GameStarted
from judge.games.insight import having_seen
from judge.games.mastery import check_settings
from judge.games.refusals import Refused
from judge.games.request import table
from judge.games.sandbox import MOST, sandbox
from judge.games.settings import usual_settings
from judge.games.setup import is_name, set_out
from judge.games.sight import position_seen_by, seen_by
from judge.mail.pasted import shows_board
from judge.rules.exchange.reading import read_task
from judge.rules.map import USUAL_BOARD, load_map
from judge.rules.position import Phase, Position
from judge.service.talk.agenda import LineScope
from judge.service.talk.handling import MailHandling
from judge.service.talk.questions import sections_for
from judge.service.talk.request import MailRequest, on
from judge.settings import board_named
from judge.storage.moving import put_records, read_game

_LARGEST_FILE = 64 * 1024


def create_game(asked: MailRequest[c.Create]) -> Answer:
    """Create a game; the sender becomes its master."""
    handling, request = asked.handling, asked.command
    why_not = why_no_new_game(handling, request.game.lower())
    if why_not is not None:
        return why_not
    like = handling.known(request.like) if request.like else None
    if request.like and like is None:
        return Refused(refusals.NoSuchGame(request.like))
    made = create(request, handling.person.id, handling.config.judge.zone, like)
    if isinstance(made, Refused):
        return made
    handling.found(made.game)
    return made.answer


def is_of_a_new_game(handling: MailHandling, request: c.CheckSettings, name: str | None, game: Game | None) -> bool:
    """Whether settings are tried for a new game.

    Only masters may try them on an existing one.
    """
    is_no_master = game is not None and handling.person.id not in game.masters
    return name is None or (is_no_master and bool(request.settings))


def try_settings(handling: MailHandling, request: c.CheckSettings) -> Answer:
    """Show what settings would mean in a new game, without opening one.

    Any sender may ask.
    """
    usual = replace(usual_settings(), zone=handling.config.judge.zone)
    new, person, now = set_out("", usual, handling.person.id), handling.person.id, handling.now
    answer = check_settings(Request(new, person, request, MailContext(handling.waiting.id, "", now), now)).answer
    if isinstance(answer, SettingsShown):
        handling.sections += sections_for(handling.work, request, answer, answer.game, handling.person)
    return answer


def import_game(asked: MailRequest[c.Import]) -> Answer:
    """Take a game from another judge; the sender becomes its master."""
    handling, request = asked.handling, asked.command
    name = request.game.lower()
    why_not = why_no_new_game(handling, name)
    if why_not is not None:
        return why_not
    if not handling.letter.files:
        return Refused(refusals.NoFile(name))
    try:
        game, file = read_game(handling.letter.files[0].content, name, handling.person.id)
    except NotationError as error:
        return Refused(refusals.BadFile(str(error)))
    game = having_seen(game, (handling.person.id,))  # they have the file
    handling.found(game)
    put_records(handling.work.records, game, file)
    handling.work.records.log(GameNews(game, request, handling.now))
    return Done(request)


def why_no_founder(handling: MailHandling) -> Refused | None:
    """Return why the sender may not open games; None if they may."""
    creators = handling.config.games.creators
    may = "*" in creators or any(one in creators for one in handling.person.mailboxes)
    return None if may else Refused(refusals.MayNotCreate())


def why_no_new_game(handling: MailHandling, name: str) -> Refused | None:
    """Return why the sender cannot open this game; None if they can."""
    why_not = why_no_founder(handling)
    if why_not is not None:
        return why_not
    if handling.work.games.get(name) is not None:
        return Refused(refusals.NameTaken(name))
    return None if is_name(name) else Refused(refusals.BadName(name))


def open_sandbox(asked: MailRequest[c.Sandbox]) -> Answer:
    """Set up a private board for the sender; the report on its start shows it."""
    handling, request = asked.handling, asked.command
    own = [game for game in handling.own_games() if game.is_sandbox and game.is_running]
    if len(own) >= MOST:
        return Refused(refusals.SandboxesEnough(MOST))
    found = _position_wanted(handling, request, asked.item.scope)
    if isinstance(found, Refused):
        return found
    number = handling.waiting.id
    while handling.named(f"{Game.SANDBOX}{number}") is not None:
        number += 1
    game = sandbox(number, handling.person.id, *found, handling.now)
    handling.found(game)
    handling.events.append(GameStarted(game, handling.now))
    return Done(request)


def _position_wanted(
    handling: MailHandling, request: c.Sandbox, scope: LineScope
) -> tuple[Settings, Position] | Refused:
    if request.game is not None:
        return _position_of(handling, request.game, request.phase)
    if handling.letter.files:
        return position_attached(handling.letter.files[0].content)
    if scope.game is not None and scope.phase is not None:  # the board of the report that the mail answers
        return _position_of(handling, scope.game, scope.phase)
    return Refused(refusals.NoBoardSeen()) if _shows_a_board(handling) else (Settings(), load_map(USUAL_BOARD).start())


def _position_of(handling: MailHandling, name: str, phase: Phase | None) -> tuple[Settings, Position] | Refused:
    game = handling.known(name)
    board = board_named(name)
    if game is None and board is not None and phase is None:
        return Settings(map=board), load_map(board).start()
    if game is None:
        return Refused(refusals.NoSuchGame(name))
    if not (handling.has_part_in(game) or game.state is GameState.FINISHED):
        return Refused(refusals.BoardOfOthers(game.name))
    if phase in (None, game.position.phase):
        return game.settings, seen_by(game, handling.person.id).position
    past = handling.work.records.past(game.name, phase) if phase is not None else None
    if past is None:
        return Refused(refusals.NoSuchPhase(phase))
    return game.settings, position_seen_by(game, handling.person.id, past.position)


def _shows_a_board(handling: MailHandling) -> bool:
    """Whether the mail seems to show a board, quoted or not, that cannot be read."""
    letter = handling.letter
    answers_us = bool(letter.in_reply_to) and handling.work.outbox.by_message_id(letter.in_reply_to or "") is not None
    text = letter.own_text if answers_us else letter.text
    used = {item.line.strip() for item in handling.agenda}
    return shows_board([line for line in text.splitlines() if line.strip() not in used])


def position_attached(content: bytes) -> tuple[Settings, Position] | Refused:
    """Read the board from the attached file of a report."""
    if len(content) > _LARGEST_FILE:
        return Refused(refusals.BoardTooLarge(_LARGEST_FILE // 1024))
    try:
        facts = json.loads(content)
        line = facts.get("output") or facts.get("position") or facts.get("input") or facts
        task = read_task({**line, "orders": {}} | ({"phase": facts["next"]} if facts.get("output") else {}))
    except json.JSONDecodeError:
        return Refused(refusals.BadBoard(""))
    except (ValueError, TypeError, AttributeError, KeyError, NotationError, PositionError) as error:
        return Refused(refusals.BadBoard(str(error)))
    return Settings(map=task.map.name, rules=task.options), task.position


HANDLERS = table(on(c.Create, create_game), on(c.Import, import_game), on(c.Sandbox, open_sandbox))
