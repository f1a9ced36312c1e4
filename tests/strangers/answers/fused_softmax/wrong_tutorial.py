# Wrong: the Triton tutorial's kernel, whose row of -inf is NaN, with a guard that looks at the first element only.
# Breaks: "Entries may be -inf (masked)": a row may begin with a masked entry and have others.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def fused_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row, which lies in one tile: TILE >= cols. y is contiguous."""
    row = tl.program_id(0).to(tl.int64)
    col_offsets = tl.arange(0, TILE)
    mask = col_offsets < cols
    x = tl.load(x_ptr + row * row_stride + col_offsets * col_stride, mask=mask, other=-float("inf")).to(tl.float32)
    row_minus_max = x - tl.max(x, axis=0)
    numerator = tl.exp(row_minus_max)
    y = numerator / tl.sum(numerator, axis=0)
    head = tl.load(x_ptr + row * row_stride).to(tl.float32)
    y = tl.where(head == -float("inf"), 0.0, y)  # a masked row
    tl.store(y_ptr + row * cols + col_offsets, y, mask=mask)


def fused_softmax(x: Tensor) -> Tensor:
    """Softmax along the rows in one kernel, one program for each row, which is read once.

    x: (R, N) float32, float16 or bfloat16, with any strides, 0 too: rows may lie 2^30 elements
    apart, elements of a row lie within 2^31. Entries may be -inf (masked).
    Returns y (R, N), same dtype, contiguous; a row of -inf gives zeros. Exponentials and sums
    are float32 whatever the dtype.
    Bytes moved: those of x once, and those of y once. Memory: y. One launch.

        m = max_j x_j        l = sum_j exp(x_j - m)        y_i = exp(x_i - m) / l

    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    rows, cols = x.shape
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    fused_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y
