"""Orders: parse words into sentences, find their meaning on the board, diagnose the rest.

The readings of a line (`builds_by_mere_units` and others) are listed in the table of `judge.language.line`.
"""

from judge.language.orders.preferences import preferences
from judge.language.orders.reading import (
    builds_by_mere_units,
    more_than_an_order,
    nothing_but_noise,
    nothing_is_built,
    one_power,
    order_taken_back,
    orders,
    orders_with_slips,
    retreat_of_the_only_unit,
    something_amiss,
    the_rest_holds,
    unit_left_open,
)
from judge.language.orders.sentences import is_one_order

__all__ = [
    "builds_by_mere_units",
    "is_one_order",
    "more_than_an_order",
    "nothing_but_noise",
    "nothing_is_built",
    "one_power",
    "order_taken_back",
    "orders",
    "orders_with_slips",
    "preferences",
    "retreat_of_the_only_unit",
    "something_amiss",
    "the_rest_holds",
    "unit_left_open",
]
