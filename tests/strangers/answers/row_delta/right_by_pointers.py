# no descriptors and no copies: pointers with the strides of each tensor
@triton.jit
def load_rows(ptr, b, h, rows, n_q, s_b, s_h, s_n, s_c, D: tl.constexpr):
    """Rows of head h of batch b in float32; those past the end are 0."""
    columns = tl.arange(0, D).to(tl.int64)
    at = b * s_b + h * s_h + rows[:, None] * s_n + columns[None, :] * s_c
    return tl.load(ptr + at, mask=rows[:, None] < n_q, other=0).to(tl.float32)


@triton.jit
def row_delta_kernel(
    o_ptr, do_ptr, delta_ptr, H, n_q, o_b, o_h, o_n, o_c, g_b, g_h, g_n, g_c,
    D: tl.constexpr, TILE_M: tl.constexpr,
):  # fmt: skip
    """One program: delta of a tile of queries of one head."""
    head = tl.program_id(1).to(tl.int64)
    b, h = head // H, head % H
    rows = tl.program_id(0).to(tl.int64) * TILE_M + tl.arange(0, TILE_M)
    o = load_rows(o_ptr, b, h, rows, n_q, o_b, o_h, o_n, o_c, D)
    do = load_rows(do_ptr, b, h, rows, n_q, g_b, g_h, g_n, g_c, D)
    tl.store(delta_ptr + head * n_q + rows, tl.sum(do * o, axis=1), mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty((batch, heads, n_q), dtype=torch.float32, device=o.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    row_delta_kernel[grid](
        o, do, delta, heads, n_q, *o.stride(), *do.stride(), D=d, TILE_M=tile_m
    )
    return delta
