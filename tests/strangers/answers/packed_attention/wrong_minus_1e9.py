# Masks with -1e9 instead of -inf: a query that sees no key (causal, N_q > N_k) in a tile that loops gets an average of values and L near -1e9 rather than 0 and -inf.
@triton.jit
def packed_attention_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    kv = tl.program_id(1).to(tl.int64)  # counts the KV heads of all batches
    k_ptr += kv // H_kv * k_batch + kv % H_kv * k_head
    v_ptr += kv // H_kv * v_batch + kv % H_kv * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    t = rows // GROUP
    h = kv * GROUP + rows % GROUP
    q = tl.load(q_ptr + (h * n_q + t)[:, None] * D + columns, mask=(t < n_q)[:, None], other=0.0)
    bound = tl.where(t < n_q, n_k, n_k)
    limit = n_k
    if CAUSAL:
        bound = t + n_k - n_q + 1
        limit = tl.minimum(n_k, (first + TILE_M - 1) // GROUP + n_k - n_q + 1)
    m = tl.full((TILE_M,), -1.0e9, tl.float32)
    for start in range(0, limit, TILE_N):
        c = start + tl.arange(0, TILE_N)
        here = c[:, None] < n_k
        k = tl.load(k_ptr + c[:, None] * k_row + columns, mask=here, other=0.0)
        v = tl.load(v_ptr + c[:, None] * v_row + columns, mask=here, other=0.0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        s = tl.where((c[None, :] < bound[:, None]) & (c[None, :] < n_k), s, -1.0e9)
        m_next = tl.maximum(m, tl.max(s, 1))
        a = tl.exp2(m - m_next)
        p = tl.exp2(s - m_next[:, None])
        l = a * l + tl.sum(p, 1)
        acc = a[:, None] * acc + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_next
    L = tl.where(l == 0, float("-inf"), (m + tl.log2(l)) * 0.6931471805599453)
    tl.store(o_ptr + (h * n_q + t)[:, None] * D + columns, acc / tl.where(l == 0, 1.0, l)[:, None], mask=(t < n_q)[:, None])
    tl.store(L_ptr + h * n_q + t, L, mask=t < n_q)


def packed_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    kv_heads, n_k = k.shape[1:3]
    group = heads // kv_heads
    tile_m = tile_m or min(64, max(16, triton.next_power_of_2(n_q * group)))
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    q = q.contiguous()
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    packed_attention_kernel[(triton.cdiv(n_q * group, tile_m), batch * kv_heads)](
        q, k, v, o, L, kv_heads, n_q, n_k, scale_2, *k.stride()[:3], *v.stride()[:3],
        CAUSAL=causal, GROUP=group, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
