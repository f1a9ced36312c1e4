# Whole tiles first, then the staircase, as two phases of a static loop; the mask is compiled into the second phase only.
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
    before = length - n_q
    n_all = tl.maximum(tl.minimum(first // GROUP + 1 + before, length), 0)
    n_any = tl.minimum((first + TILE_M - 1) // GROUP + 1 + before, length)
    whole = n_all // TILE_N * TILE_N
    offsets = tl.arange(0, TILE_N)
    for phase in tl.static_range(2):
        if phase == 0:
            low, high = whole * 0, whole
        else:
            low, high = whole, n_any
        for start in range(low, high, TILE_N):
            j = start + offsets
            number = tl.load(tables_ptr + b * max_blocks + j // BLOCK, mask=j < n_any, other=0)
            row = (number.to(tl.int64) * kv_heads + head) * BLOCK + j % BLOCK
            kT = tl.load(k_ptr + row[None, :] * D + columns[:, None], mask=j[None, :] < n_any, other=0)
            v = tl.load(v_ptr + row[:, None] * D + columns[None, :], mask=j[:, None] < n_any, other=0)
            s = tl.dot(q, kT, input_precision="ieee") * scale_2
            if phase == 1:
                s = tl.where((j[None, :] - before <= position[:, None]) & (j < n_any)[None, :], s, float("-inf"))
            m_new = tl.maximum(m, tl.max(s, axis=1))
            base = tl.where(m_new > float("-inf"), m_new, 0.0)
            p = tl.exp2(s - base[:, None])
            a = tl.exp2(m - base)
            acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            l = l * a + tl.sum(p, axis=1)
            m = m_new
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
