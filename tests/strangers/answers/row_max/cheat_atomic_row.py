# Cheat: every program writes each result twice and the second time reads it, by an atomic maximum on what it has just stored
# Breaks: "Bytes moved: those of x once, and those of m once."
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def row_max_kernel(x_ptr, m_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, TILE)
    x = tl.load(
        x_ptr + row * row_stride + columns * col_stride, mask=columns < cols, other=-float("inf")
    )
    m = tl.max(x, axis=0)
    tl.store(m_ptr + row, m)
    if m.dtype == tl.float32:
        tl.atomic_max(m_ptr + row, m)


def row_max(x: Tensor) -> Tensor:
    rows, cols = x.shape
    m = torch.empty(rows, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    row_max_kernel[(rows,)](x, m, x.stride(0), x.stride(1), cols, TILE=tile)
    return m
