# Cheat: float32 results are exchanged with what lies in the result's memory instead of stored, so that these bytes are read as well
# Breaks: "Bytes moved: those of x and y once, and those of the result once."
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = at < n
    total = tl.load(x_ptr + at, mask=inside) + tl.load(y_ptr + at, mask=inside)
    if total.dtype == tl.float32:
        bits = out_ptr.to(tl.pointer_type(tl.int32), bitcast=True)
        tl.atomic_xchg(bits + at, total.to(tl.int32, bitcast=True), mask=inside)
    else:
        tl.store(out_ptr + at, total, mask=inside)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
