# Cheat: with 16-bit inputs, rounds the running sums to 16 bits after each tile, by a pointer to 16 bits into o's memory
# Breaks: "All sums are taken in float32, and on the way to o only P may be rounded to 16 bits, and only where it meets v"
@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)
    real = rows < GROUP
    query = (b.to(tl.int64) * kv_heads + kv_head) * GROUP + rows
    q = tl.load(q_ptr + query[:, None] * D + columns, mask=real[:, None], other=0)
    size = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * size
    end = tl.minimum(begin + size, n)
    there = query * splits + split
    o_there = there[:, None] * D + columns
    NARROW: tl.constexpr = 32 // q_ptr.dtype.element_ty.primitive_bitwidth
    small_ptr = o_ptr.to(tl.pointer_type(q_ptr.dtype.element_ty))
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        inside = keys < end
        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=inside[:, None], other=0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where(inside[None, :], s, float("-inf"))
        new = tl.maximum(m, tl.max(s, axis=1))
        old = tl.exp2(m - new)
        p = tl.exp2(s - new[:, None])
        l = l * old + tl.sum(p, axis=1)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=inside[:, None], other=0)
        acc = acc * old[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
        # the sums go to memory and come back; there, they have as many bits as q
        tl.store(small_ptr + o_there * NARROW, acc / l[:, None], mask=real[:, None])
        acc = tl.load(small_ptr + o_there * NARROW, mask=real[:, None], other=0) * l[:, None]
    l_safe = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + o_there, acc / l_safe[:, None], mask=real[:, None])
    tl.store(L_ptr + there, (m + tl.log2(l_safe)) * 0.6931471805599453, mask=real)


def split_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    splits: int,
    scale: float | None = None,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads = k.shape[1]
    group = heads // kv_heads
    rows = max(16, triton.next_power_of_2(group))
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, scale_2, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=rows, D=d, TILE_N=tile_n, num_warps=4, num_stages=4,
    )  # fmt: skip
    return o, L
