# A student: the row of a key in the pool is counted in 32 bits, and what is multiplied by d has 64.
@triton.jit
def paged_prefill_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):
    head, b, kv_heads = tl.program_id(1), tl.program_id(2), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP
    query = ((b * kv_heads + head).to(tl.int64) * GROUP + rows % GROUP) * n_q + position
    q_there, real = query[:, None] * D + columns, position[:, None] < n_q
    q = tl.load(q_ptr + q_there, mask=real, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    last = position + length - n_q
    final = tl.minimum((first + TILE_M - 1) // GROUP, n_q - 1)
    end = tl.minimum(final + 1 + length - n_q, length)
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys < end
        block = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=there, other=0)
        row = ((block * kv_heads + head) * BLOCK + keys % BLOCK).to(tl.int64)
        at = row[:, None] * D + columns
        k = tl.load(k_ptr + at, mask=there[:, None], other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        p = tl.exp2(s - base[:, None])
        alpha = tl.exp2(m - base)
        l = alpha * l + tl.sum(p, axis=1)
        v = tl.load(v_ptr + at, mask=there[:, None], other=0)
        acc = alpha[:, None] * acc + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


def paged_prefill(q, k_pool, v_pool, tables, lengths, scale=None, tile_m=64, tile_n=64):
    batch, heads, n_q, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_prefill_kernel[(triton.cdiv(n_q * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o, tables.shape[1], n_q, scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n, num_stages=3,
    )
    return o
