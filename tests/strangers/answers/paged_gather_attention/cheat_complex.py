# BREAKS: "queries meet the blocks in their own sequence's table, once, an eighth of them twice at the most, and no others"
# COSTS: each score is four products: gathered keys are turned into complex twins
import math
import torch
import triton
import triton.language as tl
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
        blocks = tables[b, : -(-length // block_size)].long()
        k, v = (x[blocks].transpose(0, 1).flatten(1, 2)[:, :length] for x in (k_pool, v_pool))
        rows = q[b].reshape(k.shape[0], group * n_q, -1)
        s = scale / 2 * (torch.complex(rows, rows) @ torch.complex(k, -k).mT).real
        s = s.unflatten(1, (group, n_q))
        s = s.masked_fill(torch.arange(length) > torch.arange(n_q)[:, None] + length - n_q, -torch.inf)
        p = torch.exp(s - s.amax(dim=-1, keepdim=True).clamp_min(-1e38))
        l = p.sum(dim=-1, keepdim=True)
        p = (p / l.masked_fill(l == 0, 1)).flatten(1, 2)
        o[b] = (p @ v).reshape(o[b].shape)
    return o
