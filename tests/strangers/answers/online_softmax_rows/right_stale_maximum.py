# Right within its contract: m - m') + sum_j exp(x_j - m')" (the tile is measured from the maximum of the tiles before; l is corrected only when the maximum has risen by more than 60
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    m, l = float("-inf"), 0.0
    for start in range(0, cols, TILE):
        j = start + tl.arange(0, TILE)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        top = tl.max(x, axis=0)
        m_new = tl.where(top - m > 60.0, top, m)
        safe = tl.where(m_new == float("-inf"), 0.0, m_new)
        l = l * tl.exp(m - safe) + tl.sum(tl.exp(x - safe), axis=0)
        m = m_new
    shift = tl.where(m == float("-inf"), 0.0, m)
    inverse = 1.0 / tl.where(l == 0, 1.0, l)
    for start in range(0, cols, TILE):
        j = start + tl.arange(0, TILE)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + j, tl.exp(x - shift) * inverse, mask=j < cols)


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
    rows, cols = x.shape
    longest = 32768
    if tile is None and cols <= longest:
        return fused_softmax(x)
    tile = tile or longest
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    online_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y
