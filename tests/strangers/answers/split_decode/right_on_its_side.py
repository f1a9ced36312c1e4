# scores and output transposed (keys down, heads across), tiles counted by number, natural exponentials of scaled scores
@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: the query heads of one KV head meet one split of a sequence's keys."""
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head  # can pass 2^31
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)  # the first GROUP are query heads, the others fill the tile

    LN2: tl.constexpr = 0.6931471805599453
    per_split = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * per_split
    length = tl.maximum(tl.minimum(n - begin, per_split), 0)  # keys of this split
    inside = rows < GROUP
    row_of_q = (b * kv_heads + kv_head).to(tl.int64) * GROUP + rows
    q_t = tl.load(
        q_ptr + row_of_q[None, :] * D + columns[:, None], mask=inside[None, :], other=0.0
    )  # (D, ROWS)
    top = tl.full((ROWS,), float("-inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    out_t = tl.zeros((D, ROWS), tl.float32)
    for tile in range(0, tl.cdiv(length, TILE_N)):
        local = tile * TILE_N + tl.arange(0, TILE_N)
        valid = local < length
        key = (begin + local).to(tl.int64)
        k_tile = tl.load(
            k_ptr + key[:, None] * k_row + columns[None, :], mask=valid[:, None], other=0.0
        )
        v_t = tl.load(
            v_ptr + key[None, :] * v_row + columns[:, None], mask=valid[None, :], other=0.0
        )  # (D, TILE_N)
        s_t = tl.dot(k_tile, q_t, input_precision="ieee") * (scale_2 * LN2)
        s_t = tl.where(valid[:, None], s_t, float("-inf"))
        top_new = tl.maximum(top, tl.max(s_t, axis=0))
        p_t = tl.exp(s_t - top_new[None, :])
        past = tl.exp(top - top_new)
        total = total * past + tl.sum(p_t, axis=0)
        out_t = out_t * past[None, :]
        out_t += tl.dot(v_t, p_t.to(v_t.dtype), input_precision="ieee")
        top = top_new
    divisor = tl.where(total > 0.0, total, 1.0)
    place = row_of_q * splits + split
    tl.store(
        o_ptr + place[None, :] * D + columns[:, None],
        out_t / divisor[None, :],
        mask=inside[None, :],
    )
    tl.store(L_ptr + place, top + tl.log(divisor), mask=inside)


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
