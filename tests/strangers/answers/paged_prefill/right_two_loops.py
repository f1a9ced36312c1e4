# Right: two loops, whole tiles without any mask on the scores and then the staircase, blocks looked up key by key.
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
    before = length - n_q  # tokens in front of the chunk, negative for a short sequence
    n_any = tl.minimum((first + TILE_M - 1) // GROUP + 1 + before, length)
    n_all = tl.maximum(first // GROUP + 1 + before, 0)
    staircase = n_all // TILE_N * TILE_N  # where the tiles that need a mask begin
    inner = tl.arange(0, TILE_N)
    table = tables_ptr + b * max_blocks
    for start in range(0, staircase, TILE_N):
        keys = start + inner
        block = tl.load(table + keys // BLOCK).to(tl.int64)
        line = (block * kv_heads + head) * BLOCK + keys % BLOCK
        k = tl.load(k_ptr + line[None, :] * D + columns[:, None])
        s = tl.dot(q, k, input_precision="ieee") * scale_2
        top = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - top[:, None])
        fade = tl.exp2(m - top)
        v = tl.load(v_ptr + line[:, None] * D + columns[None, :])
        l = l * fade + tl.sum(p, 1)
        acc = acc * fade[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = top
    last = position + before
    for start in range(staircase, n_any, TILE_N):
        keys = start + inner
        there = keys < n_any
        block = tl.load(table + keys // BLOCK, mask=there, other=0).to(tl.int64)
        line = (block * kv_heads + head) * BLOCK + keys % BLOCK
        k = tl.load(k_ptr + line[None, :] * D + columns[:, None], mask=there[None, :], other=0)
        s = tl.dot(q, k, input_precision="ieee") * scale_2
        s = tl.where(there[None, :] & (keys[None, :] <= last[:, None]), s, float("-inf"))
        top = tl.maximum(m, tl.max(s, 1))
        base = tl.where(top == float("-inf"), 0.0, top)
        p = tl.exp2(s - base[:, None])
        fade = tl.exp2(m - base)
        v = tl.load(v_ptr + line[:, None] * D + columns[None, :], mask=there[:, None], other=0)
        l = l * fade + tl.sum(p, 1)
        acc = acc * fade[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = top
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
