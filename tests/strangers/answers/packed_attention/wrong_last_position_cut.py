# Wrong: ends the causal loop at (first + TILE_M) // GROUP keys of the chunk instead of (first + TILE_M - 1) // GROUP + 1, so where GROUP does not divide the tile border (groups of 3, 5, 7) and the last seen key opens a new tile of keys (e.g. g = 3, tile_m = tile_n = 16, N_k - N_q = 11, N_q >= 6) that key is lost.
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
    place = (kv * GROUP + rows % GROUP) * n_q + pos
    exists = rows < n_q * GROUP
    q = tl.load(q_ptr + place[:, None] * D + columns, mask=exists[:, None], other=0.0)
    limit = n_k
    if CAUSAL:
        limit = tl.minimum((first + TILE_M) // GROUP + n_k - n_q, n_k)
    for lo in range(0, limit, TILE_N):
        cols = lo + tl.arange(0, TILE_N)
        far = cols[:, None].to(tl.int64)
        inside = cols[:, None] < n_k
        k = tl.load(k_ptr + far * k_row + columns, mask=inside, other=0.0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(cols[None, :] < n_k, s, float("-inf"))
        if CAUSAL:
            s = tl.where(cols[None, :] <= pos[:, None] + n_k - n_q, s, float("-inf"))
        top = tl.maximum(m, tl.max(s, 1))
        safe = tl.where(top == float("-inf"), 0.0, top)
        alpha = tl.exp2(m - safe)
        p = tl.exp2(s - safe[:, None])
        v = tl.load(v_ptr + far * v_row + columns, mask=inside, other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        l = l * alpha + tl.sum(p, 1)
        m = top
    l = tl.where(l > 0, l, 1.0)
    tl.store(o_ptr + place[:, None] * D + columns, acc / l[:, None], mask=exists[:, None])
    tl.store(L_ptr + place, (m + tl.log2(l)) * 0.6931471805599453, mask=exists)


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
