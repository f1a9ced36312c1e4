# the mathematics of a pair of tiles in one helper, loads in the loop around it
@triton.jit
def _pair(dk, dv, k, v, q, do, L_2, delta, seen, scale_2, MASKED: tl.constexpr):
    p = tl.exp2(tl.dot(k, q.T, input_precision="ieee") * scale_2 - L_2[None, :])
    if MASKED:
        p = tl.where(seen, p, 0.0)
    dv = tl.dot(p.to(do.dtype), do, dv, input_precision="ieee")
    ds = p * (tl.dot(v, do.T, input_precision="ieee") - delta[None, :])
    dk = tl.dot(ds.to(q.dtype), q, dk, input_precision="ieee")
    return dk, dv


@triton.jit
def visit_queries(
    dk, dv, k, v, keys, q_desc, do_desc, L_ptr, delta_ptr, b, h, begin, end, n_q, n_k, scale_2,
    MASKED: tl.constexpr,
):  # fmt: skip
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    for start in range(begin, end, TILE_M):
        queries = start + tl.arange(0, TILE_M)
        there = queries < n_q
        q = q_desc.load([b, h, start, 0]).reshape(TILE_M, D)
        do = do_desc.load([b, h, start, 0]).reshape(TILE_M, D)
        L_2 = tl.load(L_ptr + queries, mask=there, other=float("inf")) * 1.4426950408889634
        delta = tl.load(delta_ptr + queries, mask=there, other=0.0)
        seen = keys[:, None] <= queries[None, :] + (n_k - n_q)
        dk, dv = _pair(dk, dv, k, v, q, do, L_2, delta, seen, scale_2, MASKED)
    return dk, dv


@triton.jit
def key_value_gradients_kernel(
    q_desc, k_desc, v_desc, do_desc, dk_desc, dv_desc, L_ptr, delta_ptr, H, n_q, n_k, scale,
    CAUSAL: tl.constexpr,
):  # fmt: skip
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_N
    keys = first + tl.arange(0, TILE_N)
    L_ptr += head.to(tl.int64) * n_q
    delta_ptr += head.to(tl.int64) * n_q
    scale_2 = scale * 1.4426950408889634  # log2(e)
    k = k_desc.load([b, h, first, 0]).reshape(TILE_N, D)
    v = v_desc.load([b, h, first, 0]).reshape(TILE_N, D)
    dk = tl.zeros([TILE_N, D], tl.float32)
    dv = tl.zeros([TILE_N, D], tl.float32)
    whole = 0
    if CAUSAL:
        lag = n_q - n_k  # key j is seen from query j + lag on
        begin = tl.maximum(first + lag, 0) // TILE_M * TILE_M
        last = tl.minimum(first + TILE_N, n_k) - 1
        whole = tl.cdiv(tl.maximum(last + lag, 0), TILE_M) * TILE_M
        dk, dv = visit_queries(
            dk, dv, k, v, keys, q_desc, do_desc, L_ptr, delta_ptr, b, h,
            begin, tl.minimum(whole, n_q), n_q, n_k, scale_2, MASKED=True,
        )  # fmt: skip
    dk, dv = visit_queries(
        dk, dv, k, v, keys, q_desc, do_desc, L_ptr, delta_ptr, b, h,
        whole, n_q, n_q, n_k, scale_2, MASKED=False,
    )  # fmt: skip
    dk_desc.store([b, h, first, 0], (dk * scale).to(dk_desc.dtype).reshape(1, 1, TILE_N, D))
    dv_desc.store([b, h, first, 0], dv.to(dv_desc.dtype).reshape(1, 1, TILE_N, D))


def key_value_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    best_m, best_n, stages = (128 if d <= 64 else 64), 64, 2
    if q.dtype == torch.float32:
        best_m, best_n, stages = 16, 32, 1
    tile_m, tile_n = tile_m or best_m, tile_n or best_n
    q, k, v, do = (x.contiguous() for x in (q, k, v, do))
    dk, dv = torch.empty_like(k), torch.empty_like(v)
    tiles, by_m, by_n = TensorDescriptor.from_tensor, [1, 1, tile_m, d], [1, 1, tile_n, d]
    key_value_gradients_kernel[(triton.cdiv(n_k, tile_n), batch * heads)](
        tiles(q, by_m), tiles(k, by_n), tiles(v, by_n), tiles(do, by_m), tiles(dk, by_n),
        tiles(dv, by_n), L, delta, heads, n_q, n_k, d**-0.5 if scale is None else scale,
        CAUSAL=causal, num_warps=4, num_stages=stages,
    )  # fmt: skip
    return dk, dv
