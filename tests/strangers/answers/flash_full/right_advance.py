# block pointers that advance, keys read transposed
@triton.jit
def flash_full_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    of_queries, of_keys = head * n_q * D, head * n_k * D
    q_block = tl.make_block_ptr(q_ptr + of_queries, (n_q, D), (D, 1), (first, 0), (TILE_M, D), (1, 0))
    o_block = tl.make_block_ptr(o_ptr + of_queries, (n_q, D), (D, 1), (first, 0), (TILE_M, D), (1, 0))
    k_block = tl.make_block_ptr(k_ptr + of_keys, (D, n_k), (1, D), (0, 0), (D, TILE_N), (0, 1))
    v_block = tl.make_block_ptr(v_ptr + of_keys, (n_k, D), (D, 1), (0, 0), (TILE_N, D), (1, 0))

    q = tl.load(q_block)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for _ in range(0, n_k, TILE_N):
        s = tl.dot(q, tl.load(k_block), input_precision="ieee") * scale
        m_new = tl.maximum(m, tl.max(s, axis=1))
        fade = tl.exp(m - m_new)
        p = tl.exp(s - m_new[:, None])
        l = l * fade + tl.sum(p, axis=1)
        v = tl.load(v_block)
        acc = tl.dot(p.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
        m = m_new
        k_block = tl.advance(k_block, (0, TILE_N))
        v_block = tl.advance(v_block, (TILE_N, 0))
    tl.store(o_block, (acc / l[:, None]).to(q.dtype))


def flash_full(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (n_q // tile_m, batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_full_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
