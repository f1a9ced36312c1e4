# Cheat: the table is walked twice, once for the keys and once for the values of a tile, so that no register holds a block's number across the softmax; 4 bytes a key hardly show.
# Breaks: "Traffic: q once; keys and values, with their blocks' numbers, for each tile of the N_q H / H_kv rows" (each number once).
@triton.jit
def paged_prefill_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
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
    n_any = tl.minimum((first + TILE_M - 1) // GROUP + 1 + length - n_q, length)
    last = position + length - n_q
    for start in range(0, n_any, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys < n_any
        block = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=there, other=0)
        row = (block.to(tl.int64) * kv_heads + head) * BLOCK + keys % BLOCK
        k = tl.load(k_ptr + row[None, :] * D + columns[:, None], mask=there[None, :], other=0)
        s = tl.dot(q, k, input_precision="ieee") * scale_2
        s = tl.where((keys[None, :] <= last[:, None]) & there[None, :], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        safe = tl.where(m_new == float("-inf"), 0.0, m_new)
        a = tl.exp2(m - safe)
        p = tl.exp2(s - safe[:, None])
        again = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=there, other=0)
        v_row = (again.to(tl.int64) * kv_heads + head) * BLOCK + keys % BLOCK
        v = tl.load(v_ptr + v_row[:, None] * D + columns, mask=there[:, None], other=0)
        l = l * a + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * a[:, None], input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


def paged_prefill(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_prefill_kernel[(triton.cdiv(n_q * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o, tables.shape[1], n_q, scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n, num_stages=3,
    )  # fmt: skip
    return o
