# kernel of its own, keys down and queries across, dq^T as the sum, keys from the last tile to the first, P by a power of two, helper for dS
@triton.jit
def _rows_of(ptr, start, n, TILE: tl.constexpr, D: tl.constexpr):
    row = start + tl.arange(0, TILE)
    return tl.load(
        ptr + row[:, None] * D + tl.arange(0, D)[None, :], mask=row[:, None] < n, other=0.0
    )


@triton.jit
def dropout_dq_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, L_ptr, delta_ptr, dq_ptr,
    n_q, n_k, scale, threshold, rescale, seed, offset,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1)
    wide = head.to(tl.int64)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    q_t = tl.trans(_rows_of(q_ptr + wide * n_q * D, first, n_q, TILE_M, D))
    do_t = tl.trans(_rows_of(do_ptr + wide * n_q * D, first, n_q, TILE_M, D))
    L = tl.load(L_ptr + wide * n_q + rows, mask=rows < n_q, other=0.0)
    delta = tl.load(delta_ptr + wide * n_q + rows, mask=rows < n_q, other=0.0)
    total = tl.zeros((D, TILE_M), tl.float32)
    end = n_k
    if CAUSAL:
        end = tl.minimum(tl.maximum(first + TILE_M + n_k - n_q, 0), n_k)
    tiles = tl.cdiv(end, TILE_N)
    for step in range(0, tiles):
        start = (tiles - 1 - step) * TILE_N
        keys = start + tl.arange(0, TILE_N)
        k = _rows_of(k_ptr + wide * n_k * D, start, n_k, TILE_N, D)
        v = _rows_of(v_ptr + wide * n_k * D, start, n_k, TILE_N, D)
        seen = (keys[:, None] < n_k) & (rows[None, :] < n_q)
        if CAUSAL:
            seen = seen & (keys[:, None] <= (rows + n_k - n_q)[None, :])
        s_t = tl.dot(k, q_t, input_precision="ieee") * scale
        exponent = tl.where(seen, (s_t - L[None, :]) * 1.4426950408889634, 0.0)
        p_t = tl.where(seen, tl.exp2(exponent), 0.0)
        keep_t = tl.trans(keep_tile(seed, offset, head, rows, start, threshold, TILE_N))
        dp_t = tl.dot(v, do_t, input_precision="ieee") * rescale
        ds_t = p_t * (tl.where(keep_t, dp_t, 0.0) - delta[None, :])
        total = tl.dot(tl.trans(k), ds_t.to(k.dtype), total, input_precision="ieee")
    dq = tl.trans(total) * scale
    here = (wide * n_q + rows[:, None]) * D + tl.arange(0, D)[None, :]
    tl.store(dq_ptr + here, dq.to(dq_ptr.dtype.element_ty), mask=rows[:, None] < n_q)


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
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    q, k, v, do, L, delta = (x.contiguous() for x in (q, k, v, do, L, delta))
    dq = torch.empty((batch, heads, n_q, d), dtype=q.dtype, device=q.device)
    scale = d**-0.5 if scale is None else scale
    dropout_dq_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, do, L, delta, dq, n_q, n_k, scale, int(dropout_p * 2**32), 1 / (1 - dropout_p),
        seed, offset, CAUSAL=bool(causal), D=d, TILE_M=tile_m, TILE_N=tile_n,
    )
    return dq
