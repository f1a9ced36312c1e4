# Works in logarithms: L = m + log l would lose bits, so weights come from torch.where and einsum.
import torch
from torch import Tensor


def online_chunk(o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    top = torch.cat([m[:, None], s], dim=1).amax(dim=1)
    base = top.masked_fill(top.isneginf(), 0)
    weight = torch.exp(torch.cat([m[:, None], s], dim=1) - base[:, None])
    weight = torch.cat([weight[:, :1] * l[:, None], weight[:, 1:]], dim=1)
    l_new = torch.einsum("rc->r", weight)
    share = weight / torch.where(l_new > 0, l_new, 1.0)[:, None]
    return torch.einsum("r,rd->rd", share[:, 0], o) + torch.einsum("rc,cd->rd", share[:, 1:], v), top, l_new
