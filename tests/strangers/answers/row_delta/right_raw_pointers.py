# no descriptors and no copy: raw pointers with all strides; keeps the contract
@triton.jit
def row_delta_kernel(
    o_ptr, do_ptr, delta_ptr, H, n_q,
    o_b, o_h, o_r, o_c, g_b, g_h, g_r, g_c,
    D: tl.constexpr, TILE_M: tl.constexpr,
):  # fmt: skip
    bh = tl.program_id(1).to(tl.int64)
    batch, head = bh // H, bh % H
    i = (tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)).to(tl.int64)
    c = tl.arange(0, D).to(tl.int64)
    real = i < n_q
    o_at = o_ptr + batch * o_b + head * o_h + i[:, None] * o_r + c[None, :] * o_c
    g_at = do_ptr + batch * g_b + head * g_h + i[:, None] * g_r + c[None, :] * g_c
    x = tl.load(o_at, mask=real[:, None], other=0.0).to(tl.float32)
    y = tl.load(g_at, mask=real[:, None], other=0.0).to(tl.float32)
    tl.store(delta_ptr + bh * n_q + i, tl.sum(x * y, axis=1), mask=real)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty((batch, heads, n_q), dtype=torch.float32, device=o.device)
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        o, do, delta, heads, n_q, *o.stride(), *do.stride(), D=d, TILE_M=tile_m
    )
    return delta
