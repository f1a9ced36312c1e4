# Counts TILE_M // GROUP positions for every tile of rows, rounded down, as if each tile began at a new position; with groups that do not divide TILE_M (3, 7) the last rows of a tile lose their newest keys.
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
    tile_index = first // TILE_M
    per_tile = TILE_M // GROUP
    n_any = tl.minimum((tile_index + 1) * per_tile + length - n_q, length)
    for start in range(0, n_any, TILE_N):
        j = start + tl.arange(0, TILE_N)
        inside = (j < n_any)
        block = tl.load(tables_ptr + b * max_blocks + j // BLOCK, mask=inside, other=0).to(tl.int64)
        there = ((block * kv_heads + head) * BLOCK + j % BLOCK)[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=inside[:, None], other=0)
        v = tl.load(v_ptr + there, mask=inside[:, None], other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        s = tl.where(inside[None, :] & (j[None, :] <= (position + length - n_q)[:, None]), s, float("-inf"))
        hi = tl.maximum(m, tl.max(s, 1))
        hi_or_0 = tl.where(hi == float("-inf"), 0.0, hi)
        w = tl.exp2(s - hi_or_0[:, None])
        keep = tl.exp2(m - hi_or_0)
        m = hi
        l = keep * l + tl.sum(w, 1)
        acc = keep[:, None] * acc + tl.dot(w.to(v.dtype), v, input_precision="ieee")
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
