# every lane keeps a maximum and a sum of its own over the tiles, and the lanes are joined once at the end; second pass from the last tile to the first; right
@triton.jit
def finite(m):
    return tl.where(m == float("-inf"), 0.0, m)


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    highs = tl.full((TILE,), float("-inf"), tl.float32)
    sums = tl.zeros((TILE,), tl.float32)
    tiles = tl.cdiv(cols, TILE)
    for t in range(0, tiles):
        j = t * TILE + lane
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        new = tl.maximum(highs, x)
        sums = sums * tl.exp(highs - finite(new)) + tl.exp(x - finite(new))
        highs = new
    m = finite(tl.max(highs, axis=0))
    l = tl.sum(sums * tl.exp(highs - m), axis=0)
    inverse = 1.0 / tl.where(l > 0.0, l, 1.0)
    for t in range(0, tiles):
        j = (tiles - 1 - t) * TILE + lane
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        y = tl.exp(x - m) * inverse
        tl.store(y_ptr + j, y.to(y_ptr.dtype.element_ty), mask=j < cols)


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
