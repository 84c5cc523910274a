"""Orders: words into sentences, sentences into what they mean on the board, and what is wrong with the rest.

The attempts at a line (`builds_by_mere_units` and the others) are named in the table of `judge.language.line`.
"""

from judge.language.orders.reading import (
    builds_by_mere_units,
    more_than_an_order,
    nothing_but_noise,
    nothing_is_built,
    one_power,
    order_taken_back,
    orders,
    orders_with_slips,
    something_amiss,
    unit_left_open,
)

__all__ = [
    "builds_by_mere_units",
    "more_than_an_order",
    "nothing_but_noise",
    "nothing_is_built",
    "one_power",
    "order_taken_back",
    "orders",
    "orders_with_slips",
    "something_amiss",
    "unit_left_open",
]
