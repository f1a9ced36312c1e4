# right: moves the three pointers to the tile first and masks by how many elements are left
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    begin = tl.program_id(0).to(tl.int64) * TILE
    lane = tl.arange(0, TILE)
    here = lane < n - begin
    x_ptr += begin
    y_ptr += begin
    out_ptr += begin
    other = tl.load(y_ptr + lane, mask=here)
    tl.store(out_ptr + lane, other + tl.load(x_ptr + lane, mask=here), mask=here)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    programs = (n + tile - 1) // tile
    vector_add_kernel[(programs,)](x, y, out, n, TILE=tile)
    return out
