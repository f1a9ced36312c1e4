# block pointers with boundary checks instead of masks
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    start = tl.program_id(0) * TILE
    x_block = tl.make_block_ptr(x_ptr, (n,), (1,), (start,), (TILE,), (0,))
    y_block = tl.make_block_ptr(y_ptr, (n,), (1,), (start,), (TILE,), (0,))
    out_block = tl.make_block_ptr(out_ptr, (n,), (1,), (start,), (TILE,), (0,))
    total = tl.load(x_block, boundary_check=(0,)) + tl.load(y_block, boundary_check=(0,))
    tl.store(out_block, total, boundary_check=(0,))


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
