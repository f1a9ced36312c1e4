# Advances the values by k_row as if both caches were laid out alike; shows when k and v come from buffers of different row stride.
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
    head = rows % GROUP
    i = rows // GROUP
    place = ((kv * GROUP + head) * n_q + i)[:, None] * D + columns[None, :]
    exists = (i < n_q)[:, None]
    q = tl.load(q_ptr + place, mask=exists, other=0.0)
    stop = n_k
    if CAUSAL:
        stop = tl.minimum(n_k, (first + TILE_M - 1) // GROUP + 1 + n_k - n_q)
    for start in range(0, stop, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        offset = keys[:, None] * k_row + columns[None, :]
        valid = keys[:, None] < n_k
        k, v = tl.load(k_ptr + offset, mask=valid, other=0.0), tl.load(v_ptr + offset, mask=valid, other=0.0)
        qk = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        ok = keys[None, :] < n_k
        if CAUSAL:
            ok = ok & (keys[None, :] <= i[:, None] + n_k - n_q)
        qk = tl.where(ok, qk, float("-inf"))
        m_ij = tl.maximum(m, tl.max(qk, 1))
        safe = tl.where(m_ij == float("-inf"), 0.0, m_ij)
        p = tl.exp2(qk - safe[:, None])
        alpha = tl.exp2(m - safe)
        l = l * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_ij
    lse = (m + tl.log2(l)) * 0.6931471805599453
    acc = acc / tl.where(l == 0, 1.0, l)[:, None]
    tl.store(o_ptr + place, acc.to(q.dtype), mask=exists)
    tl.store(L_ptr + (kv * GROUP + head) * n_q + i, lse, mask=i < n_q)


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
