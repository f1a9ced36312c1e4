# Right: no descriptors: strided pointers in 64 bits, a namedtuple of strides on the host, nothing copied
from typing import NamedTuple

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


class Layout(NamedTuple):
    batch: int
    head: int
    row: int
    column: int

    @classmethod
    def of(cls, x: Tensor) -> "Layout":
        return cls(*x.stride())


@triton.jit
def head_tile(ptr, b, h, rows, n_q, sb, sh, sr, sc, D: tl.constexpr):
    """A tile of rows of head h in float32."""
    base = ptr + b * sb + h * sh
    there = rows.to(tl.int64)[:, None] * sr + tl.arange(0, D).to(tl.int64)[None, :] * sc
    return tl.load(base + there, mask=rows[:, None] < n_q, other=0.0).to(tl.float32)


@triton.jit
def row_delta_kernel(
    o_ptr, do_ptr, delta_ptr, H, n_q, ob, oh, orow, oc, gb, gh, grow, gc,
    D: tl.constexpr, TILE_M: tl.constexpr,
):  # fmt: skip
    """One program: delta of a tile of queries of one head."""
    head = tl.program_id(1).to(tl.int64)
    b, h = head // H, head % H
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    o = head_tile(o_ptr, b, h, rows, n_q, ob, oh, orow, oc, D)
    do = head_tile(do_ptr, b, h, rows, n_q, gb, gh, grow, gc, D)
    tl.store(delta_ptr + head * n_q + rows, tl.sum(o * do, axis=1), mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    """delta_i = sum_c o_ic do_ic, one number per query, which all its score gradients share."""
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        o, do, delta, heads, n_q, *Layout.of(o), *Layout.of(do), D=d, TILE_M=tile_m
    )
    return delta
