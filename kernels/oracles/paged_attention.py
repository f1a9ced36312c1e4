"""The oracles of `paged_attention`."""

from typing import Any

import torch
from torch import Tensor

from kernels import reference


def over_tables(
    q: Tensor, k_pool: Tensor, v_pool: Tensor, tables: Tensor, lengths: Tensor, scale: float | None = None,
    **rest: int | None,
) -> Tensor:  # fmt: skip
    """Every sequence by itself, its keys and values looked up token by token."""
    block_size, group = k_pool.shape[2], q.shape[1] // k_pool.shape[1]
    outputs = []
    for b, length in enumerate(lengths.tolist()):
        if length == 0:
            outputs.append(torch.zeros_like(q[b]))
            continue
        token = torch.arange(length)
        block, slot = tables[b, token // block_size].long(), token % block_size
        k, v = (pool[block, :, slot].transpose(0, 1).repeat_interleave(group, 0) for pool in (k_pool, v_pool))
        outputs.append(reference.attention(q[b], k, v, True, scale)[0])
    return torch.stack(outputs)


def one_query(q: Tensor, *args: Any, **rest: Any) -> Tensor:
    return over_tables(q[:, :, None], *args, **rest)[:, :, 0]
