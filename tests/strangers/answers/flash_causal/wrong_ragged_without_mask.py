# Without `causal` all tiles go to the unmasked loop: the keys of zeros in a ragged last tile count.
@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """The state (acc, m, l) of a tile of queries after the tiles of keys from begin to end."""
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns[None, :]
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        if MASKED:
            s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s * scale_2 - shift[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None]
        acc = tl.dot(p.to(v.dtype), v, acc, input_precision="ieee")
        m = m_new
    return acc, m, l


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet the tiles of keys that they see."""
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
        seen_by_all = tl.minimum(tl.maximum(first + 1 + n_k - n_q, 0), n_k)
        seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)
        last = tl.minimum(rows + n_k - n_q, n_k - 1)
    else:
        seen_by_all = n_k
        seen_by_any = n_k
        last = tl.zeros((TILE_M,), tl.int32) + n_k - 1
    whole = seen_by_all // TILE_N * TILE_N if CAUSAL else n_k
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, 0, whole, n_k, scale_2, D, TILE_N, False
    )
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, whole, seen_by_any, n_k, scale_2, D, TILE_N, True
    )
    L = (m + tl.log2(tl.where(l == 0.0, 1.0, l))) * 0.6931471805599453
    o = acc / tl.where(l == 0.0, 1.0, l)[:, None]
    tl.store(o_ptr + here, o, mask=rows[:, None] < n_q)
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
