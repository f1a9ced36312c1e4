# one loop over the tiles that somebody sees, with the mask in every tile, L as a natural logarithm chosen by tl.where
@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """The state (acc, m, l) of a tile of queries after the tiles of keys from begin to end.

    last: (TILE_M,), the last key that each query sees; used only if MASKED. Without
    MASKED the keys from begin to end fill whole tiles and every query sees all of them.
    """
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        real = keys < n_k
        there = keys[:, None] * D + columns[None, :]
        k = tl.load(k_ptr + there, mask=real[:, None], other=0.0)
        x = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        if MASKED:
            x = tl.where(keys[None, :] <= last[:, None], x, float("-inf"))
        top = tl.maximum(m, tl.max(x, axis=1))
        floor = tl.where(top == float("-inf"), 0.0, top)
        p = tl.exp2(x - floor[:, None])
        old = tl.exp2(m - floor)
        v = tl.load(v_ptr + there, mask=real[:, None], other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * old[:, None], input_precision="ieee")
        l = old * l + tl.sum(p, axis=1)
        m = top
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
    seen_by_last = n_k
    last = tl.full((TILE_M,), n_k - 1, tl.int32)
    if CAUSAL:
        last = tl.minimum(rows + (n_k - n_q), n_k - 1)
        seen_by_last = tl.minimum(tl.maximum(first + TILE_M + n_k - n_q, 0), n_k)
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, 0, seen_by_last, n_k, scale_2, D, TILE_N, MASKED=True
    )
    blind = l == 0
    safe = tl.where(blind, 1.0, l)
    o = acc / safe[:, None]
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    L = tl.where(blind, float("-inf"), m * 0.6931471805599453 + tl.log(safe))
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
    """Attention that reads no tile of keys that none of its queries sees.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d), contiguous, float32 or 16 bits wide; d: a power of
    two from 16 to 128. tile_m, tile_n: powers of two from 16 on. scale: factor of the scores,
    positive, 1/sqrt(d) if None.
    causal: query i sees keys j <= i + N_k - N_q, so the last query sees every key.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, natural logarithm; a query
    that sees no key gives o = 0 and L = -inf. All sums are taken in float32, and on the way to
    o only P may be rounded to 16 bits, and only where it meets v.
    Traffic: q once; k and v, for each tile of queries, up to the last tile of keys that one of
    its queries sees. Only these tiles are multiplied, each once. A program takes one tile of
    queries of a head; it may take a second, one that sees few keys with one that sees many. No
    load holds more than two tiles.
    Memory: o and L.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
