# everything transposed, dq^T = K^T dS^T as the sum, tiles of keys from the last visible one down to the first, mask decided per tile
@triton.jit
def _score_gradients_t(s_t, dp_t, L, delta, seen):
    p_t = tl.where(seen, tl.exp2(tl.where(seen, s_t - L[None, :], 0.0)), 0.0)
    return p_t * (dp_t - delta[None, :])


@triton.jit
def query_gradients_kernel(
    q_desc, k_desc, v_desc, do_desc, dq_desc, L_ptr, delta_ptr, H, n_q, n_k, scale,
    CAUSAL: tl.constexpr,
):  # fmt: skip
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    LOG2E: tl.constexpr = 1.4426950408889634
    tile = tl.program_id(0)
    if CAUSAL:
        tile = tl.num_programs(0) - 1 - tile
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tile * TILE_M
    rows = first + tl.arange(0, TILE_M)
    at = head.to(tl.int64) * n_q + rows
    L = tl.load(L_ptr + at, mask=rows < n_q, other=0.0) * LOG2E
    delta = tl.load(delta_ptr + at, mask=rows < n_q, other=0.0)
    q_t = tl.trans(q_desc.load([b, h, first, 0]).reshape(TILE_M, D))
    do_t = tl.trans(do_desc.load([b, h, first, 0]).reshape(TILE_M, D))
    dq_t = tl.zeros([D, TILE_M], tl.float32)
    most = n_k
    if CAUSAL:
        most = tl.minimum(tl.maximum(first + TILE_M + n_k - n_q, 0), n_k)
    tiles = tl.cdiv(most, TILE_N)
    for step in range(0, tiles):
        start = (tiles - 1 - step) * TILE_N
        keys = start + tl.arange(0, TILE_N)
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        seen = (keys[:, None] < n_k) & (rows[None, :] < n_q)
        if CAUSAL:
            seen = seen & (keys[:, None] <= (rows + n_k - n_q)[None, :])
        s_t = tl.dot(k, q_t, input_precision="ieee") * (scale * LOG2E)
        dp_t = tl.dot(v, do_t, input_precision="ieee")
        ds_t = _score_gradients_t(s_t, dp_t, L, delta, seen)
        dq_t = tl.dot(tl.trans(k), ds_t.to(k.dtype), dq_t, input_precision="ieee")
    dq = tl.trans(dq_t) * scale
    dq_desc.store([b, h, first, 0], dq.to(dq_desc.dtype).reshape(1, 1, TILE_M, D))


def query_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> Tensor:  # fmt: skip
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    best_m, best_n, stages = (32, 16, 1) if q.dtype == torch.float32 else (64, 64, 2)
    tile_m, tile_n = tile_m or best_m, tile_n or best_n
    q, k, v, do = (x.contiguous() for x in (q, k, v, do))
    dq = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    block_m, block_n = [1, 1, tile_m, d], [1, 1, tile_n, d]
    describe = TensorDescriptor.from_tensor
    query_gradients_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        describe(q, block_m), describe(k, block_n), describe(v, block_n), describe(do, block_m),
        describe(dq, block_m), L, delta, heads, n_q, n_k, d**-0.5 if scale is None else scale,
        CAUSAL=bool(causal), num_warps=4, num_stages=stages,
    )  # fmt: skip
    return dq
