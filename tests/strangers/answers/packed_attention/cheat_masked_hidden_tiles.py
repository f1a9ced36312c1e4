# bytes: every tile of keys is visited and multiplied, hidden ones too; their loads are masked away, which costs nothing
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
    real = position < n_q
    here = line[:, None] * D + columns[None, :]
    q = tl.load(q_ptr + here, mask=real[:, None], other=0.0)
    end = n_k
    if CAUSAL:
        end = tl.minimum(n_k, (first + TILE_M - 1) // GROUP + 1 + n_k - n_q)
    offset = tl.arange(0, TILE_N).to(tl.int64)
    k_tile = k_ptr + columns[:, None] + offset[None, :] * k_row  # (D, TILE_N)
    v_tile = v_ptr + offset[:, None] * v_row + columns[None, :]  # (TILE_N, D)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = (keys < n_k) & (start < end)
        k_t = tl.load(k_tile, mask=there[None, :], other=0.0)
        v = tl.load(v_tile, mask=there[:, None], other=0.0)
        s = tl.dot(q, k_t, input_precision="ieee") * scale_2
        seen = there[None, :] & (rows[:, None] >= 0)
        if CAUSAL:
            seen = seen & (keys[None, :] <= position[:, None] + (n_k - n_q))
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        p = tl.exp2(s - shift[:, None])
        fade = tl.exp2(m - shift)
        l = l * fade + tl.sum(p, axis=1)
        acc = acc * fade[:, None]
        acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
        k_tile += TILE_N * k_row
        v_tile += TILE_N * v_row
    l = tl.where(l == 0.0, 1.0, l)
    tl.store(o_ptr + here, acc / l[:, None], mask=real[:, None])
    tl.store(L_ptr + line, (m + tl.log2(l)) * 0.6931471805599453, mask=real)


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
