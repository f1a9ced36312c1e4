# a single kernel without helper and descriptors: strided pointers, natural exponentials, one loop that always masks; nothing is copied; right
@triton.jit
def key_value_gradients_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, dk_ptr, dv_ptr, L_ptr, delta_ptr, H, n_q, n_k, scale,
    qb, qh, qn, qc, kb, kh, kn, kc, vb, vh, vn, vc, gb, gh, gn, gc,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    b, h = head // H, head % H
    q_ptr += b * qb + h * qh
    k_ptr += b * kb + h * kh
    v_ptr += b * vb + h * vh
    do_ptr += b * gb + h * gh
    L_ptr += head * n_q
    delta_ptr += head * n_q
    first = tl.program_id(0) * TILE_N
    keys = first + tl.arange(0, TILE_N)
    at, c = keys.to(tl.int64)[:, None], tl.arange(0, D).to(tl.int64)[None, :]
    is_key = (keys < n_k)[:, None]
    k = tl.load(k_ptr + at * kn + c * kc, mask=is_key, other=0.0)
    v = tl.load(v_ptr + at * vn + c * vc, mask=is_key, other=0.0)
    dk = tl.zeros([TILE_N, D], tl.float32)
    dv = tl.zeros([TILE_N, D], tl.float32)
    begin = 0
    if CAUSAL:
        begin = tl.maximum(0, first - (n_k - n_q)) // TILE_M * TILE_M
    for start in range(begin, n_q, TILE_M):
        i = start + tl.arange(0, TILE_M)
        line, is_query = i.to(tl.int64)[:, None], (i < n_q)[:, None]
        q = tl.load(q_ptr + line * qn + c * qc, mask=is_query, other=0.0)
        do = tl.load(do_ptr + line * gn + c * gc, mask=is_query, other=0.0)
        L = tl.load(L_ptr + i, mask=i < n_q, other=0.0)
        delta = tl.load(delta_ptr + i, mask=i < n_q, other=0.0)
        seen = is_key & (i < n_q)[None, :]
        if CAUSAL:
            seen = seen & (keys[:, None] - i[None, :] <= n_k - n_q)
        s = scale * tl.dot(k, tl.trans(q), input_precision="ieee")
        p = tl.exp(tl.where(seen, s - L[None, :], float("-inf")))
        dv += tl.dot(p.to(do.dtype), do, input_precision="ieee")
        ds = p * (tl.dot(v, tl.trans(do), input_precision="ieee") - delta[None, :])
        dk += tl.dot(ds.to(q.dtype), q, input_precision="ieee")
    out = (head * n_k + keys)[:, None] * D + c
    tl.store(dk_ptr + out, (scale * dk).to(dk_ptr.dtype.element_ty), mask=is_key)
    tl.store(dv_ptr + out, dv.to(dv_ptr.dtype.element_ty), mask=is_key)


def key_value_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    tile_m, tile_n = tile_m or 32, tile_n or 32
    dk = torch.empty(k.shape, dtype=k.dtype, device=k.device)
    dv = torch.empty(v.shape, dtype=v.dtype, device=v.device)
    key_value_gradients_kernel[(triton.cdiv(n_k, tile_n), batch * heads)](
        q, k, v, do, dk, dv, L, delta, heads, n_q, n_k, d**-0.5 if scale is None else scale,
        *q.stride(), *k.stride(), *v.stride(), *do.stride(),
        CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n, num_stages=1,
    )  # fmt: skip
    return dk, dv
