# every lane of the tile keeps its own maximum and sum and the lanes are merged once at the end; second pass from the end
@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    top = tl.full((TILE,), float("-inf"), tl.float32)
    mass = tl.zeros((TILE,), tl.float32)
    for begin in range(0, cols, TILE):
        at = begin + lane
        v = tl.load(x_ptr + at.to(tl.int64) * col_stride, mask=at < cols, other=float("-inf"))
        v = v.to(tl.float32)
        new = tl.maximum(top, v)
        base = tl.where(new == float("-inf"), 0.0, new)
        mass = mass * tl.exp(top - base) + tl.exp(v - base)
        top = new
    m = tl.max(top, axis=0)
    m = tl.where(m == float("-inf"), 0.0, m)
    l = tl.sum(mass * tl.exp(top - m), axis=0)
    l = tl.where(l == 0.0, 1.0, l)
    tiles = tl.cdiv(cols, TILE)
    for t in range(0, tiles):
        at = (tiles - 1 - t) * TILE + lane
        v = tl.load(x_ptr + at.to(tl.int64) * col_stride, mask=at < cols, other=float("-inf"))
        tl.store(y_ptr + at, tl.exp(v.to(tl.float32) - m) / l, mask=at < cols)


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
    rows, cols = x.shape
    longest = 32768  # half of a multiprocessor's registers
    if tile is None and cols <= longest:
        return fused_softmax(x)
    tile = tile or longest
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    online_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y
