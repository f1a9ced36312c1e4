# Tiles of the window begin at the oldest key itself and not at a multiple of the tile: as few of them or fewer; the first ones are those of the sinks.
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
    q = tl.load(q_ptr + rows[:, None] * q_row + columns * q_column, mask=rows[:, None] < n_q, other=0)
    p0 = first + n_k - n_q
    p1 = tl.minimum(first + TILE_M, n_q) - 1 + n_k - n_q
    n_sink = tl.minimum(tl.cdiv(sinks, TILE_N), p1 // TILE_N + 1)
    left = tl.maximum(p0 - window + 1, n_sink * TILE_N)
    rounds = n_sink + tl.cdiv(tl.maximum(p1 + 1 - left, 0), TILE_N)
    for i in range(0, rounds):
        if i < n_sink:
            start = i * TILE_N
        else:
            start = left + (i - n_sink) * TILE_N
        keys = start + tl.arange(0, TILE_N)
        ok = keys[:, None] < n_k
        k = tl.load(k_ptr + keys[:, None] * k_row + columns * k_column, mask=ok, other=0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns * v_column, mask=ok, other=0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        p = rows[:, None] + n_k - n_q
        s = tl.where(keys <= p, s, float("-inf"))
        s = tl.where((keys > p - window) | (keys < sinks), s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - shift)
        w = tl.exp2(s - shift[:, None])
        l = alpha * l + tl.sum(w, axis=1)
        acc = acc * alpha[:, None] + tl.dot(w.to(v.dtype), v, input_precision="ieee")
        m = m_new
    here = head * n_q + rows
    tl.store(o_ptr + here[:, None] * D + columns, acc / l[:, None], mask=rows[:, None] < n_q)
    tl.store(L_ptr + here, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


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
