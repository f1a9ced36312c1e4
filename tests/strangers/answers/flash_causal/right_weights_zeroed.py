# unseen weights are set to 0 beside unseen scores to -inf, one last-key vector for both situations
@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        key = start + tl.arange(0, TILE_N)
        at = key[:, None] * D + columns[None, :]
        if MASKED:
            k = tl.load(k_ptr + at, mask=key[:, None] < n_k, other=0)
            v = tl.load(v_ptr + at, mask=key[:, None] < n_k, other=0)
        else:
            k = tl.load(k_ptr + at)
            v = tl.load(v_ptr + at)
        x = tl.dot(q, k.T, input_precision="ieee") * scale_2
        if MASKED:
            visible = key[None, :] <= last[:, None]
            x = tl.where(visible, x, float("-inf"))
            m_new = tl.maximum(m, tl.max(x, axis=1))
            base = tl.where(m_new == float("-inf"), 0.0, m_new)
            p = tl.where(visible, tl.exp2(x - base[:, None]), 0.0)
            alpha = tl.exp2(m - base)
        else:
            m_new = tl.maximum(m, tl.max(x, axis=1))
            p = tl.exp2(x - m_new[:, None])
            alpha = tl.exp2(m - m_new)
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    return acc, m, l


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + tl.arange(0, D)
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    n_all = n_k + 0 * first
    n_any = n_k + 0 * first
    last = tl.zeros((TILE_M,), tl.int32) + (n_k - 1)
    if CAUSAL:
        n_all = tl.minimum(tl.maximum(first + 1 + n_k - n_q, 0), n_k)
        n_any = tl.minimum(tl.maximum(first + TILE_M + n_k - n_q, 0), n_k)
        last = tl.minimum(last, rows + n_k - n_q)
    edge = n_all - n_all % TILE_N
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, 0, edge, n_k, scale_2,
        D=D, TILE_N=TILE_N, MASKED=False,
    )  # fmt: skip
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, edge, n_any, n_k, scale_2,
        D=D, TILE_N=TILE_N, MASKED=True,
    )  # fmt: skip
    empty = l == 0.0
    whole = tl.where(empty, 1.0, l)
    L = tl.where(empty, float("-inf"), (m + tl.log2(whole)) * 0.6931471805599453)
    o = acc / whole[:, None]
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, L, mask=rows < n_q)


def flash_causal(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
