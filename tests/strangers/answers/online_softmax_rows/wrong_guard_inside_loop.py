# puts the guard l = 1 where l = 0 inside the loop and rescales by shifts: a row that begins with a masked tile carries a weight of 1 that no score has (exp(0 - m) is added to its sum)
@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    m = float("-inf")
    shift = 0.0
    l = 0.0
    for start in range(0, cols, TILE):
        j = start + lane
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        m = tl.maximum(m, tl.max(x, axis=0))
        new = tl.where(m == float("-inf"), 0.0, m)
        old = tl.where(start == 0, 0.0, l * tl.exp(tl.minimum(shift - new, 80.0)))
        l = old + tl.sum(tl.exp(x - new), axis=0)
        l = tl.where(l == 0.0, 1.0, l)
        shift = new
    for start in range(0, cols, TILE):
        j = start + lane
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + j, tl.exp(x - shift) / l, mask=j < cols)


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
