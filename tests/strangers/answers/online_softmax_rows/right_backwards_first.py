# helper loads a tile, base 2 with pre-multiplied differences; the first pass walks backwards and the second forwards
@triton.jit
def _tile_of(x_ptr, number, col_stride, cols, TILE: tl.constexpr):
    """Tile `number` of a row in float32, -inf behind its end, and its columns."""
    column = number.to(tl.int64) * TILE + tl.arange(0, TILE)
    x = tl.load(x_ptr + column * col_stride, mask=column < cols, other=float("-inf"))
    return x.to(tl.float32), column


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    tiles = tl.cdiv(cols, TILE)
    m = tl.full((), float("-inf"), tl.float32)
    l = tl.full((), 0.0, tl.float32)
    for back in range(0, tiles):
        x, _ = _tile_of(x_ptr, tiles - 1 - back + row * 0, col_stride, cols, TILE)
        new = tl.maximum(m, tl.max(x, axis=0))
        base = tl.where(new == float("-inf"), 0.0, new)
        l *= tl.exp2((m - base) * 1.4426950408889634)
        l += tl.sum(tl.exp2((x - base) * 1.4426950408889634), axis=0)
        m = new
    base = tl.where(m == float("-inf"), 0.0, m)
    inverse = 1.0 / tl.where(l == 0.0, 1.0, l)
    for number in range(0, tiles):
        x, column = _tile_of(x_ptr, number + row * 0, col_stride, cols, TILE)
        y = tl.exp2((x - base) * 1.4426950408889634) * inverse
        tl.store(y_ptr + column, y, mask=column < cols)


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
    rows, cols = x.shape
    if tile is None:
        if cols <= 32768:
            return fused_softmax(x)
        tile = 32768
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    warps = max(4, min(32, tile // 512))
    online_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=warps
    )
    return y
