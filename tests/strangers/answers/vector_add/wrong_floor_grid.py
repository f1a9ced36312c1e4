# The grid is n // tile, without masks, so the tail that fills no whole tile is never written; shows when tile does not divide n (n < tile: nothing is written at all).
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    offsets = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets) + tl.load(y_ptr + offsets))


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(n // tile,)](x, y, out, n, TILE=tile)
    return out
