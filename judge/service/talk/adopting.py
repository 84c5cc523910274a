"""ADOPT: a running game of another judge goes on here."""

from __future__ import annotations

from dataclasses import replace

from judge import commands as c
from judge.games import Game, Handled, Settings
from judge.games.adopting import adopt
from judge.games.answers import AdoptionShown, Answer
from judge.games.events import GameNews
from judge.games.refusals import Refused
from judge.games.request import table
from judge.games.settings import read_settings, usual_settings
from judge.games.setup import set_out, wrong_settings
from judge.language.adoption import (
    AS_SHOWN,
    Fault,
    Lost,
    Sheet,
    amiss_in,
    in_lines,
    may_stand_on,
    position_on,
    read_sheet,
)
from judge.reports.sections import AdoptedPosition
from judge.rules.map import load_map
from judge.rules.position import Position
from judge.service.post.pictures import illustrated, of_open_phase
from judge.service.talk.founding import position_attached, why_no_new_game
from judge.service.talk.handling import MailHandling
from judge.service.talk.inviting import is_ours, why_not_invited
from judge.service.talk.request import MailRequest, on


def adopt_game(asked: MailRequest[c.Adopt]) -> Answer:
    """Show what was read.

    Once the master has agreed to it, open the game and invite its players.
    """
    handling, command = asked.handling, asked.command
    why_not = why_no_new_game(handling, command.game.lower())
    if why_not is not None:
        return why_not
    sheet = _sheet(handling, command)
    if isinstance(sheet, Refused):
        return sheet
    usual = replace(usual_settings(), zone=handling.config.judge.zone)
    settings = read_settings(sheet.settings, replace(usual, map=sheet.board))
    if not isinstance(settings, Settings):
        return wrong_settings(settings)
    groups = load_map(sheet.board).setup_for(settings.rules.players).assignments
    faults = amiss_in(sheet, is_foggy=settings.rules.fog.is_thick, groups=groups)
    if not sheet.agreed or any(fault.forbids for fault in faults):
        return _shown(handling, command, sheet, settings, faults)
    position = position_on(sheet)
    assert isinstance(position, Position)  # `amiss_in` has tried it
    own, seed = handling.person.addresses, handling.waiting.id
    handled = adopt(command, settings, position, sheet.players, handling.person.id, own, handling.now, seed)
    return _founded(handling, command, handled)


def _founded(handling: MailHandling, command: c.Adopt, handled: Handled) -> Answer:
    refusal = why_not_invited(handling, handled)
    if refusal is not None:
        return Refused(refusal)
    handling.found(handled.game)
    handling.events += handled.events
    handling.work.records.log(GameNews(handled.game, replace(command, text=""), handling.now, by=handling.person.id))
    return handled.answer


def _shown(
    handling: MailHandling, command: c.Adopt, sheet: Sheet, settings: Settings, faults: tuple[Fault, ...]
) -> Answer:
    """Show the position, and what is wrong or missing in it."""
    name = command.game.lower()
    handling.sections.append(AdoptedPosition(name, sheet, faults))
    game = _as_game(name, sheet, settings, handling)
    if game is not None and handling.config.delivery.pictures:
        handling.illustrations += illustrated(handling.work, [of_open_phase(game)], handling.person)
    is_possible = not any(fault.forbids for fault in faults)
    lines = "\n".join([f"ADOPT {name}", AS_SHOWN, in_lines(sheet), "END ADOPT"])
    return AdoptionShown(name, lines, is_possible, sheet.agreed)


def _as_game(name: str, sheet: Sheet, settings: Settings, handling: MailHandling) -> Game | None:
    """Return a game in this position, to be drawn, as far as it is possible."""
    position = position_on(may_stand_on(sheet))
    if isinstance(position, Fault):
        return None
    return replace(set_out(name, settings, handling.person.id), position=position)


def _sheet(handling: MailHandling, command: c.Adopt) -> Sheet | Refused:
    """Return what the mail says.

    The file of one of our reports counts before the text.
    """
    sheet = read_sheet(command.text, handling.budget)
    sheet = replace(sheet, players={p: one for p, one in sheet.players.items() if not is_ours(handling, one)})
    if not handling.letter.files:
        return sheet
    found = position_attached(handling.letter.files[0].content)
    if isinstance(found, Refused):
        return found
    settings, position = found
    own = replace(sheet, units={}, centers={}, lost={}, phase=None, unread=())
    return _of(position, settings.map).mended_by(own)


def _of(position: Position, board: str) -> Sheet:
    powers = load_map(board).powers
    return Sheet(
        board=board,
        phase=position.phase,
        units={power: position.units_of(power) for power in powers},
        centers={power: position.centers_of(power) for power in powers},
        lost={
            power: tuple(
                Lost(unit, loss.attacked_from, loss.retreats)
                for unit, loss in position.dislodged.items()
                if loss.power == power
            )
            for power in dict.fromkeys(position.dislodged_powers().values())
        },
    )


HANDLERS = table(on(c.Adopt, adopt_game))
