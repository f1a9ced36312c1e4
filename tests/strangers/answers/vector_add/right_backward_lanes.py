# lanes count down from the tile's last element, 64-bit start, positional mask
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    end = (tl.program_id(0).to(tl.int64) + 1) * TILE
    where = end - 1 - tl.arange(0, TILE)
    mine = where < n
    total = tl.load(x_ptr + where, mine) + tl.load(y_ptr + where, mine)
    tl.store(out_ptr + where, total, mine)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
