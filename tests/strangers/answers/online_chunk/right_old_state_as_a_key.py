# Style: the old state is one more key, of score m, weight l and value o: a mean over C + 1 keys, by weights that sum to 1.
import torch
from torch import Tensor


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    scores = torch.cat([m.unsqueeze(1), s], dim=1)  # (R, 1 + C)
    m_new = scores.max(dim=1).values
    weights = torch.exp(scores - m_new.masked_fill(m_new == -torch.inf, 0).unsqueeze(1))
    weights[:, 0] *= l
    l_new = weights.sum(dim=1)
    share = weights / l_new.masked_fill(l_new == 0, 1).unsqueeze(1)
    o_new = torch.einsum("r,rd->rd", share[:, 0], o) + torch.einsum("rc,cd->rd", share[:, 1:], v)
    return o_new, m_new, l_new
