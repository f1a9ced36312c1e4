# Plain loops over batches and KV heads; the queries of a group are one tall matrix, results written into o.
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    limit = torch.arange(n_q).repeat(g)[:, None] + n_k - n_q
    hidden = torch.arange(n_k) > limit if causal else None
    for b in range(q.shape[0]):
        for h in range(kv_heads):
            group = slice(h * g, h * g + g)
            s = torch.mm(q[b, group].reshape(g * n_q, -1), k[b, h].t()) * scale
            if hidden is not None:
                s[hidden] = -torch.inf
            p = torch.softmax(s, dim=1)
            if hidden is not None:
                p[hidden] = 0
            o[b, group] = torch.mm(p, v[b, h]).view(g, n_q, -1)
    return o
