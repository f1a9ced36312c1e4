# Einsum over named axes b, k (KV head), g (query head of its group), i and j.
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    grouped = q.unflatten(1, (kv_heads, heads // kv_heads))
    s = scale * torch.einsum("bkgid,bkjd->bkgij", grouped, k)
    if causal:
        hidden = torch.ones(n_q, n_k, dtype=torch.bool).triu(1 + n_k - n_q)
        p = s.masked_fill_(hidden, -torch.inf).softmax(-1).masked_fill_(hidden, 0.0)
    else:
        p = s.softmax(-1)
    return torch.einsum("bkgij,bkjd->bkgid", p, v).flatten(1, 2)
