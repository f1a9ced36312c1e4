# Wrong: does not keep n_all from becoming negative before it is rounded to whole tiles, so for a sequence shorter than N_q the masked loop begins at negative keys: the tables are read before their beginning and keys -1, -2, ... are taken for seen; lengths of N_q or more are right.
@triton.jit
def paged_prefill_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    head, b, kv_heads = tl.program_id(1), tl.program_id(2), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * TILE_M  # most keys first
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP  # in the chunk
    query = ((b * kv_heads + head).to(tl.int64) * GROUP + rows % GROUP) * n_q + position
    q_there, real = query[:, None] * D + columns, position[:, None] < n_q
    q = tl.load(q_ptr + q_there, mask=real, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    offset = length - n_q
    n_all = first // GROUP + 1 + offset
    n_any = tl.minimum((first + TILE_M - 1) // GROUP + 1 + offset, length)
    boundary = n_all // TILE_N * TILE_N  # tiles before it need no mask
    base = b * max_blocks
    tile = tl.arange(0, TILE_N)
    # blue tiles
    for start in range(0, boundary, TILE_N):
        keys = start + tile
        block = tl.load(tables_ptr + base + keys // BLOCK).to(tl.int64)
        there = ((block * kv_heads + head) * BLOCK + keys % BLOCK)[:, None] * D + columns
        k = tl.load(k_ptr + there)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        m_new = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - m_new[:, None])
        alpha = tl.exp2(m - m_new)
        v = tl.load(v_ptr + there)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l = l * alpha + tl.sum(p, 1)
        m = m_new
    # orange tiles
    for start in range(boundary, n_any, TILE_N):
        keys = start + tile
        block = tl.load(tables_ptr + base + keys // BLOCK, mask=keys < n_any, other=0).to(tl.int64)
        there = ((block * kv_heads + head) * BLOCK + keys % BLOCK)[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=(keys < n_any)[:, None], other=0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        mask = (keys[None, :] < n_any) & (keys[None, :] <= position[:, None] + offset)
        s = tl.where(mask, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, 1))
        m_safe = tl.where(m_new == float("-inf"), 0.0, m_new)
        p = tl.exp2(s - m_safe[:, None])
        alpha = tl.exp2(m - m_safe)
        v = tl.load(v_ptr + there, mask=(keys < n_any)[:, None], other=0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l = l * alpha + tl.sum(p, 1)
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
