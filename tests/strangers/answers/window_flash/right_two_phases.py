# two runs of tiles, the second from max(A, S) on, unrolled over a static phase; keeps the contract
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
    q_there = rows.to(tl.int64)[:, None] * q_row + columns[None, :].to(tl.int64) * q_column
    q = tl.load(q_ptr + q_there, mask=rows[:, None] < n_q, other=0)
    position = rows + n_k - n_q
    p_first = first + n_k - n_q
    p_last = tl.minimum(first + TILE_M, n_q) - 1 + n_k - n_q
    S = tl.cdiv(sinks, TILE_N)
    A = tl.maximum(p_first - window + 1, 0) // TILE_N
    E = tl.cdiv(p_last + 1, TILE_N)
    G = tl.maximum(A - S, 0)
    for phase in tl.static_range(2):
        if phase == 0:  # the sinks' tiles
            start, stop = 0, tl.minimum(S, E)
        else:  # the window's tiles that are not among them
            start, stop = tl.maximum(A, S), E
        for tile in range(start, stop):
            keys = tile * TILE_N + tl.arange(0, TILE_N)
            real = keys[:, None] < n_k
            far = keys.to(tl.int64)[:, None]
            wide = columns[None, :].to(tl.int64)
            k = tl.load(k_ptr + far * k_row + wide * k_column, mask=real, other=0)
            v = tl.load(v_ptr + far * v_row + wide * v_column, mask=real, other=0)
            s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
            near = (keys[None, :] > position[:, None] - window) | (keys[None, :] < sinks)
            s = tl.where((keys[None, :] <= position[:, None]) & near, s, float("-inf"))
            m_new = tl.maximum(m, tl.max(s, axis=1))
            shift = tl.where(m_new == float("-inf"), 0.0, m_new)
            alpha = tl.exp2(m - shift)
            p = tl.exp2(s - shift[:, None])
            l = l * alpha + tl.sum(p, axis=1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = m_new
    l = tl.where(l == 0, 1.0, l)
    here = head * n_q + rows
    o_there = here[:, None] * D + columns[None, :]
    tl.store(o_ptr + o_there, acc / l[:, None], mask=rows[:, None] < n_q)
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
