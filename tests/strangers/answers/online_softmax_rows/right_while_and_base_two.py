# two while loops, the second walking backwards, in units of base 2
@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE).to(tl.int64)
    m = tl.max(tl.full((TILE,), float("-inf"), tl.float32), axis=0)
    l = tl.sum(tl.zeros((TILE,), tl.float32), axis=0)
    at = lane
    start = 0
    while start < cols:
        x = tl.load(x_ptr + (start + lane) * col_stride, mask=start + lane < cols, other=float("-inf"))
        u = x.to(tl.float32)
        m_new = tl.maximum(m, tl.max(u, axis=0))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        l *= tl.exp2((m - shift) * 1.4426950408889634)
        l += tl.sum(tl.exp2((u - shift) * 1.4426950408889634), axis=0)
        m = m_new
        start += TILE
    shift = tl.where(m == float("-inf"), 0.0, m)
    inverse = 1.0 / tl.where(l == 0.0, 1.0, l)
    while start > 0:
        start -= TILE
        at = start + lane
        x = tl.load(x_ptr + at * col_stride, mask=at < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + at, tl.exp2((x - shift) * 1.4426950408889634) * inverse, mask=at < cols)


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
