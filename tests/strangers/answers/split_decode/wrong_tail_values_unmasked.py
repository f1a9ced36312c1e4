# Masks the loads of keys but not of values: what lies behind n_b in the cache is read, and NaN there times weight 0 is NaN (lengths that are no multiple of tile_n).
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
    mine = rows < GROUP
    head = (b * kv_heads + kv_head) * GROUP + rows
    q = tl.load(q_ptr + head[:, None] * D + columns[None, :], mask=mine[:, None], other=0.0)
    chunk = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    first = split * chunk
    stop = tl.minimum(first + chunk, n)
    big = tl.full((ROWS,), float("-inf"), tl.float32)
    den = tl.zeros((ROWS,), tl.float32)
    num = tl.zeros((ROWS, D), tl.float32)
    for pos in range(first, stop, TILE_N):
        j = (pos + tl.arange(0, TILE_N)).to(tl.int64)
        k = tl.load(k_ptr + j[:, None] * k_row + columns, mask=(j < stop)[:, None], other=0.0)
        v = tl.load(v_ptr + j[:, None] * v_row + columns)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2 + tl.where(j < stop, 0.0, float("-inf"))[None, :]
        nb = tl.maximum(big, tl.max(s, 1))
        e = tl.exp2(s - nb[:, None])
        r = tl.exp2(big - nb)
        den = den * r + tl.sum(e, 1)
        num = num * r[:, None] + tl.dot(e.to(v.dtype), v, input_precision="ieee")
        big = nb
    den = tl.where(den == 0, 1.0, den)
    there = head * splits + split
    tl.store(o_ptr + there[:, None] * D + columns, num / den[:, None], mask=mine[:, None])
    tl.store(L_ptr + there, (big + tl.log2(den)) * 0.6931471805599453, mask=mine)


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
