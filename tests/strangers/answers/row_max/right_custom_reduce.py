# tl.reduce with its own combining function, over a (1, TILE) tile
@triton.jit
def larger(a, b):
    return tl.where(a > b, a, b)


@triton.jit
def row_max_kernel(x_ptr, m_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)  # x may have more than 2**31 elements
    j = tl.arange(0, TILE)[None, :]
    x = tl.load(x_ptr + row * row_stride + j.to(tl.int64) * col_stride, mask=j < cols, other=0)
    x = tl.where(j < cols, x.to(tl.float32), float("-inf"))
    tl.store(m_ptr + row + tl.arange(0, 1), tl.reduce(x, 1, larger))


def row_max(x: Tensor) -> Tensor:
    rows, cols = x.shape
    m = torch.empty(rows, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    row_max_kernel[(rows,)](x, m, x.stride(0), x.stride(1), cols, TILE=tile)
    return m
