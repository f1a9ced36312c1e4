# Right within its contract: the first block is multiplied twice: once more beforehand, as a guess of the maximum
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


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
        if not length or not n_q:
            continue
        table = tables[b, : -(-length // block_size)].long()
        kv, d = k_pool.shape[1], q.shape[3]
        x = q[b].unflatten(0, (kv, group)).flatten(1, 2)
        k = k_pool[table].transpose(0, 1).reshape(kv, -1, d)[:, :length]
        v = v_pool[table].transpose(0, 1).reshape(kv, -1, v_pool.shape[3])[:, :length]
        hidden = (torch.arange(length) > torch.arange(n_q)[:, None] + length - n_q).repeat(group, 1)
        first = k[:, :1]  # the key that every query sees
        guess = scale * (x @ first.mT)
        s = (scale * (x @ k.mT)).masked_fill(hidden, -torch.inf)
        top = torch.maximum(guess, s.amax(-1, keepdim=True))
        p = torch.exp(s - top)
        total = p.sum(-1, keepdim=True)
        out = (p @ v) / total.masked_fill(total == 0, 1.0)
        o[b] = out.unflatten(1, (group, n_q)).flatten(0, 1)
    return o
