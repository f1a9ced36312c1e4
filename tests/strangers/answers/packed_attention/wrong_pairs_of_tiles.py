# Causal tiles in pairs, the first with the last, to balance them; the contract asks for one program for each tile.
@triton.jit
def tile_of(
    tile, kv, q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    k_ptr += kv // H_kv * k_batch + kv % H_kv * k_head
    v_ptr += kv // H_kv * v_batch + kv % H_kv * v_head
    rows = tile * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    real = rows < n_q * GROUP
    at = (kv * GROUP + rows % GROUP) * n_q + rows // GROUP
    q = tl.load(q_ptr + at[:, None] * D + columns, mask=real[:, None], other=0.0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    last = tl.full((TILE_M,), 0, tl.int32) + n_k - 1
    end = n_k
    if CAUSAL:
        last = rows // GROUP + n_k - n_q
        bottom = tl.minimum(tile * TILE_M + TILE_M, n_q * GROUP) - 1
        end = tl.maximum(0, tl.minimum(n_k, bottom // GROUP + n_k - n_q + 1))
    for step in range(0, tl.cdiv(end, TILE_N)):
        start = step * TILE_N
        keys = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + keys[:, None].to(tl.int64) * k_row + columns, mask=keys[:, None] < n_k, other=0.0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        s = tl.where((keys[None, :] <= last[:, None]) & (keys[None, :] < n_k), s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - base)
        p = tl.exp2(s - base[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        v = tl.load(v_ptr + keys[:, None].to(tl.int64) * v_row + columns, mask=keys[:, None] < n_k, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    o = acc / tl.where(l == 0, 1.0, l)[:, None]
    tl.store(o_ptr + at[:, None] * D + columns, o, mask=real[:, None])
    tl.store(L_ptr + at, (m + tl.log2(l)) * 0.6931471805599453, mask=real)


@triton.jit
def packed_attention_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row, tiles, work,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    kv = tl.program_id(1).to(tl.int64)
    i = tl.program_id(0)
    tile_of(
        i, kv, q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale_2,
        k_batch, k_head, k_row, v_batch, v_head, v_row, CAUSAL, GROUP, D, TILE_M, TILE_N,
    )
    if CAUSAL:
        if tiles - 1 - i > i:
            tile_of(
                tiles - 1 - i, kv, q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale_2,
                k_batch, k_head, k_row, v_batch, v_head, v_row, CAUSAL, GROUP, D, TILE_M, TILE_N,
            )


def packed_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None,
    tile_m: int | None = None, tile_n: int | None = None,
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
    tiles = triton.cdiv(n_q * group, tile_m)
    work = tiles * batch * kv_heads
    packed_attention_kernel[(triton.cdiv(tiles, 2) if causal else tiles, batch * kv_heads)](
        q, k, v, o, L, kv_heads, n_q, n_k, scale_2, *k.stride()[:3], *v.stride()[:3], tiles, work,
        CAUSAL=causal, GROUP=group, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )
    return o, L
