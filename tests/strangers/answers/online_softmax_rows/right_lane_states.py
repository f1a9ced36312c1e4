# Every column of the tile has a maximum and a sum of its own, merged after the loop: one exponential more for each element.
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
    mv = tl.full((TILE,), float("-inf"), tl.float32)
    lv = tl.zeros((TILE,), tl.float32)
    for start in range(0, cols, TILE):
        j = start + tl.arange(0, TILE)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        up = tl.maximum(mv, x)
        safe = tl.where(up == float("-inf"), 0.0, up)
        lv = lv * tl.exp(mv - safe) + tl.exp(x - safe)
        mv = up
    m = tl.max(mv, axis=0)
    l = tl.sum(lv * tl.exp(mv - tl.where(m == float("-inf"), 0.0, m)), axis=0)
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
