# WRONG: no mask, but the tile is filled by wrapping round (j % cols): right values, but the bytes of x are moved up to twice ("Bytes moved: those of x once")
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def row_max_kernel(x_ptr, m_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)  # x may have more than 2**31 elements
    j = tl.arange(0, TILE) % cols
    x = tl.load(x_ptr + row * row_stride + j * col_stride)
    tl.store(m_ptr + row, tl.max(x, axis=0))


def row_max(x: Tensor) -> Tensor:
    rows, cols = x.shape
    m = torch.empty(rows, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    row_max_kernel[(rows,)](x, m, x.stride(0), x.stride(1), cols, TILE=tile)
    return m
