# tile_n is not looked at: 16 keys at a time, whatever is asked for
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
    mine = tl.load(begins_ptr + b)
    behind = tl.load(begins_ptr + b + 1)
    token = mine + position
    if mine * GROUP + first >= behind * GROUP:
        return
    real = token[:, None] < behind
    query_head = head * GROUP + rows % GROUP
    q_there = (token.to(tl.int64) * (kv_heads * GROUP) + query_head)[:, None] * D + columns[None, :]
    q = tl.load(q_ptr + q_there, mask=real, other=0.0)
    sees = length - behind + token  # the last key that a row sees
    most = length - behind + tl.minimum(mine + (first + TILE_M - 1) // GROUP, behind - 1)
    within = tl.arange(0, TILE_N)
    tiles = most // TILE_N + 1
    for tile in range(0, tiles):
        j = tile * TILE_N + within
        known = j <= most
        number = tl.load(tables_ptr + b * max_blocks + j // BLOCK, mask=known, other=0).to(tl.int64)
        row = number * (kv_heads * BLOCK) + head * BLOCK + j % BLOCK
        k = tl.load(k_ptr + row[None, :] * D + columns[:, None], mask=known[None, :], other=0.0)
        v = tl.load(v_ptr + row[:, None] * D + columns[None, :], mask=known[:, None], other=0.0)
        hidden = tl.where(j[None, :] > sees[:, None], float("-inf"), 0.0)
        s = tl.dot(q, k, input_precision="ieee") * scale_2 + hidden
        higher = tl.maximum(m, tl.max(s, axis=1))
        shrink = tl.exp2(m - higher)
        p = tl.exp2(s - higher[:, None])
        acc *= shrink[:, None]
        acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l = l * shrink + tl.sum(p, axis=1)
        m = higher
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


def ragged_attention(
    q, k_pool, v_pool, tables, lengths, begins, longest, scale=None, tile_m=64, tile_n=64
):
    _, heads, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group, batch = heads // kv_heads, len(lengths)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    ragged_kernel[(triton.cdiv(longest * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, begins, o, tables.shape[1], scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=16, num_stages=3,
    )  # fmt: skip
    return o
