# Queries in blocks of 64, with the triangle of each block counted from the first query: causal with N_q > 64.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor



def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    """Attention of H query heads with H_kv heads of keys and values, which are not copied.

    q: (B, H, N_q, d), k, v: (B, H_kv, N_k, d) float32; H_kv divides H. H_kv = H is multi-head,
    H_kv = 1 multi-query attention. Query head h takes the KV head floor(h / g), g = H / H_kv.
    causal: query i sees keys j <= i + N_k - N_q.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros.
    Memory: the output and the scores; nothing of the size of k and v.

        S_h = scale * q_h k_{h // g}^T        o_h = softmax(S_h) v_{h // g}

    Shazeer (2019), Ainslie et al. (2023).
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    for b in range(q.shape[0]):
        for h in range(heads):
            keys, values = k[b, h // g], v[b, h // g]
            for part, out in zip(q[b, h].split(64), o[b, h].split(64)):
                s = scale * (part @ keys.T)
                if causal:
                    seen = torch.ones(len(part), n_k, dtype=torch.bool).tril(n_k - n_q)
                    s = s.masked_fill(~seen, -torch.inf)
                out.copy_(torch.softmax(s, -1).nan_to_num(0.0) @ values)
    return o
