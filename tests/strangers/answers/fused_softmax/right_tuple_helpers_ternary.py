# Right: helpers that return tuples, exp2 with a module-level constexpr, a constexpr flag, ternary expressions in the launcher
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"

LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def stable(x):
    """Exponentials of x less its maximum, and their sum."""
    m = tl.max(x, axis=0)
    m = tl.where(m == float("-inf"), 0.0, m)
    e = tl.exp2((x - m) * LOG2E)
    return e, tl.sum(e, axis=0)


@triton.jit
def fused_softmax_kernel(
    x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr, WHOLE: tl.constexpr
):
    """The softmax of one row, which lies in one tile: TILE >= cols. y is contiguous."""
    row = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, TILE)
    if WHOLE:
        x = tl.load(x_ptr + row * row_stride + j * col_stride)
    else:
        x = tl.load(x_ptr + row * row_stride + j * col_stride, mask=j < cols, other=float("-inf"))
    e, l = stable(x.to(tl.float32))
    y = (e / tl.where(l > 0, l, 1.0)).to(y_ptr.dtype.element_ty)
    if WHOLE:
        tl.store(y_ptr + row * cols + j, y)
    else:
        tl.store(y_ptr + row * cols + j, y, mask=j < cols)


def fused_softmax(x: Tensor) -> Tensor:
    """Softmax along the rows in one kernel, one program for each row, which is read once."""
    rows, cols = x.shape
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    warps = 4 if tile < 2048 else 8 if tile < 8192 else 16
    fused_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, WHOLE=tile == cols, num_warps=warps
    )
    return y
