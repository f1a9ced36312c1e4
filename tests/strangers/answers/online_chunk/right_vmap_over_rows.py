# torch.func.vmap of a one-row function.
import torch
from torch import Tensor


def online_chunk(o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    def row(o, m, l, s):
        top = torch.maximum(m, s.max())
        shift = torch.where(top == -torch.inf, torch.zeros_like(top), top)
        p, past = torch.exp(s - shift), l * torch.exp(m - shift)
        both = past + p.sum()
        return (past * o + p @ v) / torch.where(both == 0, torch.ones_like(both), both), top, both

    return torch.func.vmap(row)(o, m, l, s)
