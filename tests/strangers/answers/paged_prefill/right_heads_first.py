# The grid turned round: KV heads run fastest, so that programs that run together read one table.
@triton.jit
def prefill_tile(
    tile, head, b, kv_heads, q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    length = tl.load(lengths_ptr + b)
    rows = tile * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP
    query = ((b * kv_heads + head).to(tl.int64) * GROUP + rows % GROUP) * n_q + position
    q_there, real = query[:, None] * D + columns, position[:, None] < n_q
    q = tl.load(q_ptr + q_there, mask=real, other=0)
    last = position + length - n_q
    bottom = tl.minimum((tile * TILE_M + TILE_M - 1) // GROUP, n_q - 1) + length - n_q
    tiles = tl.maximum(0, tl.cdiv(bottom + 1, TILE_N))
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for step in range(0, tiles):
        keys = step * TILE_N + tl.arange(0, TILE_N)
        there = keys < length
        block = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=there, other=0)
        at = (block.to(tl.int64) * kv_heads + head) * BLOCK + keys % BLOCK
        at = at[:, None] * D + columns
        k = tl.load(k_ptr + at, mask=there[:, None], other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        s = tl.where((keys[None, :] <= last[:, None]) & there[None, :], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        p = tl.exp2(s - base[:, None])
        alpha = tl.exp2(m - base)
        l = l * alpha + tl.sum(p, axis=1)
        v = tl.load(v_ptr + at, mask=there[:, None], other=0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


@triton.jit
def paged_prefill_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q, scale_2, kv_heads, tiles, work,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    prefill_tile(
        tl.program_id(2), tl.program_id(0), tl.program_id(1), kv_heads, q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q,
        scale_2, GROUP, D, BLOCK, TILE_M, TILE_N,
    )


def paged_prefill(
    q: Tensor, k_pool: Tensor, v_pool: Tensor, tables: Tensor, lengths: Tensor,
    scale: float | None = None, tile_m: int = 64, tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    tiles = triton.cdiv(n_q * group, tile_m)
    work = tiles * kv_heads * batch
    paged_prefill_kernel[(kv_heads, batch, tiles)](
        q, k_pool, v_pool, tables, lengths, o, tables.shape[1], n_q, scale_2, kv_heads, tiles, work,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n,
    )
    return o
