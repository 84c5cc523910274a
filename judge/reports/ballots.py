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
from judge.games.votes import conceding, living
from judge.rules.position import Power


@dataclass(frozen=True, slots=True)
class DrawView:
    """A draw of some of the survivors that somebody wants."""

    sharers: tuple[Power, ...]
    agreed: int
    needed: int
    agreeing: tuple[Power, ...] = ()
    """Who, where votes are open."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """What is voted on."""

    number: int
    what: Proposable
    by: Power
    length: timedelta | None
    power: Power | None
    """Whose player is to be replaced."""
    for_: int
    against: int
    needed: int
    """How many have to be for it."""
    yes: tuple[Power, ...] = ()
    """Who is for it, where votes are open."""
    no: tuple[Power, ...] = ()


@dataclass(frozen=True, slots=True)
class VotesView:
    """How votes stand, as far as a reader may know."""

    agreed: int
    """Powers that want a draw; their centers in an armistice."""
    needed: int
    in_centers: bool
    agreeing: tuple[Power, ...]
    """Which, where votes are open."""
    conceding: Mapping[Power, tuple[Power, ...]]
    """Power → who would let it win, where votes are open."""
    named: tuple[DrawView, ...] = ()
    proposals: tuple[ProposalView, ...] = ()

    @property
    def are_any(self) -> bool:
        """Whether anything that may be known was voted for."""
        return bool(self.agreed or self.conceding or self.named or self.proposals)


def may_see_votes(game: Game, person: PersonId) -> bool:
    """Whether somebody may know who voted for what."""
    return game.settings.open_votes or person in game.referees


def votes_under_way(game: Game, *, shows_whose: bool) -> VotesView | None:
    """The same, as long as there is anything to tell."""
    if not game.is_running or not (game.has_votes or game.proposals):
        return None
    view = votes_view(game, shows_whose=shows_whose)
    return view if view.are_any else None


def votes_view(game: Game, *, shows_whose: bool) -> VotesView:
    """How the votes of a game stand."""
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
    """How one stands."""
    yes, no, needed = tally(game, proposal)
    whose = (yes, no) if shows_whose else ((), ())
    counted = (len(yes), len(no), needed)
    return ProposalView(proposal.number, proposal.what, proposal.by, proposal.length, proposal.power, *counted, *whose)
