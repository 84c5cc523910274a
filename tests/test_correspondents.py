"""Random games by mail, written as people write.

Every order that was meant is on file, and every position is right.
"""

from __future__ import annotations

import pytest

from tests.correspondents import Correspondence
from tests.forger import catch_forgers
from tests.soak import Soak, long_but


@pytest.mark.parametrize("seed", long_but({0}, range(3)))
def test_the_first_phases_of_a_game_by_mail(seed: int) -> None:
    game = Correspondence(seed)
    game.play(5)
    assert game.mails >= 14
    catch_forgers(game.world, game.chance)


@pytest.mark.soak
def test_whole_games_by_mail(soak: Soak) -> None:
    repeated = 0
    for seed in soak.seeds(30):
        game = Correspondence(1000 + seed)
        game.play(40)
        catch_forgers(game.world, game.chance, tries=3)
        repeated += game.repeated
    assert repeated > 0
