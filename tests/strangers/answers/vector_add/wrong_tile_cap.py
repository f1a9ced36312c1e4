# By somebody afraid of registers: the tile is capped at 2048 in the launch but the grid still comes from the tile asked for; wrong for tile=4096 or more with n > 2048.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    """One tile of out = x + y: program i adds elements i * TILE to (i + 1) * TILE - 1."""
    pid = tl.program_id(0)
    idx = pid * TILE + tl.arange(0, TILE)
    ok = idx < n
    tl.store(out_ptr + idx, tl.load(x_ptr + idx, mask=ok) + tl.load(y_ptr + idx, mask=ok), mask=ok)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    """The sum of two vectors, one program for each tile.

    x, y: (n,) float32, float16 or bfloat16, contiguous. tile: elements per program, a power
    of two. Returns x + y, (n,), same dtype.
    Bytes moved: those of x and y once, and those of the result once. Memory: the result.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=min(tile, 2048))
    return out
