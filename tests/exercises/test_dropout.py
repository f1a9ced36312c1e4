"""The random numbers of lesson 10: published answers, the same mask everywhere, and its statistics."""

import numpy as np
import pytest
import torch

from autograder.spec import interpreter

interpreter.choose()
pytest.importorskip("triton", reason="Triton is not installed on this machine")

from autograder.runner.engines.triton import interpreted  # noqa: E402
from kernels.dropout import dropout, philox  # noqa: E402

DEVICE = "cpu" if interpreted() else "cuda"
# Random123, tests/kat_vectors, philox4x32 with 10 rounds: counter, key, answer.
PUBLISHED = """
00000000 00000000 00000000 00000000  00000000 00000000  6627e8d5 e169c58d bc57ac4c 9b00dbd8
ffffffff ffffffff ffffffff ffffffff  ffffffff ffffffff  408f276d 41c83b0e a20bc7c6 6d5451fd
243f6a88 85a308d3 13198a2e 03707344  a4093822 299f31d0  d16cfe09 94fdcceb 5001e420 24126ea1
"""


@pytest.mark.parametrize("line", PUBLISHED.split("\n")[1:-1])
def test_philox_gives_the_published_answers(line):
    words = np.array([int(word, 16) for word in line.split()], dtype=np.uint32)
    assert (philox(words[:4], words[4:6]) == words[6:]).all()
    assert not (philox(words[:4], words[4:6], rounds=9) == words[6:]).any()


def kept(p=0.25, seed=7, offset=3, shape=(2, 64, 96), **tiles):
    return dropout(torch.ones(shape, device=DEVICE), p, seed, offset, **tiles).cpu() > 0


def test_the_triton_mask_is_philox_at_the_place_of_the_element():
    p, seed, offset, head, row, column = 0.25, (5 << 32) + 7, 3, 1, 13, 42
    counter = np.array([column // 4, row, head, offset], dtype=np.uint32)
    word = philox(counter, np.array([seed & 0xFFFFFFFF, seed >> 32], dtype=np.uint32))[column % 4]
    assert bool(kept(p, seed, offset)[head, row, column]) == bool(word >= int(2**32 * p))


def test_the_mask_depends_on_the_seed_and_the_place_and_on_no_tile():
    mask = kept()
    assert torch.equal(mask, kept()) and torch.equal(mask, kept(tile_m=16, tile_n=32))
    assert not torch.equal(mask, kept(seed=8)) and not torch.equal(mask, kept(offset=4))
    assert not torch.equal(mask[0], mask[1])
    assert kept(p=0.0).all()


def test_as_many_are_kept_as_the_binomial_law_says():
    p, n = 0.25, 2 * 64 * 96
    rates = torch.stack([kept(p, seed).float().mean() for seed in range(20)])
    sigma = (p * (1 - p) / n) ** 0.5
    assert ((rates - (1 - p)).abs() < 4 * sigma).all()
    assert abs(float(rates.mean()) - (1 - p)) < 4 * sigma / 20**0.5
    rows = kept(p).float().reshape(-1, 96) - (1 - p)
    neighbours = (rows[1:] * rows[:-1]).mean() / (p * (1 - p))
    assert abs(float(neighbours)) < 4 / rows[1:].numel() ** 0.5
