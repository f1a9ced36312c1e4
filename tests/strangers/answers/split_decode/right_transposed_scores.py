# Works with S transposed (keys x rows): K q^T, reductions along axis 0, and acc as (D, rows) stored through transposed pointers; while loop with advancing pointers.
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
    ok = rows < GROUP
    line = ((b.to(tl.int64) * kv_heads + kv_head) * GROUP + rows)
    qt = tl.load(q_ptr + line[None, :] * D + columns[:, None], mask=ok[None, :], other=0.0)  # (D, ROWS)
    tiles = tl.cdiv(tl.cdiv(n, splits), TILE_N)
    begin = split * tiles * TILE_N
    end = tl.minimum(n, begin + tiles * TILE_N)
    lanes = tl.arange(0, TILE_N)
    k_at = k_ptr + (begin + lanes).to(tl.int64)[:, None] * k_row + columns[None, :]
    v_at = v_ptr + (begin + lanes).to(tl.int64)[None, :] * v_row + columns[:, None]  # (D, TILE_N)
    high = tl.full((ROWS,), float("-inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((D, ROWS), tl.float32)
    at = begin
    while at < end:
        live = at + lanes < end
        k = tl.load(k_at, mask=live[:, None], other=0.0)
        st = tl.dot(k, qt, input_precision="ieee") * scale_2  # (TILE_N, ROWS)
        st = tl.where(live[:, None], st, float("-inf"))
        top = tl.maximum(high, tl.max(st, axis=0))
        pt = tl.exp2(st - top[None, :])
        fade = tl.exp2(high - top)
        total = total * fade + tl.sum(pt, axis=0)
        vt = tl.load(v_at, mask=live[None, :], other=0.0)
        acc = acc * fade[None, :] + tl.dot(vt, pt.to(vt.dtype), input_precision="ieee")
        high = top
        k_at += TILE_N * k_row
        v_at += TILE_N * v_row
        at += TILE_N
    nothing = total == 0
    total = tl.where(nothing, 1.0, total)
    out = line * splits + split
    tl.store(o_ptr + out[None, :] * D + columns[:, None], acc / total[None, :], mask=ok[None, :])
    L = tl.where(nothing, float("-inf"), (high + tl.log2(total)) * 0.6931471805599453)
    tl.store(L_ptr + out, L, mask=ok)


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
