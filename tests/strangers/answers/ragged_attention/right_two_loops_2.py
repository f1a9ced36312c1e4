# tiles that all rows see whole come first without a mask, then those on the diagonal; one function does a tile
@triton.jit
def _meet(
    q, m, l, acc, k_ptr, v_ptr, table_ptr, start, length, sees, head, kv_heads, scale_2,
    D: tl.constexpr, BLOCK: tl.constexpr, TILE_N: tl.constexpr, MASK: tl.constexpr,
):  # fmt: skip
    keys = start + tl.arange(0, TILE_N)
    inside = keys < length
    number = tl.load(table_ptr + keys // BLOCK, mask=inside, other=0).to(tl.int64)
    place = ((number * kv_heads + head) * BLOCK + keys % BLOCK)[:, None] * D
    place += tl.arange(0, D)[None, :]
    k = tl.load(k_ptr + place, mask=inside[:, None], other=0.0)
    s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
    if MASK:
        s = tl.where(keys[None, :] < sees[:, None], s, float("-inf"))
    top = tl.maximum(m, tl.max(s, axis=1))
    shrink = tl.exp2(m - top)
    p = tl.exp2(s - top[:, None])
    v = tl.load(v_ptr + place, mask=inside[:, None], other=0.0)
    acc = acc * shrink[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
    return top, l * shrink + tl.sum(p, axis=1), acc


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
    begin, after = tl.load(begins_ptr + b), tl.load(begins_ptr + b + 1)
    n_q = after - begin
    if first >= n_q * GROUP:
        return
    token = begin.to(tl.int64) + position
    q_there = ((token * kv_heads + head) * GROUP + rows % GROUP)[:, None] * D + columns[None, :]
    real = (rows < n_q * GROUP)[:, None]
    q = tl.load(q_ptr + q_there, mask=real, other=0.0)
    sees = position + (length - n_q + 1)  # so many keys, of each row
    table_ptr = tables_ptr + b.to(tl.int64) * max_blocks
    seen_by_all = (first // GROUP + length - n_q + 1) // TILE_N * TILE_N
    seen_by_any = tl.minimum((first + TILE_M - 1) // GROUP + 1, n_q) + length - n_q
    for start in range(0, seen_by_all, TILE_N):
        m, l, acc = _meet(
            q, m, l, acc, k_ptr, v_ptr, table_ptr, start, length, sees, head, kv_heads, scale_2,
            D, BLOCK, TILE_N, False,
        )  # fmt: skip
    for start in range(seen_by_all, seen_by_any, TILE_N):
        m, l, acc = _meet(
            q, m, l, acc, k_ptr, v_ptr, table_ptr, start, length, sees, head, kv_heads, scale_2,
            D, BLOCK, TILE_N, True,
        )  # fmt: skip
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
