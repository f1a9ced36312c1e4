# A view of all tokens is kept for each rank, and with it all of them: n W numbers, where O(n + W) are asked for.
import torch
from torch import Tensor


class Stripe:
    def __init__(self, n, size):
        self.n, self.size = n, size

    def held(self, r):
        return torch.arange(self.n)[r :: self.size]


class Zigzag(Stripe):
    def chunk(self, c):
        return torch.arange(self.n * c // (2 * self.size), self.n * (c + 1) // (2 * self.size))

    def held(self, r):
        return torch.cat([self.chunk(r), self.chunk(2 * self.size - 1 - r)])


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    kind = {"stripe": Stripe, "zigzag": Zigzag}[layout](n, size)
    pieces = [kind.held(r) for r in range(size)]
    order = torch.cat(pieces)
    starts = torch.tensor([sum(len(p) for p in pieces[:r]) for r in range(size + 1)])
    inverse = torch.zeros_like(order)
    inverse.index_copy_(0, order, torch.arange(n))
    return order, starts, inverse
