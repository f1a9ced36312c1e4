# Right: pools indexed by the table (advanced indexing), flatten/movedim, unflatten by groups, softmax with a guard for empty rows
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
    group, block_size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        if not length:
            continue
        table = tables[b, : -(-length // block_size)].long()
        keys, values = (
            pool[table].movedim(0, 1).flatten(1, 2)[:, :length] for pool in (k_pool, v_pool)
        )  # (H_kv, length, d)
        q_b = q[b].unflatten(0, (-1, group))  # (H_kv, g, N_q, d)
        s = (q_b @ keys[:, None].mT).mul_(scale)
        seen = torch.arange(length) <= torch.arange(n_q)[:, None] + length - n_q
        s.masked_fill_(~seen, -torch.inf)
        p = s.softmax(dim=-1).masked_fill(~seen, 0.0)
        o[b] = (p @ values[:, None]).flatten(0, 1)
    return o
