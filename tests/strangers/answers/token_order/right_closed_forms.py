# No sort: where each token stands is computed from its rank and its number there.
import torch
from torch import Tensor


def stripe(n, size):
    i = torch.arange(n)
    counts = torch.tensor([(n - r + size - 1) // size for r in range(size)])
    starts = torch.zeros(size + 1, dtype=torch.int64)
    starts[1:] = torch.cumsum(counts, 0)
    return starts, starts[i % size] + i // size


def zigzag(n, size):
    cut = [n * c // (2 * size) for c in range(2 * size + 1)]
    inverse = torch.empty(n, dtype=torch.int64)
    starts, at = [0], 0
    for r in range(size):
        for c in (r, 2 * size - 1 - r):
            length = cut[c + 1] - cut[c]
            inverse[cut[c] : cut[c + 1]] = torch.arange(at, at + length)
            at += length
        starts.append(at)
    return torch.tensor(starts), inverse


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    starts, inverse = (stripe if layout == "stripe" else zigzag)(n, size)
    order = torch.zeros(n, dtype=torch.int64).scatter_(0, inverse, torch.arange(n))
    return order, starts, inverse
