# v's column stride is taken for 1
@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale_2,
    q_batch, q_head, q_row, q_column, k_batch, k_head, k_row, k_column,
    v_batch, v_head, v_row, v_column,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)  # counts the heads of all batches
    q_ptr += head // H * q_batch + head % H * q_head
    k_ptr += head // H * k_batch + head % H * k_head
    v_ptr += head // H * v_batch + head % H * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    q_there = rows.to(tl.int64)[:, None] * q_row + columns[None, :] * q_column
    q = tl.load(q_ptr + q_there, mask=rows[:, None] < n_q, other=0.0)
    positions = rows + n_k - n_q
    p0 = first + n_k - n_q
    p1 = tl.minimum(first + TILE_M, n_q) - 1 + n_k - n_q
    S = tl.cdiv(sinks, TILE_N)
    A = tl.maximum(p0 - window + 1, 0) // TILE_N
    E = tl.cdiv(p1 + 1, TILE_N)
    G = tl.maximum(A - S, 0)
    for i in range(0, E - G):
        tile = i
        if i >= S:
            tile = i + G
        keys = tile * TILE_N + tl.arange(0, TILE_N)
        far = keys.to(tl.int64)[:, None]
        k = tl.load(k_ptr + far * k_row + columns * k_column, mask=keys[:, None] < n_k, other=0.0)
        v = tl.load(v_ptr + far * v_row + columns, mask=keys[:, None] < n_k, other=0.0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        distance = positions[:, None] - keys[None, :]
        seen = (distance >= 0) & ((distance < window) | (keys[None, :] < sinks))
        seen = seen & (keys[None, :] < n_k)
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s - shift[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = alpha[:, None] * acc + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    l_safe = tl.where(l == 0.0, 1.0, l)
    here = (head * n_q + rows[:, None]) * D + columns
    tl.store(o_ptr + here, acc / l_safe[:, None], mask=rows[:, None] < n_q)
    tl.store(L_ptr + head * n_q + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


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