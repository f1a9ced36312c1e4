# Wrong: the running maximum starts at 0 instead of -inf, so splits whose scores all lie below about -150 (base 2) lose every weight and come out as o = 0, L = -inf; tame scores and empty splits are right.
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
    keys_per_split = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * keys_per_split
    end = tl.minimum(begin + keys_per_split, n)
    query = (b * kv_heads + kv_head) * GROUP + rows
    valid = rows < GROUP
    q = tl.load(q_ptr + query[:, None] * D + columns, mask=valid[:, None], other=0)
    acc = tl.zeros((ROWS, D), dtype=tl.float32)
    m_i = tl.zeros((ROWS,), dtype=tl.float32)
    l_i = tl.zeros((ROWS,), dtype=tl.float32)
    for start in range(begin, end, TILE_N):
        offs = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + offs[None, :] * k_row + columns[:, None], mask=offs[None, :] < end, other=0)
        qk = tl.dot(q, k, input_precision="ieee") * scale_2
        qk = tl.where(offs[None, :] < end, qk, float("-inf"))
        m_new = tl.maximum(m_i, tl.max(qk, 1))
        alpha = tl.exp2(m_i - m_new)
        p = tl.exp2(qk - m_new[:, None])
        v = tl.load(v_ptr + offs[:, None] * v_row + columns[None, :], mask=offs[:, None] < end, other=0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l_i = l_i * alpha + tl.sum(p, 1)
        m_i = m_new
    L = tl.where(l_i > 0, (m_i + tl.log2(l_i)) * 0.6931471805599453, float("-inf"))
    acc = acc / tl.where(l_i > 0, l_i, 1.0)[:, None]
    out = query * splits + split
    tl.store(o_ptr + out[:, None] * D + columns, acc, mask=valid[:, None])
    tl.store(L_ptr + out, L, mask=valid)


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
