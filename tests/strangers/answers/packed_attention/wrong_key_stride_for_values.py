# Wrong: computes one offset per key with k_row and uses it for the values too, so v with a row stride of its own (v contiguous and k a view of another layout, or the other way round) is read from wrong places; equal layouts are right.
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
    i = rows // GROUP
    j = rows % GROUP
    line = (kv * GROUP + j) * n_q + i
    ok = i < n_q
    q_offs = line[:, None] * D + columns[None, :]
    q = tl.load(q_ptr + q_offs, mask=ok[:, None], other=0.0)
    last = i + n_k - n_q
    hi = n_k
    if CAUSAL:
        hi = tl.minimum(n_k, (first + TILE_M - 1) // GROUP + 1 + n_k - n_q)
    offs_n = tl.arange(0, TILE_N)
    for start_n in range(0, hi, TILE_N):
        n = start_n + offs_n
        kv_offs = n[:, None].to(tl.int64) * k_row + columns[None, :]
        k = tl.load(k_ptr + kv_offs, mask=n[:, None] < n_k, other=0.0)
        v = tl.load(v_ptr + kv_offs, mask=n[:, None] < n_k, other=0.0)
        qk = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        if CAUSAL:
            qk = tl.where((n[None, :] <= last[:, None]) & (n[None, :] < n_k), qk, float("-inf"))
        else:
            qk = tl.where(n[None, :] < n_k, qk, float("-inf"))
        m_ij = tl.maximum(m, tl.max(qk, 1))
        m_safe = tl.where(m_ij == float("-inf"), 0.0, m_ij)
        p = tl.exp2(qk - m_safe[:, None])
        alpha = tl.exp2(m - m_safe)
        l = l * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_ij
    empty = l == 0.0
    l = tl.where(empty, 1.0, l)
    tl.store(o_ptr + q_offs, acc / l[:, None], mask=ok[:, None])
    lse = tl.where(empty, float("-inf"), (m + tl.log2(l)) * 0.69314718056)
    tl.store(L_ptr + line, lse, mask=ok)


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
