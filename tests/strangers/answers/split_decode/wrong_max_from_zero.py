# Wrong: the running maximum starts at 0 instead of -inf, so a split whose scores all lie far below 0 (under about -100 natural) underflows to l = 0 and is answered as an empty split (o = 0, L = -inf), and somewhat less negative scores lose precision; ordinary scores are right.
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
    base = (b * kv_heads + kv_head) * GROUP
    head_mask = rows < GROUP
    q = tl.load(q_ptr + (base + rows)[:, None] * D + columns[None, :], mask=head_mask[:, None], other=0.0)
    keys_per_split = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    lo = keys_per_split * split
    hi = tl.minimum(lo + keys_per_split, n)
    e_max = tl.zeros((ROWS,), tl.float32)
    e_sum = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start_n in range(lo, hi, TILE_N):
        offs_n = start_n + tl.arange(0, TILE_N)
        mask_n = offs_n < hi
        k = tl.load(k_ptr + offs_n[:, None].to(tl.int64) * k_row + columns, mask=mask_n[:, None], other=0.0)
        v = tl.load(v_ptr + offs_n[:, None].to(tl.int64) * v_row + columns, mask=mask_n[:, None], other=0.0)
        qk = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        qk = tl.where(mask_n[None, :], qk, float("-inf"))
        n_e_max = tl.maximum(tl.max(qk, 1), e_max)
        re_scale = tl.exp2(e_max - n_e_max)
        p = tl.exp2(qk - n_e_max[:, None])
        acc = acc * re_scale[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        e_sum = e_sum * re_scale + tl.sum(p, 1)
        e_max = n_e_max
    empty = e_sum == 0.0
    divisor = tl.where(empty, 1.0, e_sum)
    lse = tl.where(empty, float("-inf"), (e_max + tl.log2(divisor)) * 0.6931471805599453)
    out = (base + rows) * splits + split
    tl.store(o_ptr + out[:, None] * D + columns, acc / divisor[:, None], mask=head_mask[:, None])
    tl.store(L_ptr + out, lse, mask=head_mask)


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
