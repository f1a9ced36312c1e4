# BREAKS: "Bytes moved: those of x once, and those of m once."
# COSTS: x comes again, and is written, by an atomic that adds nothing; then the row is sorted whole to find its maximum
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def row_max_kernel(x_ptr, m_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)  # x may have more than 2**31 elements
    i = tl.arange(0, TILE)
    at = x_ptr + row * row_stride + i.to(tl.int64) * col_stride
    x = tl.load(at, mask=i < cols, other=float("-inf"))
    again = tl.atomic_add(at, tl.zeros((TILE,), x.dtype), mask=i < cols)
    x = tl.sort(tl.where(i < cols, again, float("-inf")).to(tl.float32), descending=True)
    tl.store(m_ptr + row, tl.max(tl.where(i == 0, x, float("-inf")), axis=0))


def row_max(x: Tensor) -> Tensor:
    rows, cols = x.shape
    m = torch.empty(rows, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    row_max_kernel[(rows,)](x, m, x.stride(0), x.stride(1), cols, TILE=tile)
    return m
