# All tiles transposed, keys down and heads across; the split is counted in tiles, and an empty one gets the divisor 1.
@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)
    head = (b * kv_heads + kv_head).to(tl.int64) * GROUP + rows
    is_head = rows < GROUP
    q_t = tl.load(q_ptr + head[None, :] * D + columns[:, None], mask=is_head[None, :], other=0.0)
    tiles = tl.cdiv(tl.cdiv(n, splits), TILE_N)
    first = split * tiles
    last = tl.minimum(first + tiles, tl.cdiv(n, TILE_N))
    lane = tl.arange(0, TILE_N)
    top = tl.full((ROWS,), float("-inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((D, ROWS), tl.float32)
    for tile in range(first, last):
        key = (tile * TILE_N + lane).to(tl.int64)
        there = key < n
        k = tl.load(k_ptr + key[:, None] * k_row + columns[None, :], mask=there[:, None], other=0.0)
        v_t = tl.load(v_ptr + key[None, :] * v_row + columns[:, None], mask=there[None, :], other=0.0)
        s = tl.dot(k, q_t, input_precision="ieee") * scale_2
        s = tl.where(there[:, None], s, float("-inf"))
        new = tl.maximum(top, tl.max(s, axis=0))
        factor = tl.exp2(top - new)
        w = tl.exp2(s - new[None, :])
        total = total * factor + tl.sum(w, axis=0)
        acc = acc * factor[None, :] + tl.dot(v_t, w.to(v_t.dtype), input_precision="ieee")
        top = new
    if first >= last:
        total += 1.0
    place = head * splits + split
    o = acc / total[None, :]
    tl.store(o_ptr + place[None, :] * D + columns[:, None], o, mask=is_head[None, :])
    tl.store(L_ptr + place, (top + tl.log2(total)) * 0.6931471805599453, mask=is_head)


def split_decode(q, k, v, lengths, splits, scale=None, tile_n=64):
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
    )
    return o, L
