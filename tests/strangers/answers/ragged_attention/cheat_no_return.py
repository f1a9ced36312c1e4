# Cheat: a program without rows does not return: it goes on, asks for q and for the first key and value of its sequence like all others, multiplies them, and stores nothing.
# Breaks: "A program without rows loads nothing but its sequence's length, begin and end" and "Only these tiles are multiplied" (of a program without rows, one key and value).
@triton.jit
def ragged_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, begins_ptr, o_ptr, max_blocks, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    head, b, kv_heads = tl.program_id(1), tl.program_id(2), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    begin = tl.load(begins_ptr + b)
    n_q = tl.load(begins_ptr + b + 1) - begin
    token = ((begin + position).to(tl.int64) * kv_heads + head) * GROUP + rows % GROUP
    q_there, real = token[:, None] * D + columns, position[:, None] < n_q
    q = tl.load(q_ptr + q_there, mask=real, other=0)
    past = first >= n_q * GROUP
    n_any = tl.minimum((first + TILE_M - 1) // GROUP + 1 + length - n_q, length)
    n_any = tl.where(past, tl.minimum(length, 1), n_any)
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
        v = tl.load(v_ptr + row[:, None] * D + columns, mask=there[:, None], other=0)
        l = l * a + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * a[:, None], input_precision="ieee")
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
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n,
        num_stages=3,
    )  # fmt: skip
    return o
