# Right: works on transposed scores (keys x heads) and a transposed accumulator (d x heads), so reductions run along axis 0.
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
    real = rows < GROUP
    heads = (b.to(tl.int64) * kv_heads + kv_head) * GROUP + rows
    q_t = tl.load(q_ptr + columns[:, None] + heads[None, :] * D, mask=real[None, :], other=0.0)
    share = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * share
    end = tl.minimum(begin + share, n)
    top = tl.full((ROWS,), float("-inf"), tl.float32)
    weight = tl.zeros((ROWS,), tl.float32)
    acc_t = tl.zeros((D, ROWS), tl.float32)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys < end
        far = keys.to(tl.int64)
        k = tl.load(k_ptr + far[:, None] * k_row + columns[None, :], mask=there[:, None], other=0.0)
        s_t = tl.dot(k, q_t, input_precision="ieee") * scale_2  # (TILE_N, ROWS)
        s_t = tl.where(there[:, None], s_t, float("-inf"))
        top_new = tl.maximum(top, tl.max(s_t, axis=0))  # finite: a tile has a key
        fade = tl.exp2(top - top_new)
        p_t = tl.exp2(s_t - top_new[None, :])
        v_t = tl.load(v_ptr + far[None, :] * v_row + columns[:, None], mask=there[None, :], other=0.0)
        acc_t = acc_t * fade[None, :] + tl.dot(v_t, p_t.to(v_t.dtype), input_precision="ieee")
        weight = weight * fade + tl.sum(p_t, axis=0)
        top = top_new
    weight = tl.where(weight == 0.0, 1.0, weight)
    here = heads * splits + split
    tl.store(o_ptr + here[None, :] * D + columns[:, None], acc_t / weight[None, :], mask=real[None, :])
    tl.store(L_ptr + here, (top + tl.log2(weight)) * 0.6931471805599453, mask=real)


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
