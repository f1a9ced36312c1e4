# style: a @triton.jit helper, static_assert
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def _load_row(x_ptr, row, row_stride, col_stride, columns, cols):
    """One row of x; -inf past its end, which no maximum notices."""
    return tl.load(
        x_ptr + row * row_stride + columns * col_stride,
        mask=columns < cols,
        other=-float("inf"),
    )


@triton.jit
def row_max_kernel(x_ptr, m_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The maximum of one row, which lies in one tile: TILE >= cols."""
    row = tl.program_id(0).to(tl.int64)  # x may have more than 2**31 elements
    columns = tl.arange(0, TILE)
    tl.static_assert(TILE > 0)
    x = _load_row(x_ptr, row, row_stride, col_stride, columns, cols)
    tl.store(m_ptr + row, tl.max(x, axis=0))


def row_max(x: Tensor) -> Tensor:
    """The maximum of every row, one program for each row.

    x: (R, N) float32, float16 or bfloat16, with any strides, 0 too: rows may lie 2^30 elements
    apart, elements of a row lie within 2^31. Entries may be -inf.
    Returns m (R,), same dtype: m_i = max_j x_ij, and -inf for a row of -inf.
    Bytes moved: those of x once, and those of m once. Memory: m. One launch.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    rows, cols = x.shape
    m = torch.empty(rows, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    row_max_kernel[(rows,)](x, m, x.stride(0), x.stride(1), cols, TILE=tile)
    return m
