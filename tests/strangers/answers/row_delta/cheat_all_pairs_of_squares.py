# Breaks: "No row of o is multiplied with another row of do." (o_i + do_j is squared and summed for all pairs of rows of the tile; the diagonal is kept, and |o|^2 and |do|^2 taken off)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def row_delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    TILE_M: tl.constexpr = o_desc.block_shape[2]
    D: tl.constexpr = o_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    at = head.to(tl.int64) * n_q + rows
    o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    r = tl.arange(0, TILE_M)
    pairs = tl.zeros((TILE_M, TILE_M), tl.float32)
    for c in range(D):
        here = tl.arange(0, D)[None, :] == c
        x = tl.sum(tl.where(here, o, 0.0), axis=1)
        y = tl.sum(tl.where(here, do, 0.0), axis=1)
        t = x[:, None] + y[None, :]
        pairs += t * t
    mixed = tl.sum(tl.where(r[:, None] == r[None, :], pairs, 0.0), axis=1)
    delta = 0.5 * (mixed - tl.sum(o * o, axis=1) - tl.sum(do * do, axis=1))
    tl.store(delta_ptr + at, delta, mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    tiles, tile = TensorDescriptor.from_tensor, [1, 1, tile_m, d]
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(o.contiguous(), tile), tiles(do.contiguous(), tile), delta, heads, n_q
    )
    return delta
