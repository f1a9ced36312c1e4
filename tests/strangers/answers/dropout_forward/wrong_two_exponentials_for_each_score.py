# Carries the log-sum-exp and a normalised output: each score takes two exponentials, one for its tile's sum and one for its weight.
@triton.jit
def dropout_forward_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale, threshold, rescale, seed, offset, tiles,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(0) // tiles
    first = tl.program_id(0) % tiles * TILE_M
    i, c = first + tl.arange(0, TILE_M), tl.arange(0, D)
    q_ptr += head.to(tl.int64) * n_q * D
    o_ptr += head.to(tl.int64) * n_q * D
    k_ptr += head.to(tl.int64) * n_k * D
    v_ptr += head.to(tl.int64) * n_k * D
    L_ptr += head.to(tl.int64) * n_q
    q = tl.load(q_ptr + i[:, None] * D + c[None, :], mask=i[:, None] < n_q, other=0.0)
    lse2 = tl.full((TILE_M,), float("-inf"), tl.float32)  # log2 of the sum of 2^score
    o = tl.zeros((TILE_M, D), tl.float32)
    bound = tl.minimum(i + n_k - n_q, n_k - 1) if CAUSAL else tl.zeros_like(i) + n_k - 1
    end = n_k
    if CAUSAL:
        end = tl.minimum(n_k, first + TILE_M + n_k - n_q)
    start = 0
    while start < end:
        j = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + j[:, None] * D + c[None, :], mask=j[:, None] < n_k, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale * 1.4426950408889634
        s = tl.where(j[None, :] <= bound[:, None], s, float("-inf"))
        top = tl.max(s, axis=1)
        finite = tl.where(top == float("-inf"), 0.0, top)
        tile2 = finite + tl.log2(tl.sum(tl.exp2(s - finite[:, None]), axis=1))
        high = tl.maximum(lse2, tile2)
        high = tl.where(high == float("-inf"), 0.0, high)
        new2 = high + tl.log2(tl.exp2(lse2 - high) + tl.exp2(tile2 - high))
        base = tl.where(new2 == float("-inf"), 0.0, new2)
        keep = keep_tile(seed, offset, head, i, start, threshold, TILE_N)
        weights = tl.where(keep, tl.exp2(s - base[:, None]) * rescale, 0.0)
        v = tl.load(v_ptr + j[:, None] * D + c[None, :], mask=j[:, None] < n_k, other=0.0)
        o = o * tl.exp2(lse2 - base)[:, None] + tl.dot(weights, v.to(tl.float32), input_precision="ieee")
        lse2 = new2
        start += TILE_N
    tl.store(o_ptr + i[:, None] * D + c[None, :], o, mask=i[:, None] < n_q)
    tl.store(L_ptr + i, lse2 * 0.6931471805599453, mask=i < n_q)


def dropout_forward(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    dropout_p: float,
    seed: int,
    offset: int,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 32,
) -> tuple[Tensor, Tensor]:
    B, H, N, d = q.shape
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    o = torch.empty_like(q)
    L = torch.empty((B, H, N), dtype=torch.float32, device=q.device)
    tiles = triton.cdiv(N, tile_m)
    dropout_forward_kernel[(tiles * B * H,)](
        q, k, v, o, L, N, k.shape[2], d**-0.5 if scale is None else scale,
        int(dropout_p * 2**32), 1 / (1 - dropout_p), seed, offset, tiles,
        CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
