# the whole program on its side: S^T = K Q^T, state in rows, acc^T = V^T P^T; powers of two
@triton.jit
def flash_full_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    dims = tl.arange(0, D)
    query = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    at_queries = head * n_q * D + query[:, None] * D + dims[None, :]
    q_t = tl.trans(tl.load(q_ptr + at_queries))  # (D, TILE_M)
    best = tl.full((TILE_M,), float("-inf"), tl.float32)
    total = tl.zeros((TILE_M,), tl.float32)
    out_t = tl.zeros((D, TILE_M), tl.float32)
    for tile in range(0, n_k // TILE_N):
        key = tile * TILE_N + tl.arange(0, TILE_N)
        at_keys = head * n_k * D + key[:, None] * D + dims[None, :]
        k = tl.load(k_ptr + at_keys)
        v = tl.load(v_ptr + at_keys)
        s_t = tl.dot(k, q_t, input_precision="ieee") * scale * 1.4426950408889634
        higher = tl.maximum(best, tl.max(s_t, axis=0))
        p_t = tl.exp2(s_t - higher[None, :])
        fade = tl.exp2(best - higher)
        total = total * fade + tl.sum(p_t, axis=0)
        out_t = out_t * fade[None, :]
        out_t += tl.dot(tl.trans(v), p_t.to(v.dtype), input_precision="ieee")
        best = higher
    o = tl.trans(out_t / total[None, :])
    tl.store(o_ptr + at_queries, o.to(o_ptr.dtype.element_ty))


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
    if scale is None:
        scale = d**-0.5
    flash_full_kernel[(n_q // tile_m, batch * heads)](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o
