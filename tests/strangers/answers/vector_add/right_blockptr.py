# Right: block pointers with a boundary check, a grid from a lambda over the meta parameters.
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    first = tl.program_id(0) * TILE
    x_block = tl.make_block_ptr(x_ptr, (n,), (1,), (first,), (TILE,), (0,))
    y_block = tl.make_block_ptr(y_ptr, (n,), (1,), (first,), (TILE,), (0,))
    out_block = tl.make_block_ptr(out_ptr, (n,), (1,), (first,), (TILE,), (0,))
    x = tl.load(x_block, boundary_check=(0,))
    y = tl.load(y_block, boundary_check=(0,))
    tl.store(out_block, x + y, boundary_check=(0,))


def vector_add(x, y, tile=1024):
    out = torch.empty_like(x)
    n = x.numel()
    grid = lambda meta: (triton.cdiv(n, meta["TILE"]),)
    add_kernel[grid](x, y, out, n, TILE=tile)
    return out
