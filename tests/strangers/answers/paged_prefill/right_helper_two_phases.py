# a jitted helper, whole tiles without a mask on scores, then the staircase; the maximum starts at a finite floor for blind rows by a where; keeps the contract
@triton.jit
def _meet(
    acc, m, l, q, k_ptr, v_ptr, table, start, n_any, last, head, kv_heads, columns, scale_2,
    D: tl.constexpr, BLOCK: tl.constexpr, TILE_N: tl.constexpr, STAIRS: tl.constexpr,
):  # fmt: skip
    keys = start + tl.arange(0, TILE_N)
    loaded = keys < n_any
    block = tl.load(table + keys // BLOCK, mask=loaded, other=0).to(tl.int64)
    at = ((block * kv_heads + head) * BLOCK + keys % BLOCK)[:, None] * D + columns[None, :]
    k = tl.load(k_ptr + at, mask=loaded[:, None], other=0)
    s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
    if STAIRS:
        limit = tl.minimum(last, n_any - 1)
        s = tl.where(keys[None, :] <= limit[:, None], s, float("-inf"))
    top = tl.maximum(m, tl.max(s, axis=1))
    blind = top == float("-inf")
    p = tl.where(blind[:, None], 0.0, tl.exp2(s - tl.where(blind, 0.0, top)[:, None]))
    fade = tl.where(blind, 1.0, tl.exp2(m - tl.where(blind, 0.0, top)))
    v = tl.load(v_ptr + at, mask=loaded[:, None], other=0)
    acc = tl.dot(p.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
    return acc, top, l * fade + tl.sum(p, axis=1)


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
    table = tables_ptr + b.to(tl.int64) * max_blocks
    before = length - n_q
    last = position + before
    n_all = tl.maximum(first // GROUP + 1 + before, 0)
    n_any = tl.minimum((first + TILE_M - 1) // GROUP + 1 + before, length)
    n_all = tl.maximum(tl.minimum(n_all, n_any), 0) // TILE_N * TILE_N
    for start in range(0, n_all, TILE_N):
        acc, m, l = _meet(
            acc, m, l, q, k_ptr, v_ptr, table, start, n_any, last, head, kv_heads, columns,
            scale_2, D, BLOCK, TILE_N, False,
        )  # fmt: skip
    for start in range(n_all, n_any, TILE_N):
        acc, m, l = _meet(
            acc, m, l, q, k_ptr, v_ptr, table, start, n_any, last, head, kv_heads, columns,
            scale_2, D, BLOCK, TILE_N, True,
        )  # fmt: skip
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
