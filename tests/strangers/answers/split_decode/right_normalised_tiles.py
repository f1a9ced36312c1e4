# Right: carries an output that is normalised after every tile, merging each tile like a block of keys of its own (maximum, sum, output).
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
    length = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * length
    end = tl.minimum(begin + length, n)
    head = (b * kv_heads + kv_head).to(tl.int64) * GROUP + rows
    mine = (rows < GROUP)[:, None]
    q = tl.load(q_ptr + head[:, None] * D + columns[None, :], mask=mine, other=0.0)
    o = tl.zeros((ROWS, D), tl.float32)
    top = tl.full((ROWS,), float("-inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)  # of 2^(score - top)
    for start in range(begin, end, TILE_N):
        keys = (start + tl.arange(0, TILE_N)).to(tl.int64)
        inside = keys < end
        k = tl.load(k_ptr + keys[:, None] * k_row + columns[None, :], mask=inside[:, None], other=0.0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns[None, :], mask=inside[:, None], other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where(inside[None, :], s, float("-inf"))
        tile_top = tl.max(s, axis=1)  # finite: a tile has a key at least
        p = tl.exp2(s - tile_top[:, None])
        both = tl.maximum(top, tile_top)
        before = total * tl.exp2(top - both)
        factor = tl.exp2(tile_top - both)
        total = before + factor * tl.sum(p, axis=1)
        product = tl.dot(p.to(v.dtype), v, input_precision="ieee")
        o = (o * before[:, None] + product * factor[:, None]) / total[:, None]
        top = both
    line = head * splits + split
    lse = top + tl.log2(tl.where(total == 0.0, 1.0, total))
    tl.store(o_ptr + line[:, None] * D + columns[None, :], o, mask=mine)
    tl.store(L_ptr + line, lse * 0.6931471805599453, mask=rows < GROUP)


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
