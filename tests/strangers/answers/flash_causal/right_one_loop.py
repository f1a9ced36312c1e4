# one loop for all tiles, heavy programs first (pid reversed), the mask by one comparison
@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    NEG: tl.constexpr = float("-inf")
    LN2: tl.constexpr = 0.6931471805599453
    pid = tl.num_programs(0) - 1 - tl.program_id(0)
    head = tl.program_id(1).to(tl.int64)
    rows = pid * TILE_M + tl.arange(0, TILE_M)
    dims = tl.arange(0, D)
    here = rows[:, None] * D + dims[None, :]
    real = rows < n_q
    q = tl.load(q_ptr + head * n_q * D + here, mask=real[:, None], other=0)

    bound = tl.zeros((TILE_M,), tl.int32) + n_k  # keys below this are seen
    end = n_k
    if CAUSAL:
        bound = tl.minimum(rows + 1 + n_k - n_q, n_k)
        end = tl.minimum(n_k, (pid + 1) * TILE_M + n_k - n_q)

    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), NEG, tl.float32)
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + dims[None, :]
        k = tl.load(k_ptr + head * n_k * D + there, mask=(keys < n_k)[:, None], other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        s = tl.where(keys[None, :] < bound[:, None], s, NEG)
        m_new = tl.maximum(m, tl.max(s, axis=1))
        anchor = tl.where(m_new == NEG, 0.0, m_new)
        fade = tl.exp2(m - anchor)
        p = tl.exp2(s - anchor[:, None])
        v = tl.load(v_ptr + head * n_k * D + there, mask=(keys < n_k)[:, None], other=0)
        acc = tl.dot(p.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
        l = l * fade + tl.sum(p, axis=1)
        m = m_new

    o = acc / tl.where(l == 0, 1.0, l)[:, None]
    tl.store(o_ptr + head * n_q * D + here, o.to(q.dtype), mask=real[:, None])
    tl.store(L_ptr + head * n_q + rows, (m + tl.log2(l)) * LN2, mask=real)


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
