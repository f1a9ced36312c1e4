# style: Triton tutorial 01, comments kept; lambda grid with META
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    """One tile of out = x + y: program i adds elements i * TILE to (i + 1) * TILE - 1."""
    pid = tl.program_id(axis=0)
    block_start = pid * TILE
    offsets = block_start + tl.arange(0, TILE)
    mask = offsets < n
    # Load x and y from DRAM, masking out any extra elements in case n is not a multiple of TILE.
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    output = x + y
    # Write x + y back to DRAM.
    tl.store(out_ptr + offsets, output, mask=mask)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    """The sum of two vectors, one program for each tile of consecutive elements, in order.

    x, y: (n,) float32, float16 or bfloat16, contiguous, n < 2^31. tile: elements per program,
    a power of two. Returns x + y, (n,), same dtype.
    Bytes moved: those of x and y once, and those of the result once. Memory: the result.
    One launch runs all programs.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    out = torch.empty_like(x)
    n = x.numel()
    grid = lambda meta: (triton.cdiv(n, meta["TILE"]),)  # noqa: E731
    vector_add_kernel[grid](x, y, out, n, TILE=tile)
    return out
