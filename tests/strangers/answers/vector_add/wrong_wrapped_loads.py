# wraps the surplus offsets with % n as the matmul tutorial does and masks the store only: values right, but surplus elements are read (more bytes than x and y once) whenever tile does not divide n
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    offs = tl.program_id(0) * TILE + tl.arange(0, TILE)
    safe = offs % n
    x = tl.load(x_ptr + safe)
    y = tl.load(y_ptr + safe)
    tl.store(out_ptr + offs, x + y, mask=offs < n)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
