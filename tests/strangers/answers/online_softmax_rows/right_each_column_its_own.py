# style: right; every place of the tile keeps an m and an l of its own, merged once at the end; the second pass walks backwards
@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row in tiles of TILE columns: first m and l, then y, contiguous."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    place = tl.arange(0, TILE)
    m_own = tl.full((TILE,), float("-inf"), tl.float32)
    l_own = tl.zeros((TILE,), tl.float32)
    for start in range(0, cols, TILE):
        here = start + place
        x = tl.load(x_ptr + here.to(tl.int64) * col_stride, mask=here < cols, other=float("-inf")).to(tl.float32)
        larger = tl.maximum(m_own, x)
        base = tl.where(larger == float("-inf"), 0.0, larger)
        l_own = l_own * tl.exp(m_own - base) + tl.exp(x - base)
        m_own = larger
    m = tl.max(m_own, axis=0)
    m = tl.where(m == float("-inf"), 0.0, m)
    l = tl.sum(l_own * tl.exp(m_own - m), axis=0)
    l = tl.where(l == 0.0, 1.0, l)
    tiles = (cols + TILE - 1) // TILE
    for done in range(0, tiles):
        here = (tiles - 1 - done) * TILE + place
        x = tl.load(x_ptr + here.to(tl.int64) * col_stride, mask=here < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + here, tl.exp(x - m) / l, mask=here < cols)


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
