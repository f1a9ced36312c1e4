"""Exponentials that hang on the last keys: those of a tile, or of a whole row."""

import numpy as np
import pytest
import torch

from autograder.runner.meters.idle import SWAYED
from autograder.runner.observe import observe

DRAWN = np.random.default_rng(0).standard_normal((40, 4)).astype(np.float32)
HEAD = {"q": DRAWN[:6], "k": DRAWN[6:30], "v": DRAWN[16:40], "tile_n": 4}


def at_once(q, k, v, tile_n):
    return torch.softmax(q @ k.T / 2, dim=1) @ v


def by_tiles(q, k, v, tile_n, together=1, backwards=False):
    m, l, acc = torch.full((len(q), 1), -torch.inf), torch.zeros(len(q), 1), torch.zeros(len(q), v.shape[1])
    starts = range(0, len(k), together * tile_n)
    for j in reversed(starts) if backwards else starts:
        s = q @ k[j : j + together * tile_n].T / 2
        new = torch.maximum(m, s.amax(dim=1, keepdim=True))
        a, p = torch.exp(m - new), torch.exp(s - new)
        m, l, acc = new, a * l + p.sum(dim=1, keepdim=True), a * acc + p @ v[j : j + together * tile_n]
    return acc / l


def backwards(q, k, v, tile_n):
    return by_tiles(q, k, v, tile_n, backwards=True)


def three_tiles(q, k, v, tile_n):
    return by_tiles(q, k, v, tile_n, together=3)


def causal(q, k, v, tile_n, tile_m=3):
    """The last query of each tile sees one more key than the one before."""
    s = (q @ k.T / 2).masked_fill(torch.arange(len(k)) > torch.arange(len(q))[:, None] + len(k) - len(q), -torch.inf)
    return torch.softmax(s, dim=1) @ v


@pytest.mark.parametrize(
    ("answer", "swayed"), [(by_tiles, 5), (backwards, 5), (three_tiles, 13), (at_once, 24), (causal, 24)]
)
def test_exponentials_that_hang_on_the_last_keys_count(answer, swayed):
    given = HEAD | {"tile_m": 3} if answer is causal else HEAD
    seen = observe(answer, given, "torch", once=True, spied=[SWAYED])
    assert seen.failure is None and 0 <= swayed - seen.counts["powers_swayed"] <= 1  # the largest is 1, as it was
    assert "powers_swayed" not in observe(answer, given, "torch", once=True).counts


def test_each_number_of_the_arguments_that_is_raised_counts():
    assert observe(by_tiles, HEAD, "torch", once=True).counts["exponentials"] == 6 * (24 + 6)


def test_of_blocks_those_that_stand_last_in_the_order_come_last():
    def in_order(q, k, v, order, tile_n):
        keys = torch.cat([torch.arange(b * tile_n, (b + 1) * tile_n) for b in order])
        return by_tiles(q, k[keys], v[keys], tile_n)

    seen = observe(in_order, HEAD | {"order": [4, 0, 2]}, "torch", once=True, spied=[SWAYED])
    assert seen.failure is None and seen.counts["powers_swayed"] in (4, 5)
