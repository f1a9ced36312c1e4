# style: the ring-flash-attention repository's way: sigmoid and logsigmoid of the difference
import torch
import torch.nn.functional as F
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    # out = out - sigmoid(block_lse - lse) * (out - block_out), as in ring-flash-attn
    none_1, none_2 = L1 == -torch.inf, L2 == -torch.inf
    gap = torch.where(none_1 | none_2, torch.zeros_like(L1), L2 - L1)
    share = torch.sigmoid(gap)[:, None]
    o = torch.sigmoid(-gap)[:, None] * o1 + share * o2
    L = L1 - F.logsigmoid(-gap)
    o = torch.where(none_2[:, None], o1, torch.where(none_1[:, None], o2, o))
    L = torch.where(none_2, L1, torch.where(none_1, L2, L))
    return o, L
