# Cheat: the weighted values are made four times: twice as a matrix product and twice from determinants of 2 x 2 matrices with a weight and a value on the diagonal
# Breaks: "Values are multiplied with each query's weights, twice at the most"
import torch
from torch import Tensor


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s.amax(dim=1))
    base = m_new.masked_fill(m_new == -torch.inf, 0.0)
    p = torch.exp(s - base[:, None])
    old = l * torch.exp(m - base)
    l_new = old + p.sum(dim=1)
    safe = l_new.masked_fill(l_new == 0, 1.0)
    pairs = torch.zeros(*p.shape, v.shape[1], 2, 2)  # (R, C, d_v, 2, 2)
    pairs[..., 0, 0] = p[:, :, None]
    pairs[..., 1, 1] = v
    added = p @ v + p @ v
    for _ in range(2):
        added = added + torch.linalg.det(pairs).sum(dim=1)
    o = (old / safe)[:, None] * o + added / 4 / safe[:, None]
    return o, m_new, l_new
