# Right: index_select on the pools, repeat-free grouping by einsum "gqd", early continue, slicing with negative start
import torch
from torch import Tensor


def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:
    """Causal attention of the last tokens of each sequence over keys and values in blocks."""
    B, H, n_q, d = q.shape
    kv_heads, block_size = k_pool.shape[1:3]
    scale = d**-0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        if (rows := min(n_q, length)) == 0:
            continue
        blocks = tables[b, : (length + block_size - 1) // block_size].long()

        def gathered(pool: Tensor) -> Tensor:
            x = pool.index_select(0, blocks)  # (blocks, H_kv, block_size, d)
            return x.permute(1, 0, 2, 3).reshape(kv_heads, -1, d)[:, :length]

        queries = q[b, :, n_q - rows :].unflatten(0, (kv_heads, -1))  # (H_kv, g, rows, d)
        s = torch.einsum("hgqd,hkd->hgqk", queries, gathered(k_pool)) * scale
        ahead = torch.ones(rows, length, dtype=torch.bool).triu(length - rows + 1)
        p = s.masked_fill(ahead, -torch.inf).softmax(dim=-1)
        o[b, :, n_q - rows :] = torch.einsum("hgqk,hkd->hgqd", p, gathered(v_pool)).flatten(0, 1)
    return o
