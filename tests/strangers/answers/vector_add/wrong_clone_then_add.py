# Clones x and adds y into the clone, so x is copied outside a kernel and read again: the sums are right, but the launcher does more than allocate, and a vector is moved twice too often.
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * TILE + tl.arange(0, TILE)
    mask = offsets < n
    out = tl.load(out_ptr + offsets, mask=mask)
    out += tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, out, mask=mask)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = x.clone()
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
