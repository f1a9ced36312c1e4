# masks only the one offset that equals n, like a C end pointer: elements n+1 and on of the last tile are read and overwritten, whenever more than one element hangs over
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    not_end = i != n
    x = tl.load(x_ptr + i, mask=not_end)
    y = tl.load(y_ptr + i, mask=not_end)
    tl.store(out_ptr + i, x + y, mask=not_end)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
