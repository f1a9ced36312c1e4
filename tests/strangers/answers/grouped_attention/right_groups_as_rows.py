# Style: the heads of a group are rows of one product with the group's keys; softmax by hand.
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    for b in range(len(q)):
        for j in range(kv_heads):
            mine = slice(j * g, (j + 1) * g)
            s = (q[b, mine].reshape(g * n_q, -1) @ k[b, j].T).mul_(scale).view(g, n_q, n_k)
            if causal:
                s += torch.full((n_q, n_k), -torch.inf).triu(n_k - n_q + 1)
            m = s.amax(dim=-1, keepdim=True)
            e = s.sub_(m.masked_fill_(m == -torch.inf, 0)).exp_()
            l = e.sum(dim=-1, keepdim=True)
            o[b, mine] = (e @ v[b, j]) / l.masked_fill_(l == 0, 1)
    return o
