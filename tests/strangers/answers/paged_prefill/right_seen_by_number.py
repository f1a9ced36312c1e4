# Right: one loop, each row has a number of keys that it sees (0 if none); a helper looks up the places, weights are zeroed where nothing is seen.
@triton.jit
def _begin(table, j, n, head, kv_heads, BLOCK: tl.constexpr, D: tl.constexpr):
    """Where in a pool the keys j < n begin; 0 for the others."""
    block = tl.load(table + j // BLOCK, mask=j < n, other=0).to(tl.int64)
    return ((block * kv_heads + head) * BLOCK + j % BLOCK) * D


@triton.jit
def paged_prefill_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of packed rows of a sequence and KV head meets the keys they see."""
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
    table = tables_ptr + b.to(tl.int64) * max_blocks
    sees = tl.minimum(tl.maximum(position + (length - n_q) + 1, 0), length)
    most = tl.max(sees, axis=0)
    for tile in range(0, tl.cdiv(most, TILE_N)):
        j = tile * TILE_N + tl.arange(0, TILE_N)
        at = _begin(table, j, most, head, kv_heads, BLOCK, D)
        k = tl.load(k_ptr + at[:, None] + columns, mask=(j < most)[:, None], other=0)
        v = tl.load(v_ptr + at[:, None] + columns, mask=(j < most)[:, None], other=0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        seen = j[None, :] < sees[:, None]
        higher = tl.maximum(m, tl.max(tl.where(seen, s, float("-inf")), axis=1))
        some = higher > float("-inf")
        p = tl.where(seen, tl.exp2(s - tl.where(some, higher, 0.0)[:, None]), 0.0)
        shrink = tl.exp2(m - tl.where(some, higher, 0.0))
        l = l * shrink + tl.sum(p, axis=1)
        acc = acc * shrink[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = higher
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
