# Softmax over a stacked pair gives the weights, a batched product of (1, 2) and (2, d) the output.
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    pair = torch.stack((L1, L2), dim=-1)
    L = pair.logsumexp(dim=-1)
    weights = pair.softmax(dim=-1)
    weights = torch.where(L.isneginf()[:, None], 0.0, weights)
    o = torch.bmm(weights[:, None, :], torch.stack((o1, o2), dim=1))
    return o[:, 0], L
