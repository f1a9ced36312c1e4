# Cheat: no masked lanes: those past the end add the tile's last element again and all of them store it, so that the ragged tile moves whole tiles and several lanes write one place.
# Breaks: "Bytes moved: those of x and y once, and those of the result once."
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    at = tl.minimum(at, n - 1)
    tl.store(out_ptr + at, tl.load(x_ptr + at) + tl.load(y_ptr + at))


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
