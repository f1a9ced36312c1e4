# index_select of the blocks, flatten, a causal mask by broadcasting.
import heapq
from collections import Counter

import torch
from torch import Tensor


def paged_gather_attention(
    q: Tensor, k_pool: Tensor, v_pool: Tensor, tables: Tensor, lengths: Tensor, scale: float | None = None
) -> Tensor:
    (batch, heads, n_q, d), (_, kv, size, _) = q.shape, k_pool.shape
    scale = d**-0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b in range(batch):
        n = int(lengths[b])
        first = max(0, n_q - n)
        if n == 0:
            continue
        pages = tables[b, : -(-n // size)].long()
        k, v = (pool[pages].transpose(0, 1).flatten(1, 2)[:, :n] for pool in (k_pool, v_pool))
        rows = q[b, :, first:].reshape(kv, heads // kv, -1, d)
        s = torch.einsum("hgid,hjd->hgij", rows, k) * scale
        i = torch.arange(first, n_q)[:, None] + n - n_q
        p = s.masked_fill(torch.arange(n) > i, -torch.inf).softmax(-1)
        o[b, :, first:] = torch.einsum("hgij,hjd->hgid", p, v).reshape(heads, -1, d)
    return o
