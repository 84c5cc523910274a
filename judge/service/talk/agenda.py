"""The requests of a mail in order, each with its scope, as pure values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judge import commands as c
from judge.commands import Command, Permitted
from judge.language import ReadLine
from judge.rules.position import Phase, Power


@dataclass(frozen=True, slots=True)
class LineScope:
    """The game, phase and power that a line is about.

    They follow from the lines above it and the report that the mail answers.
    """

    game: str | None = None
    phase: Phase | None = None
    power: Power | None = None
    ordering: c.OrderFor | None = None
    """The master's ORDER FOR above the line."""
    for_board: bool = False
    """Whether the line stands below SANDBOX.

    Its orders are then for the private board, not for a game.
    """


@dataclass(frozen=True, slots=True)
class RequestedCommand:
    """One request with its number and scope."""

    number: int
    """Its number among all requests of the mail."""
    request: Command
    line: str
    scope: LineScope
    overridden_by: Command | None = None
    """A later request of the same mail that contradicts and replaces it."""
    is_asked_again: bool = False
    """Whether a later line asks the same question, and is answered instead."""
    is_guess: bool = False
    """Whether it is a guess at what the sender means; done only after confirmation."""
    left_out: tuple[str, ...] = ()
    """Words of the sender that the guess ignores."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """All requests of a mail, line by line."""

    rows: tuple[tuple[RequestedCommand, ...], ...] = ()
    scopes: tuple[LineScope, ...] = ()
    """The scope of each row."""
    first: LineScope = LineScope()
    """The scope before the first line of the mail."""

    def __iter__(self) -> Iterator[RequestedCommand]:
        return (item for row in self.rows for item in row)

    def settings(self, game: str) -> tuple[c.ChangeSetting, ...]:
        """Return all settings that the mail changes in a game."""
        meant = ((item.request, item.scope) for item in self if item.overridden_by is None)
        changes = ((request, scope.game) for request, scope in meant if isinstance(request, c.ChangeSetting))
        return tuple(request for request, about in changes if (request.game or about) == game)


def agenda_of(lines: Sequence[ReadLine], scope: LineScope, *, only_final: bool = False) -> Agenda:
    """Build the agenda of lines below a scope.

    With `only_final`, it holds only requests that may need confirmation.
    """
    rows: list[list[RequestedCommand]] = []
    first, scopes = scope, []
    number = 0
    for line in lines:
        row = []
        for request in line.requests:
            scope = _steered(scope, request)
            is_guess = isinstance(request, c.Perhaps)
            meant = request.command if isinstance(request, c.Perhaps) else request
            left_out = request.left_out if isinstance(request, c.Perhaps) else ()
            if not only_final or meant.card.may_need_a_yes:
                item = RequestedCommand(number, meant, line.text, scope, is_guess=is_guess, left_out=left_out)
                row.append(item)
                number += 1
        rows.append(row)
        scopes.append(scope)
    # A guess never overrides a certain request.
    last = {_decided(item): item.request for row in rows for item in row if not item.is_guess}
    again = _asked_again([item for row in rows for item in row])
    found = [[replace(item, is_asked_again=True) if item.number in again else item for item in row] for row in rows]
    return Agenda(tuple(tuple(_overridden(item, last) for item in row) for row in found), tuple(scopes), first)


def _asked_again(items: Sequence[RequestedCommand]) -> set[int]:
    """Return the numbers of questions that a later one repeats.

    The later answer takes account of orders between the two.
    """
    again, later = set(), []
    for item in reversed(items):
        card = item.request.card
        is_question = card.is_question or not card.needs_proof or isinstance(item.request, c.Export | c.MyData)
        if is_question and not item.is_guess and not card.steers:
            asked = (item.request, item.scope)
            if asked in later:
                again.add(item.number)
            else:
                later.append(asked)
    return again


def _steered(scope: LineScope, request: Command) -> LineScope:
    match request:
        case c.UseGame(game=name) | c.Create(game=name) | c.Join(game=name) | c.Observe(game=name):
            return _about(scope, name)
        case c.TakeOver(game=name) | c.Import(game=name) | c.Adopt(game=name):
            return _about(scope, name)
        case c.ForPhase(phase):
            return replace(scope, phase=phase)
        case c.ForPower(power):
            return replace(scope, power=power, ordering=None)
        case c.OrderFor(power):
            return replace(scope, power=power, ordering=request)
        case c.Sandbox():
            return replace(scope, for_board=True)
    return scope


def _about(scope: LineScope, name: str) -> LineScope:
    # The phase comes from the report replied to, or was named for the other game.
    return replace(scope, for_board=False) if name.lower() == scope.game else LineScope(name.lower())


def _overridden(item: RequestedCommand, last: dict[object, Command]) -> RequestedCommand:
    by = last.get(_decided(item), item.request)
    return item if by == item.request else replace(item, overridden_by=by)


def _decided(item: RequestedCommand) -> object:
    """Return a key of what a request decides, and for which power.

    The key is unique for requests that never override each other.
    """
    card = item.request.card
    if not card.decides:
        return item.number
    game = (getattr(item.request, "game", None) or item.scope.game or "").lower()
    power = item.scope.power if card.who is Permitted.PLAYER else None
    if isinstance(item.request, c.Join):  # a game may give several seats to one person
        power = item.request.power
    return game, power, card.decides, getattr(item.request, "setting", "")
