# style: einsum with group axis (b g r i d), unflatten/flatten
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    grouped = q.unflatten(1, (kv_heads, heads // kv_heads))
    for g in range(kv_heads):  # a KV head at a time: nothing of k and v is repeated
        rows = grouped[:, g].flatten(1, 2)  # (B, group * n_q, d)
        s = torch.einsum("b m d, b n d -> b m n", rows, k[:, g]).mul_(scale)
        if causal:
            seen = torch.arange(n_k) <= torch.arange(n_q)[:, None] + n_k - n_q
            s.view(len(q), -1, n_q, n_k).masked_fill_(~seen, -torch.inf)
        p = torch.nan_to_num(torch.softmax(s, dim=-1), nan=0.0)
        out = torch.einsum("b m n, b n d -> b m d", p, v[:, g])
        o.view(len(q), kv_heads, -1, n_q, q.shape[-1])[:, g] = out.unflatten(1, (-1, n_q))
    return o
