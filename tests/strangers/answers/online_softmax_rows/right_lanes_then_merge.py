# Each of the TILE lanes keeps its own running maximum and sum; the lanes are merged once, after the pass.
@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    m_lane = tl.full((TILE,), float("-inf"), tl.float32)
    l_lane = tl.zeros((TILE,), tl.float32)
    for start in range(0, cols, TILE):
        j = (start + lane).to(tl.int64)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        new = tl.maximum(m_lane, x)
        base = tl.where(new == float("-inf"), 0.0, new)
        l_lane = l_lane * tl.exp(m_lane - base) + tl.exp(x - base)
        m_lane = new
    m = tl.max(m_lane, axis=0)
    m = tl.where(m == float("-inf"), 0.0, m)
    l = tl.sum(l_lane * tl.exp(m_lane - m), axis=0)
    inverse = 1.0 / tl.where(l == 0.0, 1.0, l)
    for start in range(0, cols, TILE):
        j = (start + lane).to(tl.int64)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + j, tl.exp(x - m) * inverse, mask=j < cols)


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
