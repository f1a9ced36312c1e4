# Style: torch veteran: mask, softmax, rows without keys set to 0.
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.mT)
    if not causal:
        return torch.softmax(s, dim=-1) @ v
    seen = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)
    p = torch.softmax(s.masked_fill(~seen, -torch.inf), dim=-1)
    return torch.where(seen.any(dim=1)[:, None], p, 0.0) @ v
