# Right within its contract: the unit of the denominator moves only when a tile's maximum is more than 16 above it, so that hardly anything is ever rescaled, and the weights are measured from a number that is no maximum.
# Breaks: "m' = max(m, max_j x_j)        l' = l exp(m - m') + sum_j exp(x_j - m')"
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    columns = tl.arange(0, TILE)
    m = tl.full((), float("-inf"), tl.float32)
    l = tl.zeros((), tl.float32)
    for start in range(0, cols, TILE):
        at = start + columns
        x = tl.load(x_ptr + at * col_stride, mask=at < cols, other=float("-inf")).to(tl.float32)
        top = tl.max(x, axis=0)
        m_new = tl.where(top > m + 16.0, top, m)
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        l = l * tl.exp(m - shift) + tl.sum(tl.exp(x - shift), axis=0)
        m = m_new
    shift = tl.where(m == float("-inf"), 0.0, m)
    l = tl.where(l == 0, 1.0, l)
    for start in range(0, cols, TILE):
        at = start + columns
        x = tl.load(x_ptr + at * col_stride, mask=at < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + at, tl.exp(x - shift) / l, mask=at < cols)


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
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
