# The loads are masked but the store is not, so the last program writes past the end of out; shows whenever tile does not divide n.
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    offs = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = offs < n
    x = tl.load(x_ptr + offs, mask=inside, other=0.0)
    y = tl.load(y_ptr + offs, mask=inside, other=0.0)
    tl.store(out_ptr + offs, x + y)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
