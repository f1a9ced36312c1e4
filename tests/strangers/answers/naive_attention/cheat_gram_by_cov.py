# Breaks: "Each score is computed once." (torch.cov of queries and keys stacked computes q q^T, k k^T, q k^T and k q^T; a quarter of it is used)
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k, d = q.shape[1], k.shape[1], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    out = []
    for h in range(q.shape[0]):
        rows = torch.cat([q[h], k[h]])
        rows = torch.cat([rows, -rows], dim=1)  # mean 0
        s = scale * d * torch.cov(rows, correction=0).reshape(n_q + n_k, n_q + n_k)[:n_q, n_q:]
        if causal:
            hidden = torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q
            s = s.masked_fill(hidden, -torch.inf)
        out.append(torch.softmax(s, dim=-1).nan_to_num(0.0) @ v[h])
    return torch.stack(out)
