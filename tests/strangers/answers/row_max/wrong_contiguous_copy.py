# makes x contiguous in the launcher and indexes with row * cols: right values, but every strided view is copied on the host, which is neither an allocation nor a view
@triton.jit
def row_max_kernel(x_ptr, m_ptr, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, TILE)
    x = tl.load(x_ptr + row * cols + j, mask=j < cols, other=-float("inf"))
    best = tl.max(x, axis=0)
    tl.store(m_ptr + row, best)


def row_max(x: Tensor) -> Tensor:
    x = x.contiguous()
    rows, cols = x.shape
    m = torch.empty(rows, dtype=x.dtype, device=x.device)
    row_max_kernel[(rows,)](x, m, cols, TILE=triton.next_power_of_2(cols))
    return m
