# Right: torch.outer for the rank-1 update, torch.where for guards, namedtuple result unpacking
from typing import NamedTuple

import torch
from torch import Tensor


class State(NamedTuple):
    o: Tensor
    m: Tensor
    l: Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    ref = torch.where(torch.isneginf(m_new), torch.zeros_like(m_new), m_new)
    kept, w = l * torch.exp(m - ref), torch.exp(s - ref)
    l_new = kept + w
    d = torch.where(l_new == 0, torch.ones_like(l_new), l_new)
    o_new = torch.unsqueeze(kept / d, 1) * o + torch.outer(w / d, v)
    return tuple(State(o_new, m_new, l_new))
