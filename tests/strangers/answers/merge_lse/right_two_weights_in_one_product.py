# Both outputs of a query below each other, and its two shares beside each other: one batched product.
import torch
from torch import Tensor


def merge_lse(o1, L1, o2, L2):
    both = torch.stack([L1, L2], 1)
    L = torch.logsumexp(both, 1)
    shares = torch.where(both > -torch.inf, torch.exp(both - L[:, None]), 0)
    return torch.bmm(shares[:, None], torch.stack([o1, o2], 1))[:, 0], L
