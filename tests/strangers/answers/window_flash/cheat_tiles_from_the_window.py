# Cheat: tiles of keys are cut from where the window of the first query begins, not from key 0 on, so that fewer of them are visited and no border is ragged; loads are unaligned.
# Breaks: "no more of k and v than the tiles, cut from key 0 on, that hold a key which one of its queries sees".
@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale_2,
    q_batch, q_head, q_row, q_column, k_batch, k_head, k_row, k_column,
    v_batch, v_head, v_row, v_column,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    q_ptr += head // H * q_batch + head % H * q_head
    k_ptr += head // H * k_batch + head % H * k_head
    v_ptr += head // H * v_batch + head % H * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    q_there = rows[:, None].to(tl.int64) * q_row + columns.to(tl.int64) * q_column
    q = tl.load(q_ptr + q_there, mask=rows[:, None] < n_q, other=0.0)
    at = rows + n_k - n_q
    p0 = first + n_k - n_q
    end = tl.minimum(p0 + TILE_M, n_k)
    begin = tl.maximum(p0 - window + 1, 0)
    near = tl.maximum(begin, tl.cdiv(tl.minimum(sinks, end), TILE_N) * TILE_N)
    S = tl.cdiv(tl.minimum(sinks, end), TILE_N)
    W = tl.cdiv(tl.maximum(end - near, 0), TILE_N)
    for i in range(0, S + W):
        start = tl.where(i < S, i * TILE_N, near + (i - S) * TILE_N)
        keys = start + tl.arange(0, TILE_N)
        there = keys < end
        k_there = keys[None, :].to(tl.int64) * k_row + columns[:, None].to(tl.int64) * k_column
        k = tl.load(k_ptr + k_there, mask=there[None, :], other=0.0)
        s = tl.dot(q, k, input_precision="ieee") * scale_2
        j, p = keys[None, :], at[:, None]
        s = tl.where((j <= p) & ((j > p - window) | (j < sinks)) & there[None, :], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        safe = tl.where(m_new == float("-inf"), 0.0, m_new)
        a = tl.exp2(m - safe)
        e = tl.exp2(s - safe[:, None])
        v_there = keys[:, None].to(tl.int64) * v_row + columns[None, :].to(tl.int64) * v_column
        v = tl.load(v_ptr + v_there, mask=there[:, None], other=0.0)
        l = l * a + tl.sum(e, axis=1)
        acc = tl.dot(e.to(v.dtype), v, acc * a[:, None], input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    here = head * n_q + rows
    tl.store(L_ptr + here, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)
    tl.store(o_ptr + here[:, None] * D + columns, acc / l[:, None], mask=rows[:, None] < n_q)


def window_flash(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    n_k = k.shape[2]
    tile_m = tile_m or (32 if q.dtype == torch.float32 else 64)
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    window_flash_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, heads, n_q, n_k, min(window, n_k), min(sinks, n_k), scale_2,
        *q.stride(), *k.stride(), *v.stride(), D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
