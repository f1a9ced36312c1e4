"""First Triton kernels: tiles of a vector, and a row for each program.

Left out: any axis but the last of a matrix, and rows that do not fit into one tile.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    """One tile of out = x + y: program i adds elements i * TILE to (i + 1) * TILE - 1."""
    ### BEGIN SOLUTION
    offsets = tl.program_id(0) * TILE + tl.arange(0, TILE)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)
    ### END SOLUTION


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    """The sum of two vectors, one program for each tile.

    x, y: (n,) float32, float16 or bfloat16, contiguous. tile: elements per program, a power
    of two. Returns x + y, (n,), same dtype.
    Bytes moved: those of x and y once, and those of the result once.
    """
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out


@triton.jit
def row_max_kernel(x_ptr, m_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The maximum of one row, which lies in one tile: TILE >= cols."""
    row = tl.program_id(0).to(tl.int64)  # x may have more than 2**31 elements
    ### BEGIN SOLUTION
    j = tl.arange(0, TILE)
    pointers = x_ptr + row * row_stride + j * col_stride
    x = tl.load(pointers, mask=j < cols, other=float("-inf"))
    tl.store(m_ptr + row, tl.max(x, axis=0))
    ### END SOLUTION


def row_max(x: Tensor) -> Tensor:
    """The maximum of every row, one program for each row.

    x: (R, N) float32, float16 or bfloat16, with any strides: rows may lie 2^30 elements apart,
    elements of a row lie within 2^31. Entries may be -inf.
    Returns m (R,), same dtype: m_i = max_j x_ij, and -inf for a row of -inf.
    Bytes moved: those of x once, and those of m once.
    """
    rows, cols = x.shape
    m = torch.empty(rows, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    row_max_kernel[(rows,)](x, m, x.stride(0), x.stride(1), cols, TILE=tile)
    return m
