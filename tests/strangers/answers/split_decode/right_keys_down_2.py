# right: the scores stand transposed, keys down and query heads across; natural exponentials; a loop over numbers of tiles
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
    tiles_per_split = tl.cdiv(tl.cdiv(n, splits), TILE_N)
    tiles = tl.cdiv(n, TILE_N)
    scale = scale_2 * 0.6931471805599453
    at = (b.to(tl.int64) * kv_heads + kv_head) * GROUP + rows
    q = tl.load(q_ptr + (at[:, None] * D + columns[None, :]), mask=rows[:, None] < GROUP, other=0.0)
    m = tl.zeros((ROWS,), tl.float32) + float("-inf")
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    from_tile = split * tiles_per_split
    to_tile = tl.minimum(from_tile + tiles_per_split, tiles)
    for tile in range(from_tile, to_tile):
        key = tile * TILE_N + tl.arange(0, TILE_N)
        used = key[:, None] < n
        far = key.to(tl.int64)[:, None]
        k = tl.load(k_ptr + (far * k_row + columns[None, :]), mask=used, other=0.0)
        v = tl.load(v_ptr + (far * v_row + columns[None, :]), mask=used, other=0.0)
        s = tl.dot(k, tl.trans(q), input_precision="ieee") * scale
        s = tl.where(used, s, float("-inf"))
        top = tl.maximum(tl.max(s, 0), m)
        p = tl.exp(s - top[None, :])
        fade = tl.exp(m - top)
        l = l * fade + tl.sum(p, 0)
        acc = acc * fade[:, None]
        acc += tl.dot(tl.trans(p).to(v.dtype), v, input_precision="ieee")
        m = top
    o = acc * tl.where(l > 0, 1.0 / l, 0.0)[:, None]
    place = at * splits + split
    tl.store(L_ptr + place, m + tl.log(l), mask=rows < GROUP)
    tl.store(o_ptr + (place[:, None] * D + columns[None, :]), o, mask=rows[:, None] < GROUP)


def split_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    splits: int,
    scale: float | None = None,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention of one query per sequence with each split of its keys.

    q: (B, H, d); k, v: (B, H_kv, N, d) caches, float32 or 16 bits wide; d: a power of two from
    16 to 128. The H / H_kv query heads from h * H / H_kv on use KV head h. Rows of d numbers
    are contiguous; other strides are free: sequences and heads may lie 2^30 elements apart.
    lengths: (B,) int32, how many keys each sequence has, from 0 to N; what lies behind them in
    the cache is not read.
    splits: their number S. A sequence of n keys is cut into splits of ceil(n / S) keys, rounded
    up to whole tiles of tile_n, a power of two from 16 on; the last splits may be empty.
    scale: factor of the scores, positive, 1/sqrt(d) if None.
    Returns o (B, H, S, d) and its log-sum-exps L (B, H, S), natural logarithm, both float32; an
    empty split gives o = 0 and L = -inf.
    Traffic: each key and value once; q, d numbers per head, once for each split. One
    program for each split of each KV head. Memory: o and L.
    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
    """
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
