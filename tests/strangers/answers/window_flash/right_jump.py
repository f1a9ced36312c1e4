# a while loop over the first key of a tile that jumps from the last sink tile to the window, natural logarithms
@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale_2,
    q_batch, q_head, q_row, q_column, k_batch, k_head, k_row, k_column,
    v_batch, v_head, v_row, v_column,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of queries of one head meets the tiles of keys that they see."""
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
    real = rows < n_q
    q_there = rows[:, None].to(tl.int64) * q_row + columns * q_column
    q = tl.load(q_ptr + q_there, mask=real[:, None], other=0)
    position = rows + n_k - n_q
    p_0 = first + n_k - n_q
    p_1 = tl.minimum(first + TILE_M, n_q) - 1 + n_k - n_q
    oldest = tl.maximum(p_0 - window + 1, 0) // TILE_N * TILE_N  # the window's first tile
    start = tl.where(sinks > 0, 0, oldest)
    while start <= p_1:
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None].to(tl.int64)
        inside = keys[:, None] < n_k
        k = tl.load(k_ptr + there * k_row + columns * k_column, mask=inside, other=0)
        v = tl.load(v_ptr + there * v_row + columns * v_column, mask=inside, other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * (scale_2 * 0.6931471805599453)
        near = keys > position[:, None] - window
        seen = (keys <= position[:, None]) & (near | (keys < sinks))
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp(m - shift)
        p = tl.exp(s - shift[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = alpha[:, None] * acc + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
        start += TILE_N
        start = tl.where(start < sinks, start, tl.maximum(start, oldest))
    o_there = (head * n_q + rows[:, None]) * D + columns
    tl.store(o_ptr + o_there, acc / l[:, None], mask=real[:, None])
    L = m + tl.log(l)
    tl.store(L_ptr + head * n_q + rows, L, mask=real)


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
