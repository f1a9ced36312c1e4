# right: one loop with the mask everywhere, from the last visible tile to the first, with natural exponentials and a guard in every round
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
    columns = tl.arange(0, D)
    scale = scale_2 * 0.6931471805599453
    hidden_after = n_k - n_q + rows  # the last key that each query sees
    end = n_k
    if not CAUSAL:
        hidden_after = rows * 0 + (n_k - 1)
    else:
        end = tl.minimum(end, tl.maximum(first + TILE_M + n_k - n_q, 0))
    tiles = tl.cdiv(end, TILE_N)
    for turn in range(0, tiles):
        keys = (tiles - 1 - turn) * TILE_N + tl.arange(0, TILE_N)
        inside = keys[:, None] < n_k
        k = tl.load(k_ptr + (keys[:, None] * D + columns), mask=inside, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        s = tl.where(keys[None, :] > hidden_after[:, None], float("-inf"), s)
        top = tl.maximum(tl.max(s, 1), m)
        anchor = tl.where(top > float("-inf"), top, 0.0)
        p = tl.exp(s - anchor[:, None])
        fade = tl.exp(m - anchor)
        v = tl.load(v_ptr + (keys[:, None] * D + columns), mask=inside, other=0.0)
        acc = acc * fade[:, None]
        acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l = l * fade + tl.sum(p, 1)
        m = top
    inverse = tl.where(l > 0, 1.0 / l, 0.0)
    tl.store(o_ptr + here, acc * inverse[:, None], mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, m + tl.log(l), mask=rows < n_q)


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
