# port of vLLM's kernel, where a tile is a block: one number of the table for the whole tile; wrong where TILE_N > BLOCK
@triton.jit
def ragged_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, begins_ptr, o_ptr, max_blocks, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    head, b, kv_heads = tl.program_id(1), tl.program_id(2), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * TILE_M  # most keys first
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP  # in the chunk
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)

    begin = tl.load(begins_ptr + b)
    n_q = tl.load(begins_ptr + b + 1) - begin
    if first >= n_q * GROUP:
        return
    real = (rows < n_q * GROUP)[:, None]
    q_row = ((begin + position).to(tl.int64) * kv_heads + head) * GROUP + rows % GROUP
    q_there = q_row[:, None] * D + columns[None, :]
    q = tl.load(q_ptr + q_there, mask=real, other=0.0)
    p = position + length - n_q
    last = (tl.minimum(first + TILE_M, n_q * GROUP) - 1) // GROUP + length - n_q
    for start in range(0, last + 1, TILE_N):
        j = start + tl.arange(0, TILE_N)
        there = j < length
        block = tl.load(tables_ptr + b * max_blocks + start // BLOCK).to(tl.int64)
        kv_row = (block * kv_heads + head) * BLOCK + j % BLOCK
        kv_there = kv_row[:, None] * D + columns[None, :]
        k = tl.load(k_ptr + kv_there, mask=there[:, None], other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where(j[None, :] <= p[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.exp2(m - m_new)
        e = tl.exp2(s - m_new[:, None])
        l = l * alpha + tl.sum(e, axis=1)
        v = tl.load(v_ptr + kv_there, mask=there[:, None], other=0.0)
        acc = acc * alpha[:, None] + tl.dot(e.to(v.dtype), v, input_precision="ieee")
        m = m_new

    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


def ragged_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    begins: Tensor,
    longest: int,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    _, heads, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group, batch = heads // kv_heads, len(lengths)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    ragged_kernel[(triton.cdiv(longest * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, begins, o, tables.shape[1], scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n, num_stages=3,
    )  # fmt: skip
    return o
