# The sequence's keys and values are concatenated block by block and cut at the length; empty queries are skipped.
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
        if length == 0:
            continue
        own = tables[b, : -(-length // block_size)].tolist()
        k, v = (
            torch.cat([pool[block] for block in own], dim=1)[:, :length]
            for pool in (k_pool, v_pool)
        )
        first = max(0, n_q - length)
        queries = q[b, :, first:].unflatten(0, (-1, group))
        s = scale * torch.einsum("kgid,kjd->kgij", queries, k)
        seen = torch.ones(n_q - first, length, dtype=torch.bool).tril(length - n_q + first)
        p = s.masked_fill(~seen, -torch.inf).softmax(dim=-1)
        o[b, :, first:] = torch.einsum("kgij,kjd->kgid", p, v).flatten(0, 1)
    return o
