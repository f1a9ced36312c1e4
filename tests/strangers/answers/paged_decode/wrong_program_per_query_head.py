# Wrong: one program per QUERY head (PagedAttention V2 style), each of which loads the keys, values and table of its KV head again, so with grouped heads the traffic is H / H_kv times too large; values are right, and so is the traffic for H = H_kv.
@triton.jit
def paged_split_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_splits_ptr, L_splits_ptr, max_blocks,
    scale_2, kv_heads, GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr,
    TILE: tl.constexpr,
):  # fmt: skip
    partition, head, seq = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    partitions, heads = tl.num_programs(0), tl.num_programs(1)
    kv_head = head // GROUP
    context = tl.load(lengths_ptr + seq)
    per = tl.cdiv(tl.cdiv(context, TILE), partitions) * TILE
    lo = partition * per
    hi = tl.minimum(lo + per, context)
    dims = tl.arange(0, D)
    query = seq * heads + head
    q = tl.load(q_ptr + query * D + dims).to(tl.float32)
    m = tl.max(tl.full((16,), float("-inf"), tl.float32), axis=0)
    l = tl.sum(tl.zeros((16,), tl.float32), axis=0)
    acc = tl.zeros((D,), tl.float32)
    for start in range(lo, hi, TILE):
        token = start + tl.arange(0, TILE)
        ok = token < hi
        block = tl.load(tables_ptr + seq * max_blocks + token // BLOCK, mask=ok, other=0)
        row = (block.to(tl.int64) * kv_heads + kv_head) * BLOCK + token % BLOCK
        where = row[:, None] * D + dims[None, :]
        k = tl.load(k_ptr + where, mask=ok[:, None], other=0).to(tl.float32)
        v = tl.load(v_ptr + where, mask=ok[:, None], other=0).to(tl.float32)
        s = tl.sum(q[None, :] * k, axis=1) * scale_2
        s = tl.where(ok, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=0))
        p = tl.exp2(s - m_new)
        decay = tl.exp2(m - m_new)
        acc = acc * decay + tl.sum(p[:, None] * v, axis=0)
        l = l * decay + tl.sum(p, axis=0)
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    out = query * partitions + partition
    tl.store(L_splits_ptr + out, m + tl.log2(l))
    tl.store(o_splits_ptr + out * D + dims, acc / l)


@triton.jit
def paged_combine_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, n_splits, D: tl.constexpr, SPLITS: tl.constexpr
):
    query = tl.program_id(0)
    split, columns = tl.arange(0, SPLITS), tl.arange(0, D)
    there = query * n_splits + split
    L = tl.load(L_splits_ptr + there, mask=split < n_splits, other=float("-inf"))
    o_there = there[:, None] * D + columns
    o = tl.load(o_splits_ptr + o_there, mask=split[:, None] < n_splits, other=0)
    top = tl.max(L, axis=0)
    weight = tl.exp2(L - tl.where(top == float("-inf"), 0.0, top))
    total = tl.sum(weight, axis=0)
    o = tl.sum(o * weight[:, None], axis=0) / tl.where(total == 0, 1.0, total)
    tl.store(o_ptr + query * D + columns, o)


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
    if splits is None:  # an H200 runs 528 of these programs at a time
        longest = tables.shape[1] * block_size
        splits = max(1, min(528 // (batch * kv_heads), longest // 128))
    o_splits = torch.empty(batch, heads, splits, d, dtype=torch.float32, device=q.device)
    L_splits = torch.empty(batch, heads, splits, dtype=torch.float32, device=q.device)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_split_kernel[(splits, heads, batch)](
        q, k_pool, v_pool, tables, lengths, o_splits, L_splits, tables.shape[1], scale_2,
        kv_heads, GROUP=group, D=d, BLOCK=block_size, TILE=tile,
    )  # fmt: skip
    paged_combine_kernel[(batch * heads,)](
        o_splits, L_splits, o, splits, D=d, SPLITS=triton.next_power_of_2(splits)
    )
    return o
