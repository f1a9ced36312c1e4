# Walks the row by adding TILE to the pointer instead of TILE * col_stride, so every tile after the first is read from the wrong place for views whose column stride is not 1.
@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    src = x_ptr + lane * col_stride
    m = float("-inf")
    l = 0.0
    for start in range(0, cols, TILE):
        x = tl.load(src, mask=start + lane < cols, other=float("-inf")).to(tl.float32)
        m_new = tl.maximum(m, tl.max(x, axis=0))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        l = l * tl.exp(m - shift) + tl.sum(tl.exp(x - shift), axis=0)
        m = m_new
        src += TILE
    src = x_ptr + lane * col_stride
    dst = y_ptr + lane
    shift = tl.where(m == float("-inf"), 0.0, m)
    l = tl.where(l == 0.0, 1.0, l)
    for start in range(0, cols, TILE):
        x = tl.load(src, mask=start + lane < cols, other=float("-inf")).to(tl.float32)
        tl.store(dst, tl.exp(x - shift) / l, mask=start + lane < cols)
        src += TILE
        dst += TILE


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
