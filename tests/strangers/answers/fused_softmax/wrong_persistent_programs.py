# newer Triton tutorial: as many programs as multiprocessors, each walks over rows; values are right, but with 200 rows there are 132 programs where one for each row is promised
@triton.jit
def fused_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, rows, cols, TILE: tl.constexpr):
    j = tl.arange(0, TILE)
    mask = j < cols
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        row = tl.cast(row, tl.int64)
        x = tl.load(x_ptr + row * row_stride + j * col_stride, mask=mask, other=-float("inf"))
        x = x.to(tl.float32)
        m = tl.max(x, axis=0)
        numerator = tl.exp(x - tl.where(m == -float("inf"), 0.0, m))
        denominator = tl.sum(numerator, axis=0)
        y = numerator / tl.where(denominator == 0, 1.0, denominator)
        tl.store(y_ptr + row * cols + j, y, mask=mask)


def fused_softmax(x: Tensor) -> Tensor:
    rows, cols = x.shape
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    programs = min(rows, 132)
    fused_softmax_kernel[(programs,)](
        x, y, x.stride(0), x.stride(1), rows, cols, TILE=tile,
        num_warps=min(max(tile // 512, 4), 32),
    )
    return y
