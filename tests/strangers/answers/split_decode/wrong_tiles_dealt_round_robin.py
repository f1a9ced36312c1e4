# Deals tiles to the splits in turn (split i takes tiles i, i + S, ...) for balance; the merge gives the same, but a split's o and L belong to other keys wherever a split has more than one tile or fewer tiles than the rule.
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
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head  # can pass 2^31
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)  # the first GROUP are query heads, the others fill the tile
    group = (b * kv_heads + kv_head) * GROUP + rows
    there = rows[:, None] < GROUP
    q = tl.load(q_ptr + group[:, None] * D + columns, mask=there, other=0)
    m = tl.zeros((ROWS,), tl.float32) - float("inf")
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    start = split * TILE_N
    while start < n:
        j = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + j[:, None] * k_row + columns, mask=j[:, None] < n, other=0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee")
        s = tl.where(j[None, :] < n, s * scale_2, float("-inf"))
        new = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        l = l * tl.exp2(m - new) + tl.sum(p, 1)
        v = tl.load(v_ptr + j[:, None] * v_row + columns, mask=j[:, None] < n, other=0)
        acc = acc * tl.exp2(m - new)[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
        start += splits * TILE_N
    l_or_1 = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + (group * splits + split)[:, None] * D + columns, acc / l_or_1[:, None], mask=there)
    tl.store(L_ptr + group * splits + split, (m + tl.log2(l_or_1)) * 0.6931471805599453, mask=rows < GROUP)


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
    rows = max(16, triton.next_power_of_2(group))  # tl.dot wants 16 at least
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, scale_2, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=rows, D=d, TILE_N=tile_n, num_warps=4, num_stages=4,
    )  # fmt: skip
    return o, L
