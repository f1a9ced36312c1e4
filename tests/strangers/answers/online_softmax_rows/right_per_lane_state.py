# every lane keeps a maximum and a sum of its own, which are merged once after the first pass
@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    tops = tl.full((TILE,), float("-inf"), tl.float32)
    sums = tl.zeros((TILE,), tl.float32)
    for start in range(0, cols, TILE):
        j = start + lane
        x = tl.load(x_ptr + j.to(tl.int64) * col_stride, mask=j < cols, other=float("-inf"))
        x = x.to(tl.float32)
        higher = tl.maximum(tops, x)
        base = tl.where(higher == float("-inf"), 0.0, higher)
        sums = sums * tl.exp(tops - base) + tl.exp(x - base)
        tops = higher
    m = tl.max(tops, axis=0)
    base = tl.where(m == float("-inf"), 0.0, m)
    l = tl.sum(sums * tl.exp(tops - base), axis=0)
    l = tl.where(l == 0.0, 1.0, l)
    for start in range(0, cols, TILE):
        j = start + lane
        x = tl.load(x_ptr + j.to(tl.int64) * col_stride, mask=j < cols, other=float("-inf"))
        tl.store(y_ptr + j, tl.exp(x.to(tl.float32) - base) / l, mask=j < cols)


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
