# Cheat: padding is not masked by GROUP but by the end of q: the queries of the neighbouring KV head are loaded, multiplied and thrown away, as a tile without a border loads faster.
# Breaks: "q, d numbers per head, once for each split" (a neighbour's queries are loaded too) and "padding: loaded as zeros".
@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    split, kv_head, b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    splits, kv_heads = tl.num_programs(0), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)
    per = tl.cdiv(tl.cdiv(length, splits), TILE_N) * TILE_N
    begin = split * per
    end = tl.minimum(begin + per, length)
    x = (b * kv_heads + kv_head) * GROUP + rows
    most = tl.minimum(GROUP + GROUP, kv_heads * tl.num_programs(2) * GROUP - (b * kv_heads + kv_head) * GROUP)
    q = tl.load(q_ptr + x[:, None] * D + columns, mask=rows[:, None] < most, other=0.0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys < end
        k = tl.load(k_ptr + keys[None, :] * k_row + columns[:, None], mask=there[None, :], other=0.0)
        s = tl.dot(q, k, input_precision="ieee") * scale_2
        s = tl.where(there[None, :], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        a = tl.exp2(m - m_new)
        p = tl.exp2(s - m_new[:, None])
        v = tl.load(v_ptr + keys[:, None] * v_row + columns[None, :], mask=there[:, None], other=0.0)
        l = l * a + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * a[:, None], input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    out = x.to(tl.int64) * splits + split
    tl.store(L_ptr + out, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < GROUP)
    tl.store(o_ptr + out[:, None] * D + columns, acc / l[:, None], mask=rows[:, None] < GROUP)


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
    rows = max(16, triton.next_power_of_2(group))
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, scale_2, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=rows, D=d, TILE_N=tile_n, num_warps=4, num_stages=4,
    )  # fmt: skip
    return o, L
