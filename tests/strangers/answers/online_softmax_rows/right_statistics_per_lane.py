# Every lane of the tile keeps a maximum and a denominator of its own, merged once after the first pass; the second pass walks backwards.
@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    m_lane = tl.full([TILE], float("-inf"), dtype=tl.float32)
    l_lane = tl.zeros([TILE], dtype=tl.float32)
    for start in range(0, cols, TILE):
        j = (start + lane).to(tl.int64)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        m_new = tl.maximum(m_lane, x)
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        l_lane = l_lane * tl.exp(m_lane - shift) + tl.exp(x - shift)
        m_lane = m_new

    m = tl.max(m_lane, axis=0)
    m = tl.where(m == float("-inf"), 0.0, m)
    l = tl.sum(l_lane * tl.exp(m_lane - m), axis=0)
    l = tl.where(l == 0.0, 1.0, l)

    last = (cols - 1) // TILE * TILE
    for back in range(0, cols, TILE):
        j = (last - back + lane).to(tl.int64)
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + j, tl.exp(x - m) / l, mask=j < cols)


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
