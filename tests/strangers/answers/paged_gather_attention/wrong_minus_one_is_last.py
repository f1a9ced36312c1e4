# Wrong: gathers the whole row of the table; -1 is the pool's last block, and its NaN times a weight of 0 is NaN.
# Breaks: "-1 after them", "What belongs to no sequence is not initialised, and may be NaN."
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
    """Causal attention of the last tokens of each sequence over keys and values in blocks.

    q: (B, H, N_q, d) float32, the queries of the last N_q tokens of each of B sequences.
    k_pool, v_pool: (n_blocks, H_kv, block_size, d) float32; query head h reads KV head
    h // (H / H_kv). What belongs to no sequence is not initialised, and may be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 after them.
    lengths: (B,) int32, the tokens of each sequence, those of the queries included; there may
    be fewer than N_q, or none.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Query i of sequence b sees the keys j <= i + lengths[b] - N_q.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros.
    Products: queries meet the blocks in their own sequence's table, once, an eighth of them
    twice at the most, and no others.
    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    group, block_size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        k = k_pool[tables[b].long()].transpose(0, 1).flatten(1, 2)
        v = v_pool[tables[b].long()].transpose(0, 1).flatten(1, 2)
        for h in range(q.shape[1]):
            s = scale * q[b, h] @ k[h // group].T
            last = torch.arange(n_q)[:, None] + length - n_q
            seen = torch.arange(s.shape[1]) <= last
            s = s.masked_fill(~seen, -torch.inf)
            o[b, h] = torch.softmax(s, dim=1) @ v[h // group]
            o[b, h, : max(0, n_q - length)] = 0
    return o
