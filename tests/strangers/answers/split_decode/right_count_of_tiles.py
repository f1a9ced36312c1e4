# a loop over tile numbers, the end of a split found by tiles, scores transposed (keys down), and the log-sum-exp from natural logarithms
@triton.jit
def _rows_of(x_ptr, row, stride, limit, D: tl.constexpr):
    at = row.to(tl.int64)[:, None] * stride + tl.arange(0, D)[None, :]
    return tl.load(x_ptr + at, mask=(row < limit)[:, None], other=0.0)


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
    in_split = tl.cdiv(tl.cdiv(n, splits), TILE_N)  # tiles
    first = split * in_split
    last = tl.minimum(first + in_split, tl.cdiv(n, TILE_N))
    group = (b.to(tl.int64) * kv_heads + kv_head) * GROUP
    q = _rows_of(q_ptr + group * D, rows, D, GROUP, D)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for tile in range(first, last):
        key = tile * TILE_N + tl.arange(0, TILE_N)
        k = _rows_of(k_ptr, key, k_row, n, D)
        s = tl.dot(k, tl.trans(q), input_precision="ieee") * scale_2  # keys down
        s = tl.where(key[:, None] < n, s, float("-inf"))
        top = tl.maximum(m, tl.max(s, axis=0))
        p = tl.exp2(s - top[None, :])
        shrink = tl.exp2(m - top)
        l = shrink * l + tl.sum(p, axis=0)
        v = _rows_of(v_ptr, key, v_row, n, D)
        acc *= shrink[:, None]
        acc += tl.dot(tl.trans(p.to(v.dtype)), v, input_precision="ieee")
        m = top
    empty = l == 0.0
    l = tl.where(empty, 1.0, l)
    L = tl.where(empty, float("-inf"), m * 0.6931471805599453 + tl.log(l))
    out = (group + rows) * splits + split
    tl.store(L_ptr + out, L, mask=rows < GROUP)
    o_there = o_ptr + out[:, None] * D + columns[None, :]
    tl.store(o_there, acc / l[:, None], mask=rows[:, None] < GROUP)


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
    rows = max(16, triton.next_power_of_2(group))  # the height of a matrix instruction
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, scale_2, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=rows, D=d, TILE_N=tile_n, num_warps=4, num_stages=4,
    )  # fmt: skip
    return o, L
