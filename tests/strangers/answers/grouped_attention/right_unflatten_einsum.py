# Right: einsum with a group axis (b k g i d), view of the result filled by copy_, softmax then nan_to_num
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    group = heads // kv_heads
    out = o.unflatten(1, (kv_heads, group))
    for kv in range(kv_heads):  # a KV head at a time, its whole group at once
        queries = q.unflatten(1, (kv_heads, group))[:, kv].flatten(1, 2)  # (B, g N_q, d)
        s = torch.baddbmm(torch.zeros(()), queries, k[:, kv].mT, beta=0, alpha=scale)
        s = s.view(-1, group, n_q, n_k)
        if causal:
            s.masked_fill_(torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1), -torch.inf)
        p = torch.softmax(s, dim=-1).nan_to_num_(0.0)
        out[:, kv] = (p.flatten(1, 2) @ v[:, kv]).unflatten(1, (group, n_q))
    return o
