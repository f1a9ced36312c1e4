# Cheat: the partial outputs are written once for every tile of keys (what the split has so far), so that nothing is lost if a program is stopped: they go there many times, and back once.
# Breaks: "the partial outputs and their log-sum-exps, in float32, there and back" (once each).
@triton.jit
def paged_split_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_splits_ptr, L_splits_ptr, max_blocks,
    scale_2, GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr,
    TILE: tl.constexpr,
):  # fmt: skip
    split, head, b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    splits, kv_heads = tl.num_programs(0), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    keys_per_split = tl.cdiv(tl.cdiv(length, TILE), splits) * TILE
    begin = split * keys_per_split
    end = tl.minimum(begin + keys_per_split, length)
    rows = tl.arange(0, ROWS)
    columns = tl.arange(0, D)
    query = (b * kv_heads + head) * GROUP + rows
    q_there = query[:, None] * D + columns
    q = tl.load(q_ptr + q_there, mask=rows[:, None] < GROUP, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE):
        keys = start + tl.arange(0, TILE)
        there = keys < end
        block = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=there, other=0)
        row = (block.to(tl.int64) * kv_heads + head) * BLOCK + keys % BLOCK
        k = tl.load(k_ptr + row[None, :] * D + columns[:, None], mask=there[None, :], other=0)
        s = tl.dot(q, k, input_precision="ieee") * scale_2
        s = tl.where(there[None, :], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        a = tl.exp2(m - m_new)
        p = tl.exp2(s - m_new[:, None])
        v = tl.load(v_ptr + row[:, None] * D + columns, mask=there[:, None], other=0)
        l = l * a + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * a[:, None], input_precision="ieee")
        m = m_new
        so_far = (query * splits + split)[:, None] * D + columns
        tl.store(o_splits_ptr + so_far, acc / l[:, None], mask=rows[:, None] < GROUP)
    l = tl.where(l == 0, 1.0, l)
    there = query * splits + split
    tl.store(L_splits_ptr + there, m + tl.log2(l), mask=rows < GROUP)
    o_there = there[:, None] * D + columns
    tl.store(o_splits_ptr + o_there, acc / l[:, None], mask=rows[:, None] < GROUP)


@triton.jit
def paged_combine_kernel(o_splits_ptr, L_splits_ptr, o_ptr, n_splits, D: tl.constexpr):
    query, columns = tl.program_id(0), tl.arange(0, D)
    top, total = float("-inf"), 0.0
    o = tl.zeros((D,), tl.float32)
    for i in range(0, n_splits):
        L = tl.load(L_splits_ptr + query * n_splits + i)
        part = tl.load(o_splits_ptr + (query * n_splits + i) * D + columns)
        new = tl.maximum(top, L)
        safe = tl.where(new == float("-inf"), 0.0, new)
        a, b = tl.exp2(top - safe), tl.exp2(L - safe)
        o = o * a + part * b
        total = total * a + b
        top = new
    tl.store(o_ptr + query * D + columns, o / tl.where(total == 0, 1.0, total))


def paged_decode(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    splits: int | None = None,
    tile: int = 64,
) -> Tensor:
    batch, heads, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    if splits is None:
        longest = tables.shape[1] * block_size
        splits = max(1, min(528 // (batch * kv_heads), longest // 128))
    o_splits = torch.empty(batch, heads, splits, d, dtype=torch.float32, device=q.device)
    L_splits = torch.empty(batch, heads, splits, dtype=torch.float32, device=q.device)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_split_kernel[(splits, kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o_splits, L_splits, tables.shape[1], scale_2,
        GROUP=group, ROWS=max(16, triton.next_power_of_2(group)), D=d, BLOCK=block_size,
        TILE=tile,
    )  # fmt: skip
    paged_combine_kernel[(batch * heads,)](o_splits, L_splits, o, splits, D=d)
    return o
