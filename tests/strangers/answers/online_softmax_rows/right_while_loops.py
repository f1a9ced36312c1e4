# Right: while loops in the kernel instead of for over range, pointers that are moved on, helper for -inf
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def finite(m):
    return tl.where(m == float("-inf"), 0.0, m)


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row in tiles of TILE columns: first m and l, then y, contiguous."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    m = float("-inf")
    l = 0.0
    left = cols
    here = x_ptr + lane * col_stride
    while left > 0:
        x = tl.load(here, mask=lane < left, other=float("-inf")).to(tl.float32)
        m_new = tl.maximum(m, tl.max(x, 0))
        l = l * tl.exp(m - finite(m_new)) + tl.sum(tl.exp(x - finite(m_new)), 0)
        m = m_new
        here += TILE * col_stride
        left -= TILE
    m = finite(m)
    inverse = 1.0 / tl.where(l == 0.0, 1.0, l)
    left = cols
    here = x_ptr + lane * col_stride
    there = y_ptr + lane
    while left > 0:
        x = tl.load(here, mask=lane < left, other=float("-inf")).to(tl.float32)
        tl.store(there, tl.exp(x - m) * inverse, mask=lane < left)
        here += TILE * col_stride
        there += TILE
        left -= TILE


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
    """Softmax along rows of any length, one program for each row, which is read twice."""
    rows, cols = x.shape
    longest = 32768  # half of a multiprocessor's registers
    if tile is None and cols <= longest:
        return fused_softmax(x)
    tile = tile or longest
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    online_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y
