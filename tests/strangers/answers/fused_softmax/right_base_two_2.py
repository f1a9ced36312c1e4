# style: compiler engineer: exp2, one reciprocal, pointers moved first
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def fused_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, TILE)
    inside = columns < cols
    x_ptr += row * row_stride
    y_ptr += row * cols
    z = tl.load(x_ptr + columns * col_stride, mask=inside, other=-float("inf")).to(tl.float32)
    m = tl.max(z, axis=0)
    alive = m > -float("inf")
    p = tl.exp2((z - tl.where(alive, m, 0.0)) * 1.4426950408889634)
    inverse = tl.where(alive, 1.0 / tl.where(alive, tl.sum(p, axis=0), 1.0), 0.0)
    tl.store(y_ptr + columns, (p * inverse).to(y_ptr.dtype.element_ty), mask=inside)


def fused_softmax(x: Tensor) -> Tensor:
    rows, cols = x.shape
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    fused_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y
