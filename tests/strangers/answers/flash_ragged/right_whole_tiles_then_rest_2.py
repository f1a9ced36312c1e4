# two phases through one helper: whole tiles of keys without a mask on the scores, then at most one tile that is masked; the state is passed as a tuple; right
@triton.jit
def meet(q, m, l, acc, k_ptr, v_ptr, start, n_k, scale, D: tl.constexpr, TILE_N: tl.constexpr,
         CUT: tl.constexpr):  # fmt: skip
    keys = start + tl.arange(0, TILE_N)
    there = keys[:, None] * D + tl.arange(0, D)[None, :]
    if CUT:
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0.0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0.0)
    else:
        k = tl.load(k_ptr + there)
        v = tl.load(v_ptr + there)
    s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
    if CUT:
        s += tl.where(keys < n_k, 0.0, float("-inf"))[None, :]
    m_new = tl.maximum(m, tl.max(s, axis=1))
    p = tl.exp(s - m_new[:, None])
    a = tl.exp(m - m_new)
    acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
    return m_new, l * a + tl.sum(p, axis=1), acc


@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)  # offsets of whole heads can pass 2^31
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0.0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    whole = n_k // TILE_N * TILE_N
    for start in range(0, whole, TILE_N):
        m, l, acc = meet(q, m, l, acc, k_ptr, v_ptr, start, n_k, scale, D, TILE_N, False)
    if whole < n_k:
        m, l, acc = meet(q, m, l, acc, k_ptr, v_ptr, whole, n_k, scale, D, TILE_N, True)
    o = acc / l[:, None]
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)


def flash_ragged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
