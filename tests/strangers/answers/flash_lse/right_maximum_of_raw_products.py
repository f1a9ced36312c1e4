# m is the maximum of the products q k^T themselves, the constant c multiplies differences; loop over tiles by number, whole tiles first; L = (c m + log2 l) ln 2
@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, c,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    tile, head = tl.program_id(0), tl.program_id(1).to(tl.int64)
    dims = tl.arange(0, D)
    rows = tile * TILE_M + tl.arange(0, TILE_M)
    lanes = tl.arange(0, TILE_N)
    at_rows = (head * n_q + rows) * D
    q = tl.load(q_ptr + at_rows[:, None] + dims, mask=rows[:, None] < n_q, other=0.0)
    top = tl.full((TILE_M,), float("-inf"), tl.float32)
    den = tl.zeros((TILE_M,), tl.float32)
    num = tl.zeros((TILE_M, D), tl.float32)
    for number in range(0, tl.cdiv(n_k, TILE_N)):
        left = n_k - number * TILE_N  # keys from this tile on
        at_keys = (head * n_k + number * TILE_N + lanes) * D
        there = at_keys[:, None] + dims
        k = tl.load(k_ptr + there, mask=lanes[:, None] < left, other=0.0)
        v = tl.load(v_ptr + there, mask=lanes[:, None] < left, other=0.0)
        products = tl.dot(q, tl.trans(k), input_precision="ieee")
        if left < TILE_N:
            products = tl.where(lanes[None, :] < left, products, float("-inf"))
        higher = tl.maximum(top, tl.max(products, axis=1))
        fade = tl.exp2(c * (top - higher))
        weights = tl.exp2(c * (products - higher[:, None]))
        den = den * fade + tl.sum(weights, axis=1)
        num = tl.dot(weights.to(v.dtype), v, num * fade[:, None], input_precision="ieee")
        top = higher
    o = num / den[:, None]
    tl.store(
        o_ptr + at_rows[:, None] + dims, o.to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q
    )
    tl.store(
        L_ptr + head * n_q + rows, (c * top + tl.log2(den)) * 0.6931471805599453, mask=rows < n_q
    )


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
    L = torch.empty((batch, heads, n_q), dtype=torch.float32, device=q.device)
    if scale is None:
        scale = 1.0 / math.sqrt(d)
    flash_lse_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, n_q, k.shape[2], scale / math.log(2.0), D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o, L
