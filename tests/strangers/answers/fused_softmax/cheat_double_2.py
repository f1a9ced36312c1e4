# Cheat: computes all exponentials and the sum in float64, in which a GPU is many times slower
# Breaks: "Exponentials and sums are float32 whatever the dtype."
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def fused_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, TILE)
    inside = columns < cols
    x = tl.load(x_ptr + row * row_stride + columns * col_stride, mask=inside, other=-float("inf"))
    x = x.to(tl.float64)
    m = tl.max(x, axis=0)
    e = tl.exp(x - tl.where(m == -float("inf"), 0.0, m))
    l = tl.sum(e, axis=0)
    y = e / tl.where(l == 0.0, 1.0, l)
    tl.store(y_ptr + row * cols + columns, y.to(y_ptr.dtype.element_ty), mask=inside)


def fused_softmax(x: Tensor) -> Tensor:
    rows, cols = x.shape
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    fused_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y
