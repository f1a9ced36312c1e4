# lying on its side: dQ^T (d, TILE_M) = sum of K^T dS^T, strided pointers without copies, one loop, the mask in the exponent; right
@triton.jit
def query_gradients_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, dq_ptr, L_ptr, delta_ptr, H, n_q, n_k, scale,
    qb, qh, qn, qc, kb, kh, kn, kc, vb, vh, vn, vc, gb, gh, gn, gc,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    b, h = head // H, head % H
    k_ptr += b * kb + h * kh
    v_ptr += b * vb + h * vh
    first = tl.program_id(0) * TILE_M
    i = first + tl.arange(0, TILE_M)
    wide = i.to(tl.int64)[None, :]
    c = tl.arange(0, D).to(tl.int64)
    real = (i < n_q)[None, :]
    q = tl.load(q_ptr + b * qb + h * qh + wide * qn + c[:, None] * qc, mask=real, other=0.0)
    do = tl.load(do_ptr + b * gb + h * gh + wide * gn + c[:, None] * gc, mask=real, other=0.0)
    L = tl.load(L_ptr + head * n_q + i, mask=i < n_q, other=0.0)[None, :]
    delta = tl.load(delta_ptr + head * n_q + i, mask=i < n_q, other=0.0)[None, :]
    dq = tl.zeros([D, TILE_M], tl.float32)
    end = n_k
    if CAUSAL:
        end = tl.minimum(n_k, tl.maximum(0, tl.minimum(first + TILE_M, n_q) + n_k - n_q))
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        is_key = (keys < n_k)[:, None]
        at = keys.to(tl.int64)[:, None]
        k = tl.load(k_ptr + at * kn + c[None, :] * kc, mask=is_key, other=0.0)
        v = tl.load(v_ptr + at * vn + c[None, :] * vc, mask=is_key, other=0.0)
        seen = is_key & real
        if CAUSAL:
            seen = seen & (keys[:, None] <= i[None, :] + n_k - n_q)
        s = scale * tl.dot(k, q, input_precision="ieee")
        p = tl.exp(tl.where(seen, s - L, float("-inf")))
        ds = p * (tl.dot(v, do, input_precision="ieee") - delta)
        dq += tl.dot(tl.trans(k), ds.to(k.dtype), input_precision="ieee")
    out = (head * n_q + wide) * D + c[:, None]
    tl.store(dq_ptr + out, (scale * dq).to(dq_ptr.dtype.element_ty), mask=real)


def query_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> Tensor:  # fmt: skip
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    tile_m, tile_n = tile_m or 32, tile_n or 32
    dq = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    query_gradients_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, do, dq, L, delta, heads, n_q, n_k, d**-0.5 if scale is None else scale,
        *q.stride(), *k.stride(), *v.stride(), *do.stride(),
        CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n, num_stages=1,
    )  # fmt: skip
    return dq
