# upright tiles S = Q K^T with transposed left factors, one loop from the first tile of queries that sees a key, mask decided per tile, natural exponent by exp; sums grow through the third argument of tl.dot
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
    statistics = head.to(tl.int64) * n_q
    k_t = tl.trans(k_desc.load([b, h, first, 0]).reshape(TILE_N, D))
    v_t = tl.trans(v_desc.load([b, h, first, 0]).reshape(TILE_N, D))
    dk = tl.zeros([TILE_N, D], tl.float32)
    dv = tl.zeros([TILE_N, D], tl.float32)
    shift = 0
    tile = 0
    if CAUSAL:
        shift = n_k - n_q
        tile = tl.maximum(first - shift, 0) // TILE_M
    for number in range(tile, tl.cdiv(n_q, TILE_M)):
        start = number * TILE_M
        rows = start + tl.arange(0, TILE_M)
        real = rows < n_q
        q = q_desc.load([b, h, start, 0]).reshape(TILE_M, D)
        do = do_desc.load([b, h, start, 0]).reshape(TILE_M, D)
        L = tl.load(L_ptr + statistics + rows, mask=real, other=0.0)
        delta = tl.load(delta_ptr + statistics + rows, mask=real, other=0.0)
        s = tl.dot(q, k_t, input_precision="ieee") * scale
        seen = real[:, None] & (keys < n_k)[None, :]
        if CAUSAL:
            seen = seen & (keys[None, :] <= (rows + shift)[:, None])
        p = tl.where(seen, tl.exp(tl.where(seen, s - L[:, None], 0.0)), 0.0)
        dv = tl.dot(tl.trans(p.to(do.dtype)), do, dv, input_precision="ieee")
        dp = tl.dot(do, v_t, input_precision="ieee")
        ds = p * (dp - delta[:, None])
        dk = tl.dot(tl.trans(ds.to(q.dtype)), q, dk, input_precision="ieee")
    dk_desc.store([b, h, first, 0], (dk * scale).to(dk_desc.dtype).reshape(1, 1, TILE_N, D))
    dv_desc.store([b, h, first, 0], dv.to(dv_desc.dtype).reshape(1, 1, TILE_N, D))


def key_value_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    if q.dtype == torch.float32:
        best_m, best_n, stages = 16, 32, 1
    else:
        best_m, best_n, stages = (128 if d <= 64 else 64), 64, 2
    tile_m = best_m if tile_m is None else tile_m
    tile_n = best_n if tile_n is None else tile_n
    q, k, v, do = (x.contiguous() for x in (q, k, v, do))
    dk = torch.empty(k.shape, dtype=k.dtype, device=k.device)
    dv = torch.empty(v.shape, dtype=v.dtype, device=v.device)

    def tiles(x, rows):
        return TensorDescriptor(x, list(x.shape), list(x.stride()), [1, 1, rows, d])

    key_value_gradients_kernel[(triton.cdiv(n_k, tile_n), batch * heads)](
        tiles(q, tile_m), tiles(k, tile_n), tiles(v, tile_n), tiles(do, tile_m),
        tiles(dk, tile_n), tiles(dv, tile_n), L, delta, heads, n_q, n_k,
        d**-0.5 if scale is None else scale, CAUSAL=bool(causal), num_warps=4, num_stages=stages,
    )  # fmt: skip
    return dk, dv
