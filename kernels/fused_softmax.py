"""Softmax in one Triton kernel: with a row in one tile, with rows of any length.

Left out: any axis but the last of a matrix, the backward pass, and rows that are split between
programs.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def fused_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row, which lies in one tile: TILE >= cols. y is contiguous."""
    row = tl.program_id(0).to(tl.int64)
    ### BEGIN SOLUTION
    j = tl.arange(0, TILE)
    pointers = x_ptr + row * row_stride + j * col_stride
    x = tl.load(pointers, mask=j < cols, other=float("-inf")).to(tl.float32)
    m = tl.max(x, axis=0)
    shift = tl.where(m == float("-inf"), 0.0, m)  # -inf - (-inf) would be NaN
    p = tl.exp(x - shift)
    l = tl.sum(p, axis=0)
    y = p / tl.where(l == 0, 1.0, l)
    tl.store(y_ptr + row * cols + j, y, mask=j < cols)
    ### END SOLUTION


def fused_softmax(x: Tensor) -> Tensor:
    """Softmax along the rows in one kernel, one program for each row, which is read once.

    x: (R, N) float32, float16 or bfloat16, with any strides, 0 too: rows may lie 2^30 elements
    apart, elements of a row lie within 2^31. Entries may be -inf (masked).
    Returns y (R, N), same dtype, contiguous; a row of -inf gives zeros. Exponentials and sums
    are float32 whatever the dtype.
    Bytes moved: those of x once, and those of y once. Memory: y. One launch.

        m = max_j x_j        l = sum_j exp(x_j - m)        y_i = exp(x_i - m) / l
    """
    rows, cols = x.shape
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    fused_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row in tiles of TILE columns: first m and l, then y, contiguous."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    ### BEGIN SOLUTION
    m = float("-inf")
    l = 0.0
    for start in range(0, cols, TILE):
        j = start + tl.arange(0, TILE)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        m_new = tl.maximum(m, tl.max(x, axis=0))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
        l = l * tl.exp(m - shift) + tl.sum(tl.exp(x - shift), axis=0)
        m = m_new

    m = tl.where(m == float("-inf"), 0.0, m)
    l = tl.where(l == 0, 1.0, l)
    last = (cols - 1) // TILE * TILE
    for back in range(0, cols, TILE):  # the tile read last is the likeliest to be in a cache
        j = last - back + tl.arange(0, TILE)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols).to(tl.float32)
        tl.store(y_ptr + j, tl.exp(x - m) / l, mask=j < cols)
    ### END SOLUTION


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
    """Softmax along rows of any length, one program for each row, which is read twice.

    x: (R, N) float32, float16 or bfloat16, with any strides, 0 too: rows may lie 2^30 elements
    apart, elements of a row lie within 2^31. Entries may be -inf (masked).
    tile: columns of a tile, a power of two, used for rows of any length; None: rows of up to
    32768 columns go to `fused_softmax`, longer ones are cut into tiles of 32768.
    Returns y (R, N), same dtype, contiguous; a row of -inf gives zeros. Exponentials and sums
    are float32 whatever the dtype.
    Bytes moved: those of x twice, once in each pass, but for at most a tile of each row that is
    kept for the second, and those of y once; no load holds more than a tile, and no more
    exponentials are taken at once: what is kept does not grow with the number of tiles.
    Memory: y. One launch.

    First pass, over tiles x, from m = -inf and l = 0:

        m' = max(m, max_j x_j)        l' = l exp(m - m') + sum_j exp(x_j - m')

    Second pass: y_i = exp(x_i - m) / l. Milakov and Gimelshein (2018), algorithm 3.
    """
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
