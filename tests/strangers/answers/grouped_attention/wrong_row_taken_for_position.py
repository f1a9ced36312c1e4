# Wrong: packs the heads of a group as rows and makes the causal mask from the number of the row, g N_q of them. Shows
# for causal, g > 1 and N_q > 1.
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    for b in range(q.shape[0]):
        for j in range(kv_heads):
            rows = q[b, j * g : (j + 1) * g].transpose(0, 1).reshape(n_q * g, -1)
            s = scale * rows @ k[b, j].T
            if causal:
                r = torch.arange(n_q * g)[:, None]
                s[torch.arange(n_k) > r + n_k - n_q] = -torch.inf
            out = torch.softmax(s, dim=-1).nan_to_num() @ v[b, j]
            o[b, j * g : (j + 1) * g] = out.view(n_q, g, -1).transpose(0, 1)
    return o
