# Own kernel that walks over the keys from the last tile to the first with advancing pointers and powers of 2, all products in float32.
@triton.jit
def dropout_dq_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, L_ptr, delta_ptr, dq_ptr,
    n_q, n_k, scale, threshold, rescale, seed, offset,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    matrix = tl.program_id(1).to(tl.int64)
    i = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    c = tl.arange(0, D)
    row_ok = i < n_q
    at = (matrix * n_q + i)[:, None] * D + c[None, :]
    q = tl.load(q_ptr + at, mask=row_ok[:, None], other=0.0).to(tl.float32)
    g = tl.load(do_ptr + at, mask=row_ok[:, None], other=0.0).to(tl.float32)
    lse = tl.load(L_ptr + matrix * n_q + i, mask=row_ok, other=0.0)
    blind = lse == float("-inf")
    lse2 = tl.where(blind, 0.0, lse) * 1.4426950408889634
    delta = tl.load(delta_ptr + matrix * n_q + i, mask=row_ok, other=0.0)
    end = n_k
    if CAUSAL:
        end = tl.maximum(0, tl.minimum(n_k, tl.program_id(0) * TILE_M + TILE_M + n_k - n_q))
    dq = tl.zeros((TILE_M, D), tl.float32)
    start = (end + TILE_N - 1) // TILE_N * TILE_N - TILE_N
    tile = (matrix * n_k + start + tl.arange(0, TILE_N))[:, None] * D + c[None, :]
    k_at, v_at = k_ptr + tile, v_ptr + tile
    while start >= 0:
        j = start + tl.arange(0, TILE_N)
        k = tl.load(k_at, mask=(j < n_k)[:, None], other=0.0).to(tl.float32)
        v = tl.load(v_at, mask=(j < n_k)[:, None], other=0.0).to(tl.float32)
        open_ = (j < n_k)[None, :] & (blind == 0)[:, None]
        if CAUSAL:
            open_ = open_ & (j[None, :] <= (i + n_k - n_q)[:, None])
        x = tl.dot(q, tl.trans(k), input_precision="ieee") * (scale * 1.4426950408889634)
        p = tl.exp2(tl.where(open_, x - lse2[:, None], float("-inf")))
        z = tl.where(keep_tile(seed, offset, tl.program_id(1), i, start, threshold, TILE_N), rescale, 0.0)
        w = z * tl.dot(g, tl.trans(v), input_precision="ieee") - delta[:, None]
        dq += tl.dot(p * w, k, input_precision="ieee")
        k_at -= TILE_N * D
        v_at -= TILE_N * D
        start -= TILE_N
    tl.store(dq_ptr + at, dq * scale, mask=row_ok[:, None])


def dropout_dq(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    do: Tensor,
    L: Tensor,
    delta: Tensor,
    dropout_p: float,
    seed: int,
    offset: int,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 32,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    q, k, v, do = q.contiguous(), k.contiguous(), v.contiguous(), do.contiguous()
    L, delta = L.contiguous(), delta.contiguous()
    dq = torch.empty_like(q)
    scale = d**-0.5 if scale is None else scale
    threshold, rescale = int(dropout_p * 2**32), 1 / (1 - dropout_p)
    dropout_dq_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, do, L, delta, dq,
        n_q, k.shape[2], scale, threshold, rescale, seed, offset,
        CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return dq
