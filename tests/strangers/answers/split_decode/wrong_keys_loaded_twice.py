# Wrong: two loops over the split, one for the maximum and one for the sums, so every key is loaded twice; values are right, the contract's traffic (each key once) is not.
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
    per_split = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    lo = split * per_split
    hi = tl.minimum(lo + per_split, n)
    q_row = (b * kv_heads + kv_head) * GROUP + rows
    q = tl.load(q_ptr + q_row[:, None] * D + columns[None, :], mask=rows[:, None] < GROUP, other=0.0)
    tile = tl.arange(0, TILE_N)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    for j in range(lo, hi, TILE_N):
        k = tl.load(
            k_ptr + (j + tile)[None, :] * k_row + columns[:, None],
            mask=(j + tile)[None, :] < hi, other=0.0,
        )
        s = tl.where((j + tile)[None, :] < hi, tl.dot(q, k, input_precision="ieee") * scale_2, float("-inf"))
        m = tl.maximum(m, tl.max(s, 1))
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for j in range(lo, hi, TILE_N):
        inside = (j + tile) < hi
        k = tl.load(k_ptr + (j + tile)[None, :] * k_row + columns[:, None], mask=inside[None, :], other=0.0)
        v = tl.load(v_ptr + (j + tile)[:, None] * v_row + columns[None, :], mask=inside[:, None], other=0.0)
        p = tl.exp2(tl.dot(q, k, input_precision="ieee") * scale_2 - m[:, None])
        p = tl.where(inside[None, :], p, 0.0)
        l += tl.sum(p, 1)
        acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
    safe = tl.where(l > 0, l, 1.0)
    at = q_row * splits + split
    tl.store(o_ptr + at[:, None] * D + columns[None, :], acc / safe[:, None], mask=rows[:, None] < GROUP)
    tl.store(L_ptr + at, (m + tl.log2(safe)) * 0.6931471805599453, mask=rows < GROUP)


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
