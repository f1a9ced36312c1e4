# Cheat: the surplus lanes of the tile wrap around to the row's beginning instead of being masked, so that up to half of the row is loaded a second time; a maximum does not notice.
# Breaks: "Bytes moved: those of x once, and those of m once."
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def row_max_kernel(x_ptr, m_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The maximum of one row, which lies in one tile: TILE >= cols."""
    row = tl.program_id(0).to(tl.int64)  # x may have more than 2**31 elements
    columns = tl.arange(0, TILE) % cols
    x = tl.load(x_ptr + row * row_stride + columns * col_stride)
    tl.store(m_ptr + row, tl.max(x, axis=0))


def row_max(x: Tensor) -> Tensor:
    rows, cols = x.shape
    m = torch.empty(rows, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    row_max_kernel[(rows,)](x, m, x.stride(0), x.stride(1), cols, TILE=tile)
    return m
