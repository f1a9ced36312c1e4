# Multiplies the scale into q and rounds back to q's dtype before the loop, as the old Triton tutorial does; in float16/bfloat16 large scores lose digits (and can overflow).
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
    position = rows // GROUP
    line = (kv * GROUP + rows % GROUP) * n_q + position
    q = tl.load(q_ptr + line[:, None] * D + columns[None, :], mask=position[:, None] < n_q, other=0)
    q = (q * scale_2).to(q.dtype)
    offs_n = tl.arange(0, TILE_N)
    if CAUSAL:
        hi = tl.minimum(n_k, (first + TILE_M - 1) // GROUP + 1 + n_k - n_q)
    else:
        hi = n_k
    for start_n in range(0, hi, TILE_N):
        cols = start_n + offs_n
        k = tl.load(k_ptr + cols[None, :] * k_row + columns[:, None], mask=cols[None, :] < n_k, other=0)
        qk = tl.dot(q, k, input_precision="ieee")
        keep = cols[None, :] < n_k
        if CAUSAL:
            keep &= position[:, None] + n_k - n_q >= cols[None, :]
        qk = tl.where(keep, qk, float("-inf"))
        m_ij = tl.maximum(tl.max(qk, 1), m)
        m_use = tl.where(m_ij == float("-inf"), 0, m_ij)
        p = tl.math.exp2(qk - m_use[:, None])
        alpha = tl.math.exp2(m - m_use)
        acc *= alpha[:, None]
        v = tl.load(v_ptr + cols[:, None] * v_row + columns[None, :], mask=cols[:, None] < n_k, other=0)
        acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l = l * alpha + tl.sum(p, 1)
        m = m_ij
    o = acc / tl.where(l > 0, l, 1.0)[:, None]
    tl.store(o_ptr + line[:, None] * D + columns[None, :], o, mask=position[:, None] < n_q)
    tl.store(L_ptr + line, (m + tl.math.log2(l)) * 0.6931471805599453, mask=position < n_q)


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
