# every lane keeps its own m and l, merged once after the pass; the second pass walks backwards over the same tiles
@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    m = tl.full((TILE,), float("-inf"), tl.float32)
    l = tl.zeros((TILE,), tl.float32)
    for start in range(0, cols, TILE):
        j = start + lane
        x = tl.load(x_ptr + j.to(tl.int64) * col_stride, mask=j < cols, other=float("-inf"))
        x = x.to(tl.float32)
        larger = tl.maximum(m, x)
        shift = tl.where(larger == float("-inf"), 0.0, larger)
        l = l * tl.exp(m - shift) + tl.exp(x - shift)
        m = larger
    top = tl.max(m, axis=0)
    top = tl.where(top == float("-inf"), 0.0, top)
    total = tl.sum(l * tl.exp(m - top), axis=0)
    total = tl.where(total == 0.0, 1.0, total)
    tiles = (cols + TILE - 1) // TILE
    for step in range(0, tiles):
        j = (tiles - 1 - step) * TILE + lane
        x = tl.load(x_ptr + j.to(tl.int64) * col_stride, mask=j < cols, other=float("-inf"))
        y = tl.exp(x.to(tl.float32) - top) / total
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
