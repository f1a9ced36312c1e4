# lesson 10's kernel kept: the maximum of the raw scores, scaled in the exponent; with a negative scale that is the minimum, and e^ overflows
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

    inside = rows < n_q
    at = q_ptr + rows[:, None] * q_row + columns[None, :] * q_column
    q = tl.load(at, mask=inside[:, None], other=0.0)
    p = rows + (n_k - n_q)
    p_first = first + (n_k - n_q)
    p_last = tl.minimum(p_first + TILE_M, n_k) - 1
    sink_tiles = (sinks + TILE_N - 1) // TILE_N
    gap = tl.maximum(tl.maximum(p_first - window + 1, 0) // TILE_N - sink_tiles, 0)
    for i in range(0, p_last // TILE_N + 1 - gap):
        tile = tl.where(i < sink_tiles, i, i + gap)
        j = tile * TILE_N + tl.arange(0, TILE_N)
        here = j < n_k
        k = tl.load(k_ptr + j[:, None] * k_row + columns[None, :] * k_column, mask=here[:, None], other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee")
        seen = here[None, :] & (j[None, :] <= p[:, None])
        seen = seen & ((j[None, :] > p[:, None] - window) | (j[None, :] < sinks))
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - shift)
        e = tl.where(seen, tl.exp2(s * scale_2 - shift[:, None]), 0.0)
        l = l * alpha + tl.sum(e, axis=1)
        v = tl.load(v_ptr + j[:, None] * v_row + columns[None, :] * v_column, mask=here[:, None], other=0.0)
        acc = acc * alpha[:, None] + tl.dot(e.to(v.dtype), v, input_precision="ieee")
        m = m_new
    l = tl.where(inside, l, 1.0)

    o_ptr += head * n_q * D
    tl.store(o_ptr + rows[:, None] * D + columns[None, :], acc / l[:, None], mask=inside[:, None])
    tl.store(L_ptr + head * n_q + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=inside)


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
