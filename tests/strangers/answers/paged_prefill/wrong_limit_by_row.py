# Wrong: takes the end of the loop from the number of the row (first + TILE_M) and not from its position, so with grouped heads (g > 1) a tile of rows loads keys that none of its rows sees; values are right, and the traffic for g = 1 too.
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
    q_pos = position + (length - n_q)
    hi = tl.minimum(first + TILE_M + (length - n_q), length)
    offs_n = tl.arange(0, TILE_N)
    for start_n in range(0, hi, TILE_N):
        kpos = start_n + offs_n
        ok = kpos < hi
        page = tl.load(tables_ptr + b * max_blocks + kpos // BLOCK, mask=ok, other=0)
        row = (page.to(tl.int64) * kv_heads + head) * BLOCK + (kpos % BLOCK)
        k = tl.load(k_ptr + row[None, :] * D + columns[:, None], mask=ok[None, :], other=0)
        v = tl.load(v_ptr + row[:, None] * D + columns[None, :], mask=ok[:, None], other=0)
        qk = tl.dot(q, k, input_precision="ieee")
        visible = (q_pos[:, None] >= kpos[None, :]) & ok[None, :]
        qk = tl.where(visible, qk * scale_2, float("-inf"))
        m_i = tl.maximum(m, tl.max(qk, 1))
        sub = tl.where(m_i == float("-inf"), 0.0, m_i)
        p = tl.exp2(qk - sub[:, None])
        corr = tl.exp2(m - sub)
        l = l * corr + tl.sum(p, 1)
        acc = acc * corr[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_i
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
