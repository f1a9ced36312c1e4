# helper jit functions: one loads rows, one takes a step of the online softmax
@triton.jit
def _load_rows(base, rows, n, D: tl.constexpr):
    at = rows[:, None] * D + tl.arange(0, D)[None, :]
    return tl.load(base + at, mask=(rows < n)[:, None], other=0.0)


@triton.jit
def _step(acc, m, l, s, v):
    m_new = tl.maximum(m, tl.max(s, 1))
    fade = tl.exp(m - m_new)
    p = tl.exp(s - m_new[:, None])
    acc = tl.dot(p.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
    return acc, m_new, fade * l + tl.sum(p, 1)


@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    q = _load_rows(q_ptr + head * n_q * D, rows, n_q, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = _load_rows(k_ptr + head * n_k * D, keys, n_k, D)
        v = _load_rows(v_ptr + head * n_k * D, keys, n_k, D)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        s = tl.where((keys < n_k)[None, :], s, float("-inf"))
        acc, m, l = _step(acc, m, l, s, v)
    at = rows[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(
        o_ptr + head * n_q * D + at, (acc / l[:, None]).to(q.dtype), mask=(rows < n_q)[:, None]
    )


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
