"""The older press of a seat, as a file for its sitter."""

from __future__ import annotations

from judge.games import Game, PersonId
from judge.mail.letters import Attachment
from judge.reports.columns import unfolded
from judge.storage import Work

_MOST_LETTERS = 200
_MOST_BYTES = 200_000
_RULE = "\n\n* * *\n\n"


def press_file(work: Work, game: Game, player: PersonId) -> tuple[Attachment, ...]:
    """Return the press to and from a player in a game, the latest last.

    The result is empty if there is none. Letters whose text was forgotten are left out, and so are the oldest ones if
    there are too many.
    """
    found: list[str] = []
    size = 0
    # The copies of masters may name people whom the sitter must not know. Words of and to a coach stay private.
    readers = {seat.holder for seat in game.seats if seat.holder is not None} - {player, *game.masters}
    for letter in work.outbox.press_of(game.name, player, _MOST_LETTERS, readers, game.observers):
        text = f"{letter.date:%Y-%m-%d %H:%M} UTC\n{letter.subject}\n\n{unfolded(letter.text).strip()}"
        size += len(text.encode())
        if size > _MOST_BYTES:
            break
        found.append(text)
    content = _RULE.join(reversed(found)).encode()
    return (Attachment(f"{game.name}-press.txt", "text/plain", content),) if found else ()
