# One row of weights among both outputs' rows at a time: a vector of 2N meets 2N rows.
import torch
from torch import Tensor


def merge_lse(o1, L1, o2, L2):
    L = torch.logaddexp(L1, L2)
    safe = torch.where(L == -torch.inf, torch.zeros_like(L), L)
    w1, w2 = torch.exp(L1 - safe), torch.exp(L2 - safe)
    n = len(o1)
    both = torch.cat([o1, o2])
    rows = []
    for i in range(n):
        w = torch.zeros(2 * n)
        w[i], w[n + i] = w1[i], w2[i]
        rows.append((w[:, None] * both).sum(0))
    return torch.stack(rows), L
