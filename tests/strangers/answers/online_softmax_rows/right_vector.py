# maxima and denominators per column of the tile (vectors), merged once at the end; a string constexpr picks the pass
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def tile_at(x_ptr, start, cols, step, TILE: tl.constexpr):
    j = start + tl.arange(0, TILE)
    x = tl.load(x_ptr + j.to(tl.int64) * step, mask=j < cols, other=float("-inf"))
    return x.to(tl.float32), j


@triton.jit
def shift_of(m):
    return tl.where(m == float("-inf"), 0.0, m)


@triton.jit
def rows_kernel(x_ptr, y_ptr, row_step, step, cols, TILE: tl.constexpr):
    row = tl.program_id(axis=0).to(tl.int64)
    x_ptr += row * row_step
    m = tl.full([TILE], float("-inf"), tl.float32)
    l = tl.zeros([TILE], tl.float32)
    for start in tl.range(0, cols, TILE):
        x, _ = tile_at(x_ptr, start, cols, step, TILE)
        top = tl.maximum(m, x)
        base = shift_of(top)
        l = l * tl.exp(m - base) + tl.exp(x - base)
        m = top
    best = shift_of(tl.max(m, axis=0))
    total = tl.sum(l * tl.exp(m - best), axis=0)
    total = tl.where(total == 0, 1.0, total)
    for start in tl.range(0, cols, TILE):
        x, j = tile_at(x_ptr, start, cols, step, TILE)
        y = tl.exp(x - best) / total
        tl.store(y_ptr + row * cols + j, y.to(y_ptr.dtype.element_ty), mask=j < cols)


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
    rows, cols = x.shape
    if tile is None:
        if cols <= 32768:
            return fused_softmax(x)
        tile = 32768
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    rows_kernel[rows,](x, y, *x.stride(), cols, TILE=tile, num_warps=8)
    return y
