# RIGHT. Style: every tile gives its own (max, sum), which a helper merges into the running pair; second pass walks backwards over aligned tiles.
@triton.jit
def finite_or_zero(m):
    return tl.where(m == float("-inf"), 0.0, m)


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row in tiles of TILE columns: first m and l, then y, contiguous."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    j = tl.arange(0, TILE)
    m = float("-inf")
    l = 0.0
    for start in range(0, cols, TILE):
        x = tl.load(x_ptr + (start + j) * col_stride, mask=start + j < cols, other=float("-inf"))
        x = x.to(tl.float32)
        m_tile = tl.max(x, axis=0)
        l_tile = tl.sum(tl.exp(x - finite_or_zero(m_tile)), axis=0)
        m_new = tl.maximum(m, m_tile)
        base = finite_or_zero(m_new)
        l = l * tl.exp(m - base) + l_tile * tl.exp(m_tile - base)
        m = m_new
    base = finite_or_zero(m)
    total = tl.where(l == 0.0, 1.0, l)
    last = (cols - 1) // TILE * TILE
    for back in range(0, cols, TILE):
        here = last - back + j
        x = tl.load(x_ptr + here * col_stride, mask=here < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + here, tl.exp(x - base) / total, mask=here < cols)


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
    """Softmax along rows of any length, one program for each row, which is read twice.

    x: (R, N) float32, float16 or bfloat16, with any strides, 0 too: rows may lie 2^30 elements
    apart, elements of a row lie within 2^31. Entries may be -inf (masked).
    tile: columns of a tile, a power of two, for short rows too; None: rows of up to 32768
    columns go to `fused_softmax`, longer ones are cut into tiles of 32768.
    Returns y (R, N), same dtype, contiguous; a row of -inf gives zeros. Exponentials and sums
    are float32 whatever the dtype.
    Bytes moved: those of x twice, once in each pass, and those of y once; no load holds more
    than a tile, and of a row no more than a tile is kept for the second pass.
    Memory: y.

    First pass, over tiles x, from m = -inf and l = 0:

        m' = max(m, max_j x_j)        l' = l exp(m - m') + sum_j exp(x_j - m')

    Second pass: y_i = exp(x_i - m) / l. Milakov and Gimelshein (2018), algorithm 3.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
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
