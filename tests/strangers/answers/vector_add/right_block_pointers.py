# Right: 1-D block pointers with boundary_check instead of masks
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    """One tile of out = x + y: program i adds elements i * TILE to (i + 1) * TILE - 1."""
    start = tl.program_id(0) * TILE
    x_tile = tl.make_block_ptr(x_ptr, (n,), (1,), (start,), (TILE,), (0,))
    y_tile = tl.make_block_ptr(y_ptr, (n,), (1,), (start,), (TILE,), (0,))
    out_tile = tl.make_block_ptr(out_ptr, (n,), (1,), (start,), (TILE,), (0,))
    total = tl.load(x_tile, boundary_check=(0,)) + tl.load(y_tile, boundary_check=(0,))
    tl.store(out_tile, total, boundary_check=(0,))


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    """The sum of two vectors, one program for each tile of consecutive elements, in order."""
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out


# print(vector_add(torch.ones(10, device=device), torch.ones(10, device=device)))
if __name__ == "__main__":
    a = torch.randn(1000, device=device)
    b = torch.randn(1000, device=device)
    print("max error", (vector_add(a, b) - (a + b)).abs().max())
