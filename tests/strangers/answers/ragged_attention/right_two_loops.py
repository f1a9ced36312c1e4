# right: a helper for one tile of keys, and two loops: whole tiles that all rows see, without a mask, then those at the edge
@triton.jit
def _meet(
    q, k_ptr, v_ptr, table_ptr, head, kv_heads, keys, stop, seen, m, l, acc, scale_2,
    D: tl.constexpr, BLOCK: tl.constexpr, EDGE: tl.constexpr,
):  # fmt: skip
    """A tile of queries meets a tile of keys; EDGE: some of the pairs are hidden."""
    columns = tl.arange(0, D)
    if EDGE:
        inside = keys < stop
        block = tl.load(table_ptr + keys // BLOCK, mask=inside, other=0).to(tl.int64)
        at = (((block * kv_heads + head) * BLOCK + keys % BLOCK) * D)[:, None] + columns[None, :]
        k = tl.load(k_ptr + at, mask=inside[:, None], other=0.0)
        v = tl.load(v_ptr + at, mask=inside[:, None], other=0.0)
    else:
        block = tl.load(table_ptr + keys // BLOCK).to(tl.int64)
        at = (((block * kv_heads + head) * BLOCK + keys % BLOCK) * D)[:, None] + columns[None, :]
        k = tl.load(k_ptr + at)
        v = tl.load(v_ptr + at)
    s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
    if EDGE:
        s = tl.where(keys[None, :] <= seen[:, None], s, float("-inf"))
    top = tl.maximum(m, tl.max(s, 1))
    p = tl.exp2(s - top[:, None])
    old = tl.exp2(m - top)
    acc = acc * old[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
    return top, l * old + tl.sum(p, 1), acc


@triton.jit
def ragged_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, begins_ptr, o_ptr, max_blocks, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of packed rows of a sequence and KV head, if it has so many rows."""
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
    there = ((begin + position) * kv_heads + head) * GROUP + rows % GROUP
    q_there = there[:, None] * D + columns[None, :]
    q = tl.load(q_ptr + q_there, mask=real, other=0.0)
    seen = length - n_q + position  # the last key that a row sees
    stop = length - n_q + tl.minimum((first + TILE_M - 1) // GROUP, n_q - 1) + 1
    table_ptr = tables_ptr + b * max_blocks
    whole = (length - n_q + first // GROUP + 1) // TILE_N * TILE_N
    for start in range(0, whole, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        m, l, acc = _meet(
            q, k_ptr, v_ptr, table_ptr, head, kv_heads, keys, stop, seen, m, l, acc, scale_2,
            D, BLOCK, False,
        )  # fmt: skip
    for start in range(whole, stop, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        m, l, acc = _meet(
            q, k_ptr, v_ptr, table_ptr, head, kv_heads, keys, stop, seen, m, l, acc, scale_2,
            D, BLOCK, True,
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
    """Causal attention of the last tokens of each sequence, of each as many as it has new ones."""
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
