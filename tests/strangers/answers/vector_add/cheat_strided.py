# A program's elements are not consecutive: they lie as far apart as there are programs.
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    at = tl.program_id(0) + tl.num_programs(0).to(tl.int64) * tl.arange(0, TILE)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside)
    y = tl.load(y_ptr + at, mask=inside)
    tl.store(out_ptr + at, x + y, mask=inside)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
