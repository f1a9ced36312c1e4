# wrong: k and v are made contiguous in the launcher (copies of the caches: memory, and the slots behind the lengths are read)
@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)
    keys_per_split = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * keys_per_split
    end = tl.minimum(begin + keys_per_split, n)
    line = (b * kv_heads + kv_head) * GROUP + rows
    q = tl.load(q_ptr + line[:, None] * D + columns, mask=rows[:, None] < GROUP, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] < end
        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=there, other=0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=there, other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(keys[None, :] < end, s, float("-inf"))
        m_new = tl.maximum(m, scale_2 * tl.max(s, axis=1))
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(scale_2 * s - m_new[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = alpha[:, None] * acc + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    L = tl.where(l == 0.0, float("-inf"), (m + tl.log2(l)) * 0.6931471805599453)
    l = tl.where(l == 0.0, 1.0, l)
    place = line.to(tl.int64) * splits + split
    tl.store(o_ptr + place[:, None] * D + columns, acc / l[:, None], mask=rows[:, None] < GROUP)
    tl.store(L_ptr + place, L, mask=rows < GROUP)


def split_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    splits: int,
    scale: float | None = None,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    k, v = k.contiguous(), v.contiguous()
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
    )
    return o, L
