# Wrong: loads whole tiles of values without a mask, relying on the weights 0 behind the last key, so what lies behind a length in v is read, and NaN or inf there makes o NaN (lengths that are no multiple of tile_n); clean caches are right.
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
    query = (b * kv_heads + kv_head) * GROUP + rows
    q = tl.load(q_ptr + query[:, None] * D + columns, mask=rows[:, None] < GROUP, other=0)
    per = TILE_N * tl.cdiv(tl.cdiv(n, splits), TILE_N)
    begin = per * split
    end = tl.minimum(n, begin + per)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    tile = tl.arange(0, TILE_N)
    for t in range(begin, end, TILE_N):
        j = (t + tile).to(tl.int64)
        valid = j < end
        k = tl.load(k_ptr + j[:, None] * k_row + columns, mask=valid[:, None], other=0)
        s = tl.where(valid[None, :], tl.dot(q, k.T, input_precision="ieee") * scale_2, float("-inf"))
        m_next = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp2(s - m_next[:, None])
        a = tl.exp2(m - m_next)
        l = a * l + tl.sum(p, axis=1)
        v = tl.load(v_ptr + j[:, None] * v_row + columns)  # weights behind the end are 0
        acc = tl.dot(p.to(v.dtype), v, acc * a[:, None], input_precision="ieee")
        m = m_next
    l = tl.where(l == 0, 1.0, l)
    here = query * splits + split
    tl.store(L_ptr + here, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < GROUP)
    tl.store(o_ptr + here[:, None] * D + columns, acc / l[:, None], mask=rows[:, None] < GROUP)


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
