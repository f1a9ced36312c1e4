# Calls x.contiguous() in the launcher, which copies every strided view before the kernel starts: right numbers, but traffic and work outside a kernel that the contract forbids.
@triton.jit
def fused_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    j = tl.arange(0, TILE)
    x = tl.load(x_ptr + j, mask=j < cols, other=-float("inf")).to(tl.float32)
    m = tl.max(x, axis=0)
    m = tl.where(m == -float("inf"), 0.0, m)
    num = tl.exp(x - m)
    den = tl.sum(num, axis=0)
    den = tl.where(den == 0.0, 1.0, den)
    tl.store(y_ptr + j, num / den, mask=j < cols)


def fused_softmax(x: Tensor) -> Tensor:
    rows, cols = x.shape
    x = x.contiguous()
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    fused_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y
