# BREAKS: "Bytes moved: those of x twice, once in each pass"
# COSTS: three passes over x, one for the maximum, one for the denominator, by atomics that add nothing (a read and a write), one for y: not online
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    i = tl.arange(0, TILE)
    m = tl.full((), float("-inf"), tl.float32)
    for start in range(0, cols, TILE):
        at = start + i
        x = tl.load(x_ptr + at.to(tl.int64) * col_stride, mask=at < cols, other=float("-inf")).to(tl.float32)
        m = tl.maximum(m, tl.max(x, axis=0))
    to = tl.where(m == float("-inf"), 0.0, m)
    l = tl.zeros((), tl.float32)
    for start in range(0, cols, TILE):
        at = start + i
        zero = tl.zeros((TILE,), x_ptr.dtype.element_ty)
        x = tl.atomic_add(x_ptr + at.to(tl.int64) * col_stride, zero, mask=at < cols).to(tl.float32)
        l += tl.sum(tl.where(at < cols, tl.exp(x - to), 0.0), axis=0)
    inverse = 1.0 / tl.where(l == 0, 1.0, l)
    for start in range(0, cols, TILE):
        at = start + i
        x = tl.load(x_ptr + at.to(tl.int64) * col_stride, mask=at < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + at, tl.exp(x - to) * inverse, mask=at < cols)


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
