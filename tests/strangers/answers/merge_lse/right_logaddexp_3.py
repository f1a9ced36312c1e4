# Right: torch.logaddexp does the sum (the contract forbids it nowhere)
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over two disjoint blocks of keys together, from outputs and log-sum-exps."""
    L = torch.logaddexp(L1, L2)
    base = torch.where(L == -torch.inf, 0.0, L)
    return (L1 - base).exp().unsqueeze(-1) * o1 + (L2 - base).exp().unsqueeze(-1) * o2, L
