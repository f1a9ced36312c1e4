# pointers in place of descriptors, with the strides of both tensors, so that nothing is copied; summed over the transposed tile
@triton.jit
def row_delta_kernel(
    o_ptr, do_ptr, delta_ptr, H, n_q,
    o_batch, o_head, o_row, o_column, do_batch, do_head, do_row, do_column,
    D: tl.constexpr, TILE_M: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    b, h = head // H, head % H
    rows = (tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)).to(tl.int64)
    columns = tl.arange(0, D).to(tl.int64)
    inside = rows < n_q
    o_at = b * o_batch + h * o_head + rows[None, :] * o_row + columns[:, None] * o_column
    do_at = b * do_batch + h * do_head + rows[None, :] * do_row + columns[:, None] * do_column
    o = tl.load(o_ptr + o_at, mask=inside[None, :], other=0.0).to(tl.float32)
    do = tl.load(do_ptr + do_at, mask=inside[None, :], other=0.0).to(tl.float32)
    tl.store(delta_ptr + head * n_q + rows, tl.sum(o * do, axis=0), mask=inside)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty((batch, heads, n_q), dtype=torch.float32, device=o.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    row_delta_kernel[grid](
        o, do, delta, heads, n_q, *o.stride(), *do.stride(), D=d, TILE_M=tile_m
    )
    return delta
