# Exponentials to base 2, tiles counted by number, and the second pass walks from the last tile to the first.
@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    c: tl.constexpr = 1.4426950408889634
    lane = tl.arange(0, TILE)
    tiles = tl.cdiv(cols, TILE)
    m = float("-inf")
    l = 0.0
    for t in range(tiles):
        j = t * TILE + lane
        x = tl.load(x_ptr + j.to(tl.int64) * col_stride, mask=j < cols, other=float("-inf"))
        x = x.to(tl.float32)
        older = m
        m = tl.maximum(older, tl.max(x, axis=0))
        if m > float("-inf"):
            l = l * tl.exp2((older - m) * c) + tl.sum(tl.exp2((x - m) * c), axis=0)
    m = tl.where(m > float("-inf"), m, 0.0)
    l = tl.where(l > 0.0, l, 1.0)
    for back in range(tiles):
        j = (tiles - 1 - back) * TILE + lane
        x = tl.load(x_ptr + j.to(tl.int64) * col_stride, mask=j < cols, other=float("-inf"))
        tl.store(y_ptr + j, tl.exp2((x.to(tl.float32) - m) * c) / l, mask=j < cols)


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
