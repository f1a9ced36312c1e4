# By the strides of q, k, v and do, without a copy; transposed, one masked loop.
@triton.jit
def tile_of_queries(
    tile, head, q_ptr, k_ptr, v_ptr, do_ptr, dq_ptr, L_ptr, delta_ptr, H, qb, qh, qn, qd, kb, kh, kn, kd, vb, vh, vn, vd, ob, oh, on, od, n_q, n_k, scale,
    CAUSAL: tl.constexpr, D: tl.constexpr, WIDE: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    first = tile * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, WIDE)
    to_q, to_k = head.to(tl.int64) * n_q, head.to(tl.int64) * n_k
    b, h = head // H, head % H
    here = (to_q + rows[:, None]) * D + columns
    q_at = b * qb + h * qh + rows[:, None] * qn + columns * qd
    do_at = b * ob + h * oh + rows[:, None] * on + columns * od
    mine = (rows[:, None] < n_q) & (columns < D)
    q = tl.load(q_ptr + q_at, mask=mine, other=0.0)
    do = tl.load(do_ptr + do_at, mask=mine, other=0.0)
    L = tl.load(L_ptr + to_q + rows, mask=rows < n_q, other=0.0)
    delta = tl.load(delta_ptr + to_q + rows, mask=rows < n_q, other=0.0)
    dq = tl.zeros((TILE_M, WIDE), tl.float32)
    end = n_k
    if CAUSAL:
        end = tl.maximum(0, tl.minimum(n_k, tl.minimum(first + TILE_M, n_q) + n_k - n_q))
    tiles = tl.cdiv(end, TILE_N)
    for step in range(0, tiles):
        keys = (step) * TILE_N + tl.arange(0, TILE_N)
        k_at = b * kb + h * kh + keys[:, None] * kn + columns * kd
        v_at = b * vb + h * vh + keys[:, None] * vn + columns * vd
        real = (keys[:, None] < n_k) & (columns < D)
        k = tl.load(k_ptr + k_at, mask=real, other=0.0)
        v = tl.load(v_ptr + v_at, mask=real, other=0.0)
        s = tl.dot(k, q.T, input_precision="ieee") * scale
        seen = (keys[:, None] < n_k) & (rows[None, :] < n_q)
        if CAUSAL:
            seen = seen & (keys[:, None] <= rows[None, :] + n_k - n_q)
        p = tl.where(seen, tl.exp(s - L[None, :]), 0.0)
        ds = p * (tl.dot(v, do.T, input_precision="ieee") - delta[None, :])
        dq += tl.dot(ds.to(k.dtype).T, k, input_precision="ieee")
    tl.store(dq_ptr + here, dq * scale, mask=mine)


@triton.jit
def query_gradients_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, dq_ptr, L_ptr, delta_ptr, H, qb, qh, qn, qd, kb, kh, kn, kd, vb, vh, vn, vd, ob, oh, on, od, n_q, n_k, scale, work,
    CAUSAL: tl.constexpr, D: tl.constexpr, WIDE: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    tile_of_queries(
        tl.program_id(0), tl.program_id(1), q_ptr, k_ptr, v_ptr, do_ptr, dq_ptr, L_ptr, delta_ptr, H, qb, qh, qn, qd, kb, kh, kn, kd, vb, vh, vn, vd, ob, oh, on, od, n_q, n_k, scale,
        CAUSAL, D, WIDE, TILE_M, TILE_N,
    )


def query_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> Tensor:
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    tile_m, tile_n = tile_m or 32, tile_n or 32
    dq = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    tiles = triton.cdiv(n_q, tile_m)
    query_gradients_kernel[(tiles, batch * heads)](
        q, k, v, do, dq, L, delta, heads, *q.stride(), *k.stride(), *v.stride(), *do.stride(), n_q, n_k, d**-0.5 if scale is None else scale, tiles * batch * heads,
        CAUSAL=causal, D=d, WIDE=max(16, triton.next_power_of_2(d)), TILE_M=tile_m, TILE_N=tile_n,
    )
    return dq
