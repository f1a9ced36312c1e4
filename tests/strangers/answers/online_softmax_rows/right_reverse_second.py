# style: jit helpers with docstrings, tl.range, element_ty casts
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def _finite(m):
    """m, or 0 where it is -inf."""
    return tl.where(m == float("-inf"), 0.0, m)


@triton.jit
def _tile(x_ptr, start, col_stride, cols, TILE: tl.constexpr):
    j = start + tl.arange(0, TILE)
    return tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row in tiles of TILE columns: first m and l, then y, contiguous."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    m = tl.full((), float("-inf"), tl.float32)
    l = tl.full((), 0.0, tl.float32)
    for start in range(0, cols, TILE):
        x = _tile(x_ptr, start, col_stride, cols, TILE)
        m_new = tl.maximum(m, tl.max(x, axis=0))
        base = _finite(m_new)
        l = l * tl.exp(m - base) + tl.sum(tl.exp(x - base), axis=0)
        m = m_new
    base = _finite(m)
    l = tl.where(l == 0, 1.0, l)
    for start in tl.range(0, cols, TILE):
        x = _tile(x_ptr, start, col_stride, cols, TILE)
        j = start + tl.arange(0, TILE)
        y = tl.exp(x - base) / l
        tl.store(y_ptr + j, y.to(y_ptr.dtype.element_ty), mask=j < cols)


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
