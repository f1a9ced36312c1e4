# Right within its contract: walks through the chunk one key at a time with the step of the exercise before: C rescalings and C divisions of every output instead of one, as if there were no chunk.
# Breaks: "m' = max(m, max_j s_j)        P_j = e^(s_j - m')" and "o' = (l e^(m - m') o + sum_j P_j v_j) / l'"
import torch
from torch import Tensor


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    o, m, l = o.clone(), m.clone(), l.clone()
    for j in range(s.shape[1]):
        m_new = torch.maximum(m, s[:, j])
        shift = m_new.masked_fill(m_new == -torch.inf, 0)
        old, new = l * torch.exp(m - shift), torch.exp(s[:, j] - shift)
        l = old + new
        safe = l.masked_fill(l == 0, 1)
        o = torch.where(
            (s[:, j] == -torch.inf)[:, None],
            o,
            (old / safe)[:, None] * o + (new / safe)[:, None] * v[j],
        )
        m = m_new
    return o, m, l
