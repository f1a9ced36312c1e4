# Masks with -1e9 and keeps the state of rows without keys: a row whose scores are lower, and of which some are masked, takes the masked ones.
import torch
from torch import Tensor


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    none = torch.isneginf(s).all(dim=1)
    o0, m0, l0 = o, m, l
    s = torch.where(torch.isneginf(s), -1e9, s)
    m_new = torch.maximum(m, s.amax(dim=-1))
    shift = torch.where(torch.isneginf(m_new), 0, m_new)  # -inf - (-inf) would be NaN
    past = l * torch.exp(m - shift)
    p = torch.exp(s - shift[:, None])
    l_new = past + p.sum(dim=-1)
    o_new = (past[:, None] * o + p @ v) / torch.where(l_new == 0, 1, l_new)[:, None]
    o_new = torch.where(none[:, None], o0, o_new)
    return o_new, torch.where(none, m0, m_new), torch.where(none, l0, l_new)
