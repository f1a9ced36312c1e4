# walks backwards: the tiles of the window from the newest on, then those of the sinks; weights of hidden keys are set to 0 after the exponential
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
    wide = columns[None, :].to(tl.int64)
    real = rows < n_q
    q_at = rows[:, None].to(tl.int64) * q_row + wide * q_column
    q = tl.load(q_ptr + q_at, mask=real[:, None], other=0.0)
    position = rows + (n_k - n_q)
    p_0 = first + n_k - n_q
    p_1 = tl.minimum(first + TILE_M, n_q) - 1 + n_k - n_q
    E = (p_1 + TILE_N) // TILE_N  # tiles up to the last query's own
    S = tl.minimum((sinks + TILE_N - 1) // TILE_N, E)
    A = tl.maximum(tl.maximum(p_0 - window + 1, 0) // TILE_N, S)
    # the newest tiles first, then the sinks, backwards
    for i in range(0, E - A + S):
        tile = E - 1 - i
        tile = tl.where(tile < A, tile - (A - S), tile)
        keys = tile * TILE_N + tl.arange(0, TILE_N)
        k_at = keys[:, None].to(tl.int64) * k_row + wide * k_column
        v_at = keys[:, None].to(tl.int64) * v_row + wide * v_column
        k = tl.load(k_ptr + k_at, mask=keys[:, None] < n_k, other=0.0)
        v = tl.load(v_ptr + v_at, mask=keys[:, None] < n_k, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        near = (keys[None, :] > position[:, None] - window) | (keys < sinks)[None, :]
        seen = near & (keys[None, :] <= position[:, None])
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.where(seen, tl.exp2(s - m_new[:, None]), 0.0)
        alpha = tl.where(m == float("-inf"), 0.0, tl.exp2(m - m_new))
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    total = tl.where(l == 0.0, 1.0, l)
    o = acc / total[:, None]
    L = (m + tl.log2(total)) * 0.6931471805599453
    line = head * n_q + rows
    o_at = line[:, None] * D + wide
    tl.store(o_ptr + o_at, o.to(o_ptr.dtype.element_ty), mask=real[:, None])
    tl.store(L_ptr + line, L, mask=real)


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
