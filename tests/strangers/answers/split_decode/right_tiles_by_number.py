# Right: counts tiles, not keys; keys stand in rows and query heads in columns, natural exponents.
@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: the query heads of one KV head meet one split of a sequence's keys."""
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head  # can pass 2^31
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)  # the first GROUP are query heads, the others fill the tile
    tiles = tl.cdiv(tl.cdiv(n, splits), TILE_N)  # of one split
    low = split * tiles
    high = tl.minimum(low + tiles, tl.cdiv(n, TILE_N))
    line = (b * kv_heads + kv_head).to(tl.int64) * GROUP + rows
    real = rows < GROUP
    qT = tl.load(q_ptr + line[None, :] * D + columns[:, None], mask=real[None, :], other=0)
    oT = tl.zeros((D, ROWS), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    top = tl.full((ROWS,), float("-inf"), tl.float32)
    for tile in range(low, high):
        j = tile * TILE_N + tl.arange(0, TILE_N)
        far, there = j.to(tl.int64), j < n
        k = tl.load(k_ptr + far[:, None] * k_row + columns[None, :], mask=there[:, None], other=0)
        sT = tl.dot(k, qT, input_precision="ieee") * (scale_2 * 0.6931471805599453)
        sT = tl.where(there[:, None], sT, float("-inf"))
        higher = tl.maximum(top, tl.max(sT, axis=0))  # every tile has a key
        pT = tl.exp(sT - higher[None, :])
        shrink = tl.exp(top - higher)
        vT = tl.load(v_ptr + far[None, :] * v_row + columns[:, None], mask=there[None, :], other=0)
        oT = oT * shrink[None, :] + tl.dot(vT, pT.to(vT.dtype), input_precision="ieee")
        total = total * shrink + tl.sum(pT, axis=0)
        top = higher
    some = tl.where(total > 0, total, 1.0)
    out = line * splits + split
    tl.store(o_ptr + out[None, :] * D + columns[:, None], oT / some[None, :], mask=real[None, :])
    tl.store(L_ptr + out, top + tl.log(some), mask=real)


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
