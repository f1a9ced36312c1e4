# a row in two loads of half the size, each raised and stored by itself: bytes, programs and operations are those of one
@triton.jit
def fused_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The softmax of one row, which lies in one tile: TILE >= cols. y is contiguous."""
    row = tl.program_id(0).to(tl.int64)
    ### BEGIN SOLUTION
    H: tl.constexpr = (TILE + 1) // 2
    i = tl.arange(0, H)
    j = H + i
    a = tl.load(x_ptr + row * row_stride + i * col_stride, mask=i < cols, other=float("-inf")).to(tl.float32)
    b = tl.load(x_ptr + row * row_stride + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
    m = tl.maximum(tl.max(a, axis=0), tl.max(b, axis=0))
    shift = tl.where(m == float("-inf"), 0.0, m)
    p = tl.exp(a - shift)
    r = tl.exp(b - shift)
    l = tl.sum(p, axis=0) + tl.sum(r, axis=0)
    l = tl.where(l == 0, 1.0, l)
    tl.store(y_ptr + row * cols + i, p / l, mask=i < cols)
    tl.store(y_ptr + row * cols + j, r / l, mask=j < cols)



def fused_softmax(x: Tensor) -> Tensor:
    """Softmax along the rows in one kernel, one program for each row, the row in one tile.

    x: (R, N) float32, float16 or bfloat16, with any strides, 0 too: rows may lie 2^30 elements
    apart, elements of a row lie within 2^31. Entries may be -inf (masked).
    Returns y (R, N), same dtype, contiguous; a row of -inf gives zeros. Exponentials and sums
    are float32 whatever the dtype.
    Bytes moved: those of x once, and those of y once. Memory: y.

        m = max_j x_j        l = sum_j exp(x_j - m)        y_i = exp(x_i - m) / l
    """
    rows, cols = x.shape
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    fused_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y
