# Counts tiles instead of keys, starts the sums from the first tile's maximum guard-free with where, and loads keys transposed.
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
    tiles = tl.cdiv(tl.cdiv(n, splits), TILE_N)  # of a split
    row = (b * kv_heads + kv_head) * GROUP + rows
    real = (rows < GROUP)[:, None]
    q = tl.load(q_ptr + row[:, None] * D + columns, mask=real, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.full((ROWS,), 0.0, tl.float32)
    acc = tl.full((ROWS, D), 0.0, tl.float32)
    for tile in range(split * tiles, tl.minimum((split + 1) * tiles, tl.cdiv(n, TILE_N))):
        j = tile * TILE_N + tl.arange(0, TILE_N)
        wide = j.to(tl.int64)
        kT = tl.load(k_ptr + wide[None, :] * k_row + columns[:, None], mask=j[None, :] < n, other=0)
        v = tl.load(v_ptr + wide[:, None] * v_row + columns[None, :], mask=j[:, None] < n, other=0)
        s = tl.dot(q, kT, input_precision="ieee") * scale_2 + tl.where(j < n, 0.0, float("-inf"))[None, :]
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp2(s - m_new[:, None])
        a = tl.exp2(m - m_new)
        l = l * a + tl.sum(p, axis=1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    out = row.to(tl.int64) * splits + split
    tl.store(L_ptr + out, tl.where(l > 0, m / 1.4426950408889634 + tl.log(l), float("-inf")), mask=rows < GROUP)
    tl.store(o_ptr + out[:, None] * D + columns, acc / tl.where(l > 0, l, 1.0)[:, None], mask=real)


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
