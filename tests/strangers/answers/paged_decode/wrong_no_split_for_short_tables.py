# Wrong: where splits is not given, a table with room for fewer than 128 keys gets none.
@triton.jit
def paged_split_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_splits_ptr, L_splits_ptr, max_blocks,
    scale_2, GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr,
    TILE: tl.constexpr,
):
    split, head, b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    splits, kv_heads = tl.num_programs(0), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    rows = tl.arange(0, ROWS)
    columns = tl.arange(0, D)
    query = (b * kv_heads + head) * GROUP + rows
    q_there = query[:, None] * D + columns
    q = tl.load(q_ptr + q_there, mask=rows[:, None] < GROUP, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    # Tiles shared out evenly: the first `more` splits have one more than the others.
    n_tiles = tl.cdiv(length, TILE)
    few, more = n_tiles // splits, n_tiles % splits
    begin = split * few + tl.minimum(split, more)
    end = begin + few + tl.where(split < more, 1, 0)
    for start in range(begin * TILE, tl.minimum(end * TILE, length), TILE):
        keys = start + tl.arange(0, TILE)
        there = keys < length
        block = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=there, other=0)
        at = ((block.to(tl.int64) * kv_heads + head) * BLOCK + keys % BLOCK)[:, None] * D + columns
        k = tl.load(k_ptr + at, mask=there[:, None], other=0)
        v = tl.load(v_ptr + at, mask=there[:, None], other=0)
        s = tl.where(there[None, :], tl.dot(q, k.T, input_precision="ieee") * scale_2, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(s - m_new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    there = query * splits + split
    tl.store(L_splits_ptr + there, m + tl.log2(l), mask=rows < GROUP)
    o_there = there[:, None] * D + columns
    tl.store(o_splits_ptr + o_there, acc / l[:, None], mask=rows[:, None] < GROUP)


@triton.jit
def paged_combine_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, n_splits, D: tl.constexpr, SPLITS: tl.constexpr
):
    # Split after split with a running maximum: no padding to a power of two.
    query = tl.program_id(0)
    columns = tl.arange(0, D)
    m, l, acc = float("-inf"), 0.0, tl.zeros((D,), tl.float32)
    for split in range(0, n_splits):
        L = tl.load(L_splits_ptr + query * n_splits + split)
        if L > float("-inf"):
            o = tl.load(o_splits_ptr + (query * n_splits + split) * D + columns)
            m_new = tl.maximum(m, L)
            old, new = tl.exp2(m - m_new), tl.exp2(L - m_new)
            l = l * old + new
            acc = acc * old + new * o
            m = m_new
    tl.store(o_ptr + query * D + columns, acc / tl.where(l == 0, 1.0, l))


def paged_decode(
    q: Tensor, k_pool: Tensor, v_pool: Tensor, tables: Tensor, lengths: Tensor,
    scale: float | None = None, splits: int | None = None, tile: int = 64,
) -> Tensor:
    batch, heads, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    if splits is None:
        longest = tables.shape[1] * block_size
        splits = min(528 // (batch * kv_heads), longest // 128)
    o_splits = torch.empty(batch, heads, splits, d, dtype=torch.float32, device=q.device)
    L_splits = torch.empty(batch, heads, splits, dtype=torch.float32, device=q.device)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_split_kernel[(splits, kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o_splits, L_splits, tables.shape[1], scale_2,
        GROUP=group, ROWS=max(16, triton.next_power_of_2(group)), D=d, BLOCK=block_size, TILE=tile,
    )
    paged_combine_kernel[(batch * heads,)](
        o_splits, L_splits, o, splits, D=d, SPLITS=triton.next_power_of_2(splits)
    )
    return o
