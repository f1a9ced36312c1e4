# Outputs are kept transposed: v.T is the first factor of its product with the weights.
# scores as (keys, queries), everything transposed until the store; keys from the last tile to the first
@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    here_t = rows[None, :] * D + columns[:, None]
    q_t = tl.load(q_ptr + here_t, mask=rows[None, :] < n_q, other=0.0)
    top = tl.full((1, TILE_M), float("-inf"), tl.float32)
    total = tl.zeros((1, TILE_M), tl.float32)
    out_t = tl.zeros((D, TILE_M), tl.float32)
    tiles = (n_k + TILE_N - 1) // TILE_N
    for i in range(0, tiles):
        j = (tiles - 1 - i) * TILE_N + tl.arange(0, TILE_N)
        real = (j < n_k)[:, None]
        k = tl.load(k_ptr + j[:, None] * D + columns, mask=real, other=0.0)
        s = tl.where(real, tl.dot(k, q_t, input_precision="ieee") * scale, float("-inf"))
        above = tl.maximum(top, tl.max(s, axis=0, keep_dims=True))
        w = tl.exp(s - above)
        shrink = tl.exp(top - above)
        total = total * shrink + tl.sum(w, axis=0, keep_dims=True)
        v = tl.load(v_ptr + j[:, None] * D + columns, mask=real, other=0.0)
        out_t = out_t * shrink + tl.dot(v.T, w.to(v.dtype), input_precision="ieee")
        top = above
    tl.store(o_ptr + here_t, out_t / total, mask=rows[None, :] < n_q)


def flash_ragged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
