# Broken: "A score takes one exponential." The denominator takes another one for each score, by way of the sigmoid: e^x = sigmoid(x) / (1 - sigmoid(x)), which looks like no power.
@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    splits = tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)
    head = (b * kv_heads + kv_head).to(tl.int64) * GROUP + rows
    size = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    split = tl.program_id(0)
    q = tl.load(q_ptr + head[:, None] * D + columns, mask=rows[:, None] < GROUP, other=0.0)
    begin = split * size
    end = tl.minimum(begin + size, n)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] < end
        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=there, other=0.0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=there, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where(keys[None, :] < end, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(s - m_new[:, None])
        gate = tl.sigmoid((s - m_new[:, None]) * 0.6931471805599453)
        again = gate / (1.0 - gate)
        l = l * alpha + tl.sum(again, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    safe = tl.where(l == 0, 1.0, l)
    there_o = head * splits + split
    tl.store(L_ptr + there_o, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < GROUP)
    tl.store(o_ptr + there_o[:, None] * D + columns, acc / safe[:, None], mask=rows[:, None] < GROUP)


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
