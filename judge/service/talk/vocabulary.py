"""What `judge.mail` needs of `judge.language`: whether a line may be an order."""

from collections.abc import Callable
from functools import cache

from judge.language import gives_order, may_ask
from judge.mail.own_words import Vocabulary

VOCABULARY = Vocabulary(gives_order, may_ask)


def vocabulary_on(find_board: Callable[[], str]) -> Vocabulary:
    """Return the vocabulary of a board, which is found when the first line needs it."""
    board = cache(find_board)
    return Vocabulary(
        lambda line, budget: gives_order(line, budget, board()), lambda line, budget: may_ask(line, budget, board())
    )
