# keys down, queries across: scores stand transposed, a reduction runs down the columns
@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2).to(tl.int64)
    n = tl.load(lengths_ptr + b)
    k_ptr += b * k_batch + kv_head.to(tl.int64) * k_head
    v_ptr += b * v_batch + kv_head.to(tl.int64) * v_head
    dims = tl.arange(0, D)
    member = tl.arange(0, ROWS)
    used = member < GROUP
    query = (b * kv_heads + kv_head) * GROUP + member  # counts the heads of all sequences

    share = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * share
    end = tl.minimum(begin + share, n)

    q = tl.load(q_ptr + query[:, None] * D + dims[None, :], mask=used[:, None], other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        inside = (keys < end)[:, None]
        k = tl.load(k_ptr + keys[:, None] * k_row + dims[None, :], mask=inside, other=0)
        v = tl.load(v_ptr + keys[:, None] * v_row + dims[None, :], mask=inside, other=0)
        s = tl.dot(k, q.T, input_precision="ieee") * scale_2  # (TILE_N, ROWS)
        s = tl.where(inside, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=0))
        fade = tl.exp2(m - m_new)
        p = tl.exp2(s - m_new[None, :])
        l = l * fade + tl.sum(p, axis=0)
        acc = tl.dot(tl.trans(p.to(v.dtype)), v, acc * fade[:, None], input_precision="ieee")
        m = m_new

    at = query * splits + split
    o = acc / tl.where(l == 0.0, 1.0, l)[:, None]
    tl.store(o_ptr + at[:, None] * D + dims[None, :], o, mask=used[:, None])
    tl.store(L_ptr + at, (m + tl.log2(l)) * 0.6931471805599453, mask=used)


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
    rows = max(16, triton.next_power_of_2(group))  # the height of a matrix instruction
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, scale_2, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=rows, D=d, TILE_N=tile_n, num_warps=4, num_stages=4,
    )  # fmt: skip
    return o, L
