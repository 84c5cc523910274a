"""How votes stand, as far as a reader may know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from judge.commands import Proposable
from judge.games.ballots import Proposal
from judge.games.draws import agreeing, draw_standing, named_draws, needed_for_a_draw
from judge.games.game import Game
from judge.games.person import PersonId
from judge.games.proposals import tally
from judge.games.votes import as_told, conceding, living
from judge.rules.position import Power


@dataclass(frozen=True, slots=True)
class DrawView:
    """A draw between some of the survivors that at least one player wants."""

    sharers: tuple[Power, ...]
    agreed: int
    needed: int
    agreeing: tuple[Power, ...] = ()
    """The powers that agree; empty unless votes are open."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal that is open for voting."""

    number: int
    what: Proposable
    by: Power
    length: timedelta | None
    power: Power | None
    """The power whose player would be replaced."""
    for_: int
    against: int
    needed: int
    """How many votes in favor are needed."""
    yes: tuple[Power, ...] = ()
    """The powers in favor; empty unless votes are open."""
    no: tuple[Power, ...] = ()


@dataclass(frozen=True, slots=True)
class VotesView:
    """How votes stand, as far as a reader may know."""

    agreed: int
    """How many powers want a draw; how many centers those own, for an armistice."""
    needed: int
    in_centers: bool
    agreeing: tuple[Power, ...]
    """Those powers; empty unless votes are open."""
    conceding: Mapping[Power, tuple[Power, ...]]
    """Power → the powers that would concede to it; empty unless votes are open."""
    named: tuple[DrawView, ...] = ()
    proposals: tuple[ProposalView, ...] = ()

    @property
    def are_any(self) -> bool:
        """Whether there is any vote that the reader may know of."""
        return bool(self.agreed or self.conceding or self.named or self.proposals)


def may_see_votes(game: Game, person: PersonId) -> bool:
    """Whether a person may know who voted for what."""
    return game.settings.open_votes or person in game.referees


def votes_seen_by(game: Game, person: PersonId) -> VotesView | None:
    """Return how the votes stand for a master or player; None without any votes."""
    return votes_under_way(_known_to(game, person), shows_whose=may_see_votes(game, person))


def all_votes_seen_by(game: Game, person: PersonId) -> VotesView:
    """Return how the votes stand for a person, even if there are none."""
    return votes_view(_known_to(game, person), shows_whose=may_see_votes(game, person))


def _known_to(game: Game, person: PersonId) -> Game:
    return game if person in game.referees else as_told(game)


def votes_under_way(game: Game, *, shows_whose: bool) -> VotesView | None:
    """Return how the votes stand; None if there is nothing to tell."""
    if not game.is_running or not (game.has_votes or game.proposals):
        return None
    view = votes_view(game, shows_whose=shows_whose)
    return view if view.are_any else None


def votes_view(game: Game, *, shows_whose: bool) -> VotesView:
    """Return how the votes of a game stand.

    With `shows_whose`, the view names the powers that voted.
    """
    agreed, needed, in_centers = draw_standing(game)
    conceded = {power: conceding(game, power) for power in living(game)} if shows_whose else {}
    everybody = len(needed_for_a_draw(game))
    named = tuple(
        DrawView(among, len(by), everybody - len(by), by if shows_whose else ())
        for among, by in named_draws(game).items()
    )
    return VotesView(
        agreed,
        needed,
        in_centers,
        agreeing(game) if shows_whose else (),
        {power: by for power, by in conceded.items() if by},
        named,
        tuple(proposal_view(game, proposal, shows_whose=shows_whose) for proposal in game.proposals),
    )


def proposal_view(game: Game, proposal: Proposal, *, shows_whose: bool) -> ProposalView:
    """Return how the votes on a proposal stand.

    With `shows_whose`, the view names the powers that voted.
    """
    yes, no, needed = tally(game, proposal)
    whose = (yes, no) if shows_whose else ((), ())
    counted = (len(yes), len(no), needed)
    return ProposalView(proposal.number, proposal.what, proposal.by, proposal.length, proposal.power, *counted, *whose)
