# Advances pointer tiles in a while loop, tail masked by the length, results normalised at the end.
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
    span = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    at = split * span
    end = tl.minimum(at + span, n)
    head = ((b * kv_heads + kv_head) * GROUP + rows).to(tl.int64)
    used = rows < GROUP
    q = tl.load(q_ptr + head[:, None] * D + columns[None, :], mask=used[:, None], other=0.0)
    key = at + tl.arange(0, TILE_N)
    k_tile = k_ptr + key[:, None].to(tl.int64) * k_row + columns[None, :]
    v_tile = v_ptr + key[:, None].to(tl.int64) * v_row + columns[None, :]
    k_step = tl.full((), TILE_N, tl.int64) * k_row
    v_step = tl.full((), TILE_N, tl.int64) * v_row
    best = tl.full((ROWS,), float("-inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    while at < end:
        inside = key < n
        keys = tl.load(k_tile, mask=inside[:, None], other=0.0)
        s = tl.dot(q, tl.trans(keys), input_precision="ieee") * scale_2
        s = tl.where(inside[None, :], s, float("-inf"))
        better = tl.maximum(best, tl.max(s, 1))
        fade = tl.exp2(best - better)
        p = tl.exp2(s - better[:, None])
        values = tl.load(v_tile, mask=inside[:, None], other=0.0)
        acc = tl.dot(p.to(values.dtype), values, acc * fade[:, None], input_precision="ieee")
        total = total * fade + tl.sum(p, 1)
        best = better
        k_tile += k_step
        v_tile += v_step
        key += TILE_N
        at += TILE_N
    here = head * splits + split
    some = tl.where(total > 0, total, 1.0)
    tl.store(o_ptr + here[:, None] * D + columns[None, :], acc / some[:, None], mask=used[:, None])
    tl.store(L_ptr + here, (best + tl.log2(total)) * 0.6931471805599453, mask=used)


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
