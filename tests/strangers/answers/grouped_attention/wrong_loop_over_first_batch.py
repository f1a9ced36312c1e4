# A loop over KV heads that takes the keys of the first sequence for all.
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    b, h, n_q, d = q.shape
    kv, n_k = k.shape[1:3]
    scale = d**-0.5 if scale is None else scale
    rows = (q * scale).reshape(b, kv, h // kv * n_q, d)
    s = rows @ k[:1].mT
    if causal:
        position = torch.arange(n_q).repeat(h // kv)
        s.masked_fill_(torch.arange(n_k) > position[:, None] + n_k - n_q, -torch.inf)
    return torch.nan_to_num(s.softmax(-1)).matmul(v).reshape(b, h, n_q, d)
