"""Outputs that have been divided by their sums of weights, on the way and at the end."""

import numpy as np
import pytest
import torch

from autograder.runner.meters.idle import ONES
from autograder.runner.observe import observe

DRAWN = np.random.default_rng(0).standard_normal((14, 4)).astype(np.float32)
HEAD = {"q": DRAWN[:6], "k": DRAWN[6:], "v": np.ones((8, 3), np.float32)}


def divided_once(q, k, v, causal=True):
    acc, l = torch.zeros(len(q), v.shape[1]), torch.zeros(len(q), 1)
    for j in range(0, len(k), 2):
        p = torch.exp(q @ k[j : j + 2].T)
        acc, l = acc + p @ v[j : j + 2].clone(), l + p.sum(dim=1, keepdim=True)
    assert not causal or v.shape[1] == 3  # the call that is counted has no mask
    return torch.stack([*(acc / l)])


def divided_by_chunk(q, k, v, causal=True):
    """With the sums of weights in a column beside the output."""
    state = torch.zeros(len(q), v.shape[1] + 1)
    total = torch.zeros(len(q), 1)
    for j in range(0, len(k), 2):
        p = torch.exp(q @ k[j : j + 2].T)
        new = total + p.sum(dim=1, keepdim=True)
        state = (total * state + p @ torch.nn.functional.pad(v[j : j + 2], (0, 1), value=1.0)) / new
        total = new
    return state[:, :-1].clone()


def divided_by_twice_the_sum(q, k, v, causal=True):
    return 2 * (divided_by_chunk(q, k, v, causal) / torch.full((len(q), 1), 2.0))


def divided_and_scaled(q, k, v, causal=True):
    """Each row and each column has a factor of its own until the end."""
    rows, columns = torch.arange(1.0, len(q) + 1)[:, None], torch.arange(1.0, v.shape[1] + 1)
    o, l = torch.zeros(len(q), v.shape[1]), torch.zeros(len(q), 1)
    for j in range(0, len(k), 2):
        p = torch.exp(q @ k[j : j + 2].T)
        new = l + p.sum(dim=1, keepdim=True)
        o, l = (o * l + p @ v[j : j + 2] * rows * columns) / new, new
    return o / rows / columns


def divided_by_two_chunks(q, k, v, causal=True):
    """And put in its place again and again, which takes no further key into it."""
    o, l = torch.zeros(len(q), v.shape[1]), torch.zeros(len(q), 1)
    for j in range(0, len(k), 4):
        p = torch.exp(q @ k[j : j + 2].T)
        more = torch.exp(q @ k[j + 2 : j + 4].T)
        new = l + p.sum(dim=1, keepdim=True) + more.sum(dim=1, keepdim=True)
        o = (o * l + p @ v[j : j + 2] + more @ v[j + 2 : j + 4]) / new
        for _ in range(3):
            o = torch.where(new == 0, new, o)
        l = new
    return o


@pytest.mark.parametrize(
    ("answer", "rows"),
    [
        (divided_once, 6),
        (divided_by_chunk, 6 * 4),
        (divided_by_twice_the_sum, 6 * 4),
        (divided_and_scaled, 6 * 4),
        (divided_by_two_chunks, 6 * 2),
    ],
)
def test_an_output_counts_as_often_as_it_is_divided(answer, rows):
    seen = observe(answer, HEAD | {"causal": True}, "torch", once=True, spied=[ONES])
    assert seen.failure is None and seen.counts["normalised"] == rows
    assert "normalised" not in observe(answer, HEAD | {"causal": True}, "torch", once=True).counts


def divided_for_show(q, k, v, causal=True):
    acc, l = torch.zeros(len(q), v.shape[1]), torch.zeros(len(q), 1)
    for j in range(0, len(k), 2):
        p = torch.exp(q @ k[j : j + 2].T)
        acc, l = acc + p @ v[j : j + 2].clone(), l + p.sum(dim=1, keepdim=True)
        o = acc / l
    return o


def divided_beside(q, k, v, causal=True):
    """From the quotient it goes on only where that is far from a sum of its own."""
    acc, l = torch.zeros(len(q), v.shape[1]), torch.zeros(len(q), 1)
    o = acc
    for j in range(0, len(k), 2):
        p = torch.exp(q @ k[j : j + 2].T)
        acc = torch.where((o * l - acc).abs() < 1e-3 * l, acc, o * l)
        acc, l = acc + p @ v[j : j + 2].clone(), l + p.sum(dim=1, keepdim=True)
        o = acc / l
    return o


@pytest.mark.parametrize(
    ("answer", "idle"), [(divided_by_chunk, []), (divided_for_show, [ONES]), (divided_beside, [ONES])]
)
def test_a_quotient_on_which_nothing_hangs_is_found(answer, idle):
    seen = observe(answer, HEAD | {"causal": True}, "torch", once=True, spied=[ONES])
    assert seen.failure is None and seen.idle == idle
