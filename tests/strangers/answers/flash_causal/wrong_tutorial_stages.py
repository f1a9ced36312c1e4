# Port of the Triton tutorial's stages: the unmasked loop runs up to the diagonal and the masked one starts there, not at a tile boundary; keys count twice when TILE_N > TILE_M or N_k - N_q is no multiple of TILE_N.
@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        offs_n = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + offs_n[:, None] * D + columns, mask=offs_n[:, None] < n_k, other=0)
        v = tl.load(v_ptr + offs_n[:, None] * D + columns, mask=offs_n[:, None] < n_k, other=0)
        qk = tl.dot(q, k.T, input_precision="ieee") * scale_2
        if MASKED:
            qk = tl.where(offs_n[None, :] <= last[:, None], qk, float("-inf"))
        m_ij = tl.maximum(m, tl.max(qk, 1))
        m_safe = tl.where(m_ij == float("-inf"), 0.0, m_ij)
        p = tl.math.exp2(qk - m_safe[:, None])
        alpha = tl.math.exp2(m - m_safe)
        l = l * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        acc = tl.dot(p.to(v.dtype), v, acc, input_precision="ieee")
        m = m_ij
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
    last = tl.zeros((TILE_M,), tl.int32) + n_k - 1
    lo, hi = n_k // TILE_N * TILE_N, n_k
    if CAUSAL:
        last = rows + n_k - n_q
        lo = tl.maximum(0, first + n_k - n_q)
        hi = tl.minimum(n_k, first + TILE_M + n_k - n_q)
    # stage 1: off the diagonal
    acc, m, l = visit_keys(acc, m, l, q, last, k_ptr, v_ptr, 0, lo, n_k, scale_2, D, TILE_N, False)
    # stage 2: on the diagonal
    acc, m, l = visit_keys(acc, m, l, q, last, k_ptr, v_ptr, lo, hi, n_k, scale_2, D, TILE_N, True)
    l_safe = tl.where(l == 0.0, 1.0, l)
    tl.store(o_ptr + here, acc / l_safe[:, None], mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


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
