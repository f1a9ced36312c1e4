# Right: helper jit function, tl.static_assert, tl.multiple_of/max_contiguous hints, eviction policies, tl.assume
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def _my_offsets(TILE: tl.constexpr):
    tl.static_assert(TILE & (TILE - 1) == 0, "a tile is a power of two")
    start = tl.multiple_of(tl.program_id(axis=0) * TILE, TILE)
    return tl.max_contiguous(start + tl.arange(0, TILE), TILE)


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    """One tile of out = x + y: program i adds elements i * TILE to (i + 1) * TILE - 1."""
    tl.assume(n > 0)
    offsets = _my_offsets(TILE)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, eviction_policy="evict_first")
    y = tl.load(y_ptr + offsets, mask=inside, eviction_policy="evict_first")
    tl.store(out_ptr + offsets, x + y, mask=inside, cache_modifier=".cs")


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    """The sum of two vectors, one program for each tile of consecutive elements, in order."""
    out = torch.empty_like(x)
    n = x.numel()
    grid = lambda meta: (triton.cdiv(n, meta["TILE"]),)
    vector_add_kernel[grid](x, y, out, n, TILE=tile)
    return out
