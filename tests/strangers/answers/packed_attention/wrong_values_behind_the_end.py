# Wrong: masks the load of K but not that of V, so that slots behind the N_k keys of a longer cache (NaN there is legal) come in as 0 * NaN; right for tame slots or N_k a multiple of tile_n.
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
    offs_pos = rows // GROUP
    offs_q = (kv * GROUP + rows % GROUP) * n_q + offs_pos
    row_ok = offs_pos < n_q
    q = tl.load(q_ptr + offs_q[:, None] * D + columns[None, :], mask=row_ok[:, None], other=0.0)
    hi = n_k
    if CAUSAL:
        hi = tl.minimum((first + TILE_M - 1) // GROUP + 1 + n_k - n_q, n_k)
    offs_n = tl.arange(0, TILE_N)
    for start_n in range(0, hi, TILE_N):
        cur = start_n + offs_n
        k = tl.load(k_ptr + cur[None, :] * k_row + columns[:, None], mask=cur[None, :] < n_k, other=0.0)
        qk = tl.dot(q, k, input_precision="ieee") * scale_2
        keep = cur[None, :] < n_k
        if CAUSAL:
            keep = keep & (cur[None, :] <= offs_pos[:, None] + n_k - n_q)
        qk = tl.where(keep, qk, float("-inf"))
        m_ij = tl.maximum(m, tl.max(qk, 1))
        m_use = tl.where(m_ij == float("-inf"), 0.0, m_ij)
        p = tl.exp2(qk - m_use[:, None])
        alpha = tl.exp2(m - m_use)
        l = l * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + cur[:, None] * v_row + columns[None, :])  # p is 0 past the end
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_ij
    l_i = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + offs_q[:, None] * D + columns[None, :], acc / l_i[:, None], mask=row_ok[:, None])
    tl.store(L_ptr + offs_q, (m + tl.log2(l_i)) / 1.4426950408889634, mask=row_ok)


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
