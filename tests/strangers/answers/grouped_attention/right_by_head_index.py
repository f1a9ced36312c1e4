# Style: loops over sequences and query heads, by index.
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    group = heads // kv_heads
    last = torch.arange(n_q)[:, None] + n_k - n_q
    hidden = torch.arange(n_k) > last if causal else torch.zeros(n_q, n_k, dtype=torch.bool)
    for b in range(q.shape[0]):
        for h in range(heads):
            s = scale * (q[b, h] @ k[b, h // group].T)
            p = torch.softmax(s.masked_fill(hidden, -torch.inf), dim=-1)
            p = p.masked_fill(hidden.all(dim=1, keepdim=True), 0)
            o[b, h] = p @ v[b, h // group]
    return o
