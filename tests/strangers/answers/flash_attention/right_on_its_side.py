# scores transposed, state in rows, border tiles from the right and then the whole ones to the left in one countdown; raw maximum; launcher with a table of layouts
@triton.jit
def flash_attention_kernel(
    q_desc, k_desc, v_desc, o_desc, L_ptr, H, n_q, n_k, c, CAUSAL: tl.constexpr
):
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    tile = tl.program_id(0)
    if CAUSAL:
        tile = tl.num_programs(0) - 1 - tile
    head = tl.program_id(1)
    b = head // H
    h = head - b * H
    first = tile * TILE_M
    rows = first + tl.arange(0, TILE_M)
    lanes = tl.arange(0, TILE_N)
    q_t = tl.trans(q_desc.load([b, h, first, 0]).reshape(TILE_M, D))
    top = tl.full((TILE_M,), float("-inf"), tl.float32)
    den = tl.zeros((TILE_M,), tl.float32)
    num_t = tl.zeros((D, TILE_M), tl.float32)
    fewest = n_k
    most = n_k
    limit = tl.full((TILE_M,), 0, tl.int32) + n_k
    if CAUSAL:
        limit = rows + 1 + n_k - n_q
        fewest = tl.maximum(first + 1 + n_k - n_q, 0)
        most = tl.minimum(tl.maximum(first + TILE_M + n_k - n_q, 0), n_k)
    tiles = tl.cdiv(most, TILE_N)
    for step in range(0, tiles):
        start = (tiles - 1 - step) * TILE_N
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        s_t = tl.dot(k, q_t, input_precision="ieee")
        stop = start + TILE_N
        if (stop > fewest) | (stop > n_k):
            key = start + lanes[:, None]
            s_t = tl.where((key < limit[None, :]) & (key < n_k), s_t, float("-inf"))
        higher = tl.maximum(top, tl.max(s_t, axis=0))
        base = tl.where(higher == float("-inf"), 0.0, higher)
        w_t = tl.exp2(c * (s_t - base[None, :]))
        fade = tl.exp2(c * (top - base))
        den = den * fade + tl.sum(w_t, axis=0)
        num_t = tl.dot(
            tl.trans(v), w_t.to(v.dtype), num_t * fade[None, :], input_precision="ieee"
        )
        top = higher
    safe = tl.where(den == 0.0, 1.0, den)
    o = tl.trans(num_t / safe[None, :])
    o_desc.store([b, h, first, 0], o.to(o_desc.dtype).reshape(1, 1, TILE_M, D))
    L = (c * top + tl.log2(safe)) * 0.6931471805599453
    tl.store(L_ptr + head.to(tl.int64) * n_q + rows, L, mask=rows < n_q)


def flash_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    n_k = k.shape[2]
    if q.dtype == torch.float32:
        default_m, default_n = 32, 32
    else:
        default_m, default_n = 64, 128
    tile_m = default_m if tile_m is None else tile_m
    tile_n = default_n if tile_n is None else tile_n

    def describe(x, tile):
        width = x.element_size()
        good = x.stride(3) == 1 and x.data_ptr() % 16 == 0
        for axis in (0, 1, 2):
            step = x.stride(axis) * width
            good = good and step > 0 and step % 16 == 0
        if not good:
            x = x.clone(memory_format=torch.contiguous_format)
        return TensorDescriptor(x, list(x.shape), list(x.stride()), [1, 1, tile, d])

    o = torch.empty((batch, heads, n_q, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads, n_q), dtype=torch.float32, device=q.device)
    c = (d**-0.5 if scale is None else scale) / math.log(2.0)
    flash_attention_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        describe(q, tile_m), describe(k, tile_n), describe(v, tile_n), describe(o, tile_m),
        L, heads, n_q, n_k, c, CAUSAL=bool(causal), num_stages=2 if d <= 64 else 1,
    )  # fmt: skip
    return o, L
