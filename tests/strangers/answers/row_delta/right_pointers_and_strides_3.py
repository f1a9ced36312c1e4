# Style: classic Triton: pointers, each tensor's own strides, masks; nothing is copied.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def row_delta_kernel(
    o_ptr, do_ptr, delta_ptr, H, n_q,
    o_b, o_h, o_row, o_col, do_b, do_h, do_row, do_col,
    TILE_M: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    """One program: delta of a tile of queries of one head, by pointers and strides."""
    head = tl.program_id(1).to(tl.int64)
    b, h = head // H, head % H
    rows = (tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)).to(tl.int64)
    columns = tl.arange(0, D)
    there = rows < n_q
    o_ptr += b * o_b + h * o_h
    do_ptr += b * do_b + h * do_h
    o = tl.load(
        o_ptr + rows[:, None] * o_row + columns[None, :] * o_col, mask=there[:, None], other=0.0
    )
    do = tl.load(
        do_ptr + rows[:, None] * do_row + columns[None, :] * do_col, mask=there[:, None], other=0.0
    )
    delta = tl.sum(o.to(tl.float32) * do.to(tl.float32), axis=1)
    tl.store(delta_ptr + head * n_q + rows, delta, mask=there)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty((batch, heads, n_q), dtype=torch.float32, device=o.device)
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        o, do, delta, heads, n_q, *o.stride(), *do.stride(), TILE_M=tile_m, D=d
    )
    return delta
