# Takes the sizes of the tiles as they come: None, which is the default, is no number
@triton.jit
def flash_attention_kernel(
    q_desc, k_desc, v_desc, o_desc, L_ptr, H, n_q, n_k, scale_2, CAUSAL: tl.constexpr
):
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    tile = tl.program_id(0)
    if CAUSAL:
        tile = tl.num_programs(0) - 1 - tile  # the last queries see most keys: they start first
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tile * TILE_M
    rows = first + tl.arange(0, TILE_M)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    NEG: tl.constexpr = float("-inf")
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    if CAUSAL:
        visible = tl.minimum(tl.maximum(rows + 1 + n_k - n_q, 0), n_k)
    else:
        visible = tl.zeros((TILE_M,), tl.int32) + n_k
    fewest = tl.min(visible, axis=0)
    most = tl.max(visible, axis=0)
    lane = tl.arange(0, TILE_N)
    for start in range(0, most, TILE_N):
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        t = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        if start + TILE_N > fewest:
            t = tl.where((start + lane)[None, :] < visible[:, None], t, NEG)
        top = tl.maximum(m, tl.max(t, 1))
        base = tl.where(top == NEG, 0.0, top)
        w = tl.exp2(t - base[:, None])
        fade = tl.exp2(m - base)
        l = l * fade + tl.sum(w, 1)
        acc = acc * fade[:, None]
        acc += tl.dot(w.to(v.dtype), v, input_precision="ieee")
        m = top
    blind = l == 0.0
    inverse = 1.0 / tl.where(blind, 1.0, l)
    o_desc.store([b, h, first, 0], (acc * inverse[:, None]).to(o_desc.dtype).reshape(1, 1, TILE_M, D))
    L = tl.where(blind, NEG, m * 0.6931471805599453 - tl.log(inverse))
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

    def tiles(x: Tensor, tile: int) -> TensorDescriptor:
        return TensorDescriptor(x, list(x.shape), list(x.stride()), [1, 1, tile, d])

    def aligned(x: Tensor) -> Tensor:
        steps = [x.data_ptr(), *(step * x.element_size() for step in x.stride()[:3])]
        fits = x.stride(3) == 1 and all(step > 0 and step % 16 == 0 for step in steps)
        return x if fits else x.clone(memory_format=torch.contiguous_format)

    batch, heads, n_q, d = q.shape
    best_m, best_n = (32, 32) if q.dtype == torch.float32 else (64, 128)
    stages = 2 if d <= 64 else 1  # at d = 128 three programs that wait beat one that does not
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    q, k, v = aligned(q), aligned(k), aligned(v)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_attention_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(q, tile_m), tiles(k, tile_n), tiles(v, tile_n), tiles(o, tile_m), L,
        heads, n_q, k.shape[2], scale_2, CAUSAL=causal, num_stages=stages,
    )  # fmt: skip
    return o, L
