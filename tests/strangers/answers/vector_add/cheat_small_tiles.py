# `tile` is ignored: 16 times as many programs as asked ("one program for each tile", "tile: elements per program"): a program may move less than its share, and programs are not counted.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    x = tl.load(x_ptr + at, mask=at < n)
    y = tl.load(y_ptr + at, mask=at < n)
    tl.store(out_ptr + at, x + y, mask=at < n)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    small = max(1, tile // 16)
    vector_add_kernel[(triton.cdiv(n, small),)](x, y, out, n, TILE=small)
    return out
