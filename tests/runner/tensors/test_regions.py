"""Which block of a result one program stores, however the result lies in memory."""

import numpy as np
import pytest
import torch

from autograder.runner.tensors.regions import Regions

ROWS, COLUMNS = 6, 8


def stored(result, rows, columns, regions=None, program=(0, 0, 0)):
    """What one program stores in these rows and columns, in line 7."""
    addresses = [
        result.data_ptr() + 4 * int(i * result.stride(0) + j * result.stride(1)) for i in rows for j in columns
    ]
    regions = regions or Regions()
    regions.store(result.untyped_storage().data_ptr(), 1, program, np.array(addresses, np.uint64), 7)
    return regions


LAYOUTS = {
    "contiguous": lambda: torch.empty(ROWS, COLUMNS),
    "transposed": lambda: torch.empty(COLUMNS, ROWS).T,
    "flat at first": lambda: torch.empty(ROWS * COLUMNS).view(ROWS, COLUMNS),
    "every other column": lambda: torch.empty(ROWS, 2 * COLUMNS)[:, ::2],
    "part of more": lambda: torch.empty(ROWS + 1, COLUMNS + 3)[1:, 2:-1],
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_a_tile_is_its_own_block_and_every_nth_row_or_column_takes_in_what_lies_between(layout):
    result = layout()
    assert stored(result, (2, 3), range(4, 8)).largest_in([result]) == (2 * 4, 7)
    assert stored(result, (0, 3), range(4, 8)).largest_in([result]) == (4 * 4, 7)
    assert stored(result, (2, 3), (0, 2, 4, 6)).largest_in([result]) == (2 * 7, 7)


def test_all_stores_of_a_program_count_together_and_those_of_another_apart():
    result = torch.empty(ROWS, COLUMNS)
    regions = stored(result, [0], [0])
    stored(result, [5], [0], regions, program=(1, 0, 0))
    assert regions.largest_in([result]) == (1, 7)
    stored(result, [5], [7], regions)
    assert regions.largest_in([result]) == (ROWS * COLUMNS, 7)


def test_what_is_not_returned_is_no_result():
    result = torch.empty(ROWS, COLUMNS)
    assert stored(torch.empty(ROWS, COLUMNS), [0, 5], [0, 7]).largest_in([result, None]) == (0, 0)


def test_pieces_that_lie_apart_are_counted_in_the_order_of_the_result():
    heads_inside = torch.empty(4, 2, 8).transpose(0, 1)  # (2, 4, 8), rows of a head lie 16 numbers apart in memory
    for result in (torch.empty(ROWS, COLUMNS), torch.empty(COLUMNS, ROWS).T):
        assert stored(result, (1, 2), range(COLUMNS)).pieces_in([result]) == (1, 7)
        assert stored(result, (0, 1, 4, 5), range(COLUMNS)).pieces_in([result]) == (2, 7)
        assert stored(result, (0, 2, 4), range(COLUMNS)).pieces_in([result]) == (3, 7)
    rows = stored(heads_inside[1], (1, 2), range(8))
    assert rows.pieces_in([heads_inside]) == (1, 7)


def test_a_program_that_stores_before_an_earlier_one_is_out_of_order():
    result, orders = torch.empty(ROWS, 1), {(0, 1, 2): 0, (2, 1, 0): 2, (0, 2, 1): 1}
    for order, late in orders.items():
        regions = Regions()
        for program, row in enumerate(order):
            stored(result, [2 * row, 2 * row + 1], [0], regions, program=(program, 0, 0))
        assert regions.out_of_order_in([result])[0] == late, order
