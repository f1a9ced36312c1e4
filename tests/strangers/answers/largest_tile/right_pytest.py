# a test for pytest below
import pytest


def largest_tile(d, on_chip):
    return on_chip // (4 * d)


@pytest.mark.parametrize("d, on_chip, expected", [(4, 200, 12), (64, 83456, 326)])
def test_largest_tile(d, on_chip, expected):
    assert largest_tile(d, on_chip) == expected
