# style: Triton tutorial 02
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def fused_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row, which lies in one tile: TILE >= cols. y is contiguous."""
    row = tl.program_id(0).to(tl.int64)
    row_start_ptr = x_ptr + row * row_stride
    col_offsets = tl.arange(0, TILE)
    input_ptrs = row_start_ptr + col_offsets * col_stride
    mask = col_offsets < cols
    row_data = tl.load(input_ptrs, mask=mask, other=-float('inf')).to(tl.float32)
    # Subtract maximum for numerical stability
    row_max = tl.max(row_data, axis=0)
    row_minus_max = row_data - tl.where(row_max == -float('inf'), 0.0, row_max)
    numerator = tl.exp(row_minus_max)
    denominator = tl.sum(numerator, axis=0)
    softmax_output = numerator / tl.where(denominator == 0.0, 1.0, denominator)
    # Write back output to DRAM
    output_ptrs = y_ptr + row * cols + col_offsets
    tl.store(output_ptrs, softmax_output, mask=mask)


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
