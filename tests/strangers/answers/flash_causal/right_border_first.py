# masked tiles first, from the right to the left, then the whole ones; a bias of 0 or -inf for the mask; maximum of raw products; state merged by helper functions
@triton.jit
def _absorb(acc, m, l, products, v, c):
    higher = tl.maximum(m, tl.max(products, axis=1))
    base = tl.where(higher == float("-inf"), 0.0, higher)
    fade = tl.exp2(c * (m - base))
    w = tl.exp2(c * (products - base[:, None]))
    acc = tl.dot(w.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
    return acc, higher, l * fade + tl.sum(w, axis=1)


@triton.jit
def _tile_of(ptr, keys, n_k, D: tl.constexpr):
    at = keys[:, None] * D + tl.arange(0, D)[None, :]
    return tl.load(ptr + at, mask=keys[:, None] < n_k, other=0.0)


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, c, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    lanes = tl.arange(0, TILE_N)
    k_ptr += head * n_k * D
    v_ptr += head * n_k * D
    here = head * n_q * D + rows[:, None] * D + tl.arange(0, D)[None, :]
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0.0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    if CAUSAL:
        seen = tl.minimum(tl.maximum(rows + (1 + n_k - n_q), 0), n_k)  # keys each query sees
        fewest = tl.minimum(tl.maximum(first + 1 + n_k - n_q, 0), n_k)
        most = tl.minimum(tl.maximum(first + TILE_M + n_k - n_q, 0), n_k)
    else:
        seen = tl.zeros((TILE_M,), tl.int32) + n_k
        fewest = n_k
        most = n_k
    blue = fewest // TILE_N  # tiles without a mask
    tiles = tl.cdiv(most, TILE_N)
    for step in range(0, tiles - blue):
        keys = (tiles - 1 - step) * TILE_N + lanes
        k = _tile_of(k_ptr, keys, n_k, D)
        v = _tile_of(v_ptr, keys, n_k, D)
        bias = tl.where(keys[None, :] < seen[:, None], 0.0, float("-inf"))
        s = tl.dot(q, tl.trans(k), input_precision="ieee") + bias
        acc, m, l = _absorb(acc, m, l, s, v, c)
    for tile in range(0, blue):
        keys = tile * TILE_N + lanes
        k = _tile_of(k_ptr, keys, n_k, D)
        v = _tile_of(v_ptr, keys, n_k, D)
        s = tl.dot(q, tl.trans(k), input_precision="ieee")
        acc, m, l = _absorb(acc, m, l, s, v, c)
    empty = l == 0.0
    o = acc / tl.where(empty, 1.0, l)[:, None]
    lse = (c * m + tl.log2(tl.where(empty, 1.0, l))) * 0.6931471805599453
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    tl.store(L_ptr + head * n_q + rows, lse, mask=rows < n_q)


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
    L = torch.empty((batch, heads, n_q), dtype=torch.float32, device=q.device)
    c = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, n_q, k.shape[2], c, bool(causal), D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o, L
