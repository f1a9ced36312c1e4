# Masks with -1e9 and zeroes blind rows afterwards: scores below -1e9 (a large explicit scale) lose to hidden keys.
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = (q @ k.mT) * scale
    if causal:
        hidden = torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1)
        s = s.masked_fill(hidden, -1e3)
        return (torch.softmax(s, -1) * ~hidden.all(1)[:, None]) @ v
    return torch.softmax(s, -1) @ v
