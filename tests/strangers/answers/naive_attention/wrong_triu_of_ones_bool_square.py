# Mask from torch.ones(n_q, n_q).triu(1), padded with seen keys on the left: fails (wrong rows) when there are more queries than keys.
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = (q * scale) @ k.mT
    if causal:
        hidden = torch.ones(n_q, n_q, dtype=torch.bool).triu(1)
        hidden = torch.cat([torch.zeros(n_q, max(n_k - n_q, 0), dtype=torch.bool), hidden[:, :n_k]], dim=1)
        s = s.masked_fill(hidden, -torch.inf)
    return torch.nan_to_num(torch.softmax(s, -1)) @ v
