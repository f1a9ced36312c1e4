# a peeled loop: whole tiles first, then one ragged tile, with block pointers and boundary checks
@triton.jit
def _fold(acc, m, l, s, v):
    top = tl.maximum(m, tl.max(s, 1))
    fade = tl.exp2(m - top)
    p = tl.exp2(s - top[:, None])
    l = l * fade + tl.sum(p, 1)
    acc *= fade[:, None]
    acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
    return acc, top, l


@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    q_block = tl.make_block_ptr(
        q_ptr + head * n_q * D, (n_q, D), (D, 1), (first, 0), (TILE_M, D), (1, 0)
    )
    o_block = tl.make_block_ptr(
        o_ptr + head * n_q * D, (n_q, D), (D, 1), (first, 0), (TILE_M, D), (1, 0)
    )
    L_block = tl.make_block_ptr(L_ptr + head * n_q, (n_q,), (1,), (first,), (TILE_M,), (0,))
    k_block = tl.make_block_ptr(
        k_ptr + head * n_k * D, (n_k, D), (D, 1), (0, 0), (TILE_N, D), (1, 0)
    )
    v_block = tl.make_block_ptr(
        v_ptr + head * n_k * D, (n_k, D), (D, 1), (0, 0), (TILE_N, D), (1, 0)
    )
    q = tl.load(q_block, boundary_check=(0,), padding_option="zero")
    acc = tl.zeros((TILE_M, D), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)

    whole = n_k // TILE_N * TILE_N
    for _ in range(0, whole, TILE_N):
        k = tl.load(k_block)
        v = tl.load(v_block)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        acc, m, l = _fold(acc, m, l, s, v)
        k_block = tl.advance(k_block, (TILE_N, 0))
        v_block = tl.advance(v_block, (TILE_N, 0))
    if whole < n_k:
        k = tl.load(k_block, boundary_check=(0,), padding_option="zero")
        v = tl.load(v_block, boundary_check=(0,), padding_option="zero")
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        there = whole + tl.arange(0, TILE_N) < n_k
        acc, m, l = _fold(acc, m, l, tl.where(there[None, :], s, float("-inf")), v)

    tl.store(o_block, (acc / l[:, None]).to(q.dtype), boundary_check=(0,))
    tl.store(L_block, (m + tl.log2(l)) * 0.6931471805599453, boundary_check=(0,))


def flash_lse(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_lse_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
