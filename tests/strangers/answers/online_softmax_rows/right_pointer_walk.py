# C style: the pointers themselves walk along the row, and count what is left
@triton.jit
def _anchor(m):
    return tl.where(m == float("-inf"), 0.0, m)


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, TILE)
    source = x_ptr + row * row_stride + lane.to(tl.int64) * col_stride
    target = y_ptr + row * cols + lane

    m = tl.full((), float("-inf"), tl.float32)
    l = tl.full((), 0.0, tl.float32)
    for done in range(0, cols, TILE):
        x = tl.load(source + done * col_stride, mask=lane < cols - done, other=float("-inf")).to(tl.float32)
        m_new = tl.maximum(m, tl.max(x, axis=0))
        a = _anchor(m_new)
        l = l * tl.exp(m - a) + tl.sum(tl.exp(x - a), axis=0)
        m = m_new

    a = _anchor(m)
    inverse = 1.0 / tl.where(l == 0.0, 1.0, l)
    for done in range(0, cols, TILE):
        left = lane < cols - done
        x = tl.load(source + done * col_stride, mask=left, other=float("-inf")).to(tl.float32)
        y = tl.exp(x - a) * inverse
        tl.store(target + done, y.to(y_ptr.dtype.element_ty), mask=left)


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
