# everything transposed: S^T = K Q^T, acc^T = V^T P^T, tiles of q, v and o are addressed transposed; right
@triton.jit
def flash_full_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    across = rows[None, :] * D + columns[:, None]  # (D, TILE_M)
    q = tl.load(q_ptr + head * n_q * D + across)
    k_ptr += head * n_k * D
    v_ptr += head * n_k * D
    top = tl.full((1, TILE_M), float("-inf"), tl.float32)
    total = tl.zeros((1, TILE_M), tl.float32)
    out = tl.zeros((D, TILE_M), tl.float32)
    for tile in range(0, n_k // TILE_N):
        keys = tile * TILE_N + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + keys[:, None] * D + columns[None, :])  # (TILE_N, D)
        v = tl.load(v_ptr + keys[None, :] * D + columns[:, None])  # (D, TILE_N)
        s = scale * tl.dot(k, q, input_precision="ieee")  # (TILE_N, TILE_M)
        new = tl.maximum(top, tl.max(s, axis=0)[None, :])
        p = tl.exp(s - new)
        shrink = tl.exp(top - new)
        total = total * shrink + tl.sum(p, axis=0)[None, :]
        out = out * shrink + tl.dot(v, p.to(v.dtype), input_precision="ieee")
        top = new
    out /= total
    tl.store(o_ptr + head * n_q * D + across, out.to(o_ptr.dtype.element_ty))


def flash_full(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (n_q // tile_m, batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_full_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
