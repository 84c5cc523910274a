"""What `judge.mail` needs to know of `judge.language`: whether a line may be an order."""

from collections.abc import Callable
from functools import cache

from judge.language import gives_order, may_ask
from judge.mail.own_words import Vocabulary

VOCABULARY = Vocabulary(gives_order, may_ask)


def vocabulary_on(find_board: Callable[[], str]) -> Vocabulary:
    """Return the vocabulary of a board, which is looked for only once a line must be heard."""
    board = cache(find_board)
    return Vocabulary(
        lambda line, budget: gives_order(line, budget, board()), lambda line, budget: may_ask(line, budget, board())
    )
