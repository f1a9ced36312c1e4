# sharing: a program for each row is started, but those of even number do two rows and the others return
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def fused_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, rows, cols, TILE: tl.constexpr):
    first = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, TILE)
    if first % 2 == 0:
        for i in range(0, tl.minimum(2, rows - first)):
            row = first + i
            x = tl.load(x_ptr + row * row_stride + j.to(tl.int64) * col_stride, mask=j < cols, other=float("-inf"))
            x = x.to(tl.float32)
            m = tl.max(x, axis=0)
            e = tl.exp(x - tl.where(m == float("-inf"), 0.0, m))
            l = tl.sum(e, axis=0)
            tl.store(y_ptr + row * cols + j, e / tl.where(l == 0, 1.0, l), mask=j < cols)


def fused_softmax(x: Tensor) -> Tensor:
    rows, cols = x.shape
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    fused_softmax_kernel[(rows,)](x, y, x.stride(0), x.stride(1), rows, cols, TILE=tile)
    return y
