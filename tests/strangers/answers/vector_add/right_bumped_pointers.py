# helper function, pointers moved to the tile, mask from what is left of the vector, sum in float32 rounded once
@triton.jit
def _plus(a, b):
    return (a.to(tl.float32) + b.to(tl.float32)).to(a.dtype)


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    begin = tl.program_id(0).to(tl.int64) * TILE
    left = n - begin  # at least 1
    lane = tl.arange(0, TILE)
    mine = lane < left
    x_ptr += begin
    y_ptr += begin
    out_ptr += begin
    a = tl.load(x_ptr + lane, mask=mine)
    b = tl.load(y_ptr + lane, mask=mine)
    tl.store(out_ptr + lane, _plus(a, b), mask=mine)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    (n,) = x.shape
    out = torch.empty(n, dtype=x.dtype, device=x.device)
    programs = (n + tile - 1) // tile
    vector_add_kernel[(programs,)](x, y, out, n, TILE=tile)
    return out
