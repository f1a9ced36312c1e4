# pulls the last tile back so that it ends at n and needs no mask: values are right for n >= tile, but elements are read and written twice when tile does not divide n, and n < tile runs past the end
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    # same trick as in SIMD loops: overlap instead of a remainder
    begin = tl.minimum(tl.program_id(0) * TILE, n - TILE)
    begin = tl.maximum(begin, 0)
    i = begin + tl.arange(0, TILE)
    tl.store(out_ptr + i, tl.load(x_ptr + i) + tl.load(y_ptr + i))


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
