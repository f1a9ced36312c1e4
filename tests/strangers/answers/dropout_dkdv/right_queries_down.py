# the tile upright, (TILE_M, TILE_N) as the mask is; its transposes are made for the products, and Z is a tile of 0 and 1/(1-p)
@triton.jit
def dropout_dkdv_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, L_ptr, delta_ptr, dk_ptr, dv_ptr,
    n_q, n_k, scale, threshold, rescale, seed, offset,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: TILE_N keys of one head meet all the queries that see them."""
    head = tl.program_id(1)
    first = tl.program_id(0) * TILE_N
    keys, dims = first + tl.arange(0, TILE_N), tl.arange(0, D)
    to_queries, to_keys = head.to(tl.int64) * n_q, head.to(tl.int64) * n_k
    there = (to_keys + keys[:, None]) * D + dims
    k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
    v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
    dk = tl.zeros((TILE_N, D), tl.float32)
    dv = tl.zeros((TILE_N, D), tl.float32)
    begin = 0
    if CAUSAL:
        begin = tl.maximum(0, first + n_q - n_k) // TILE_M * TILE_M
    for start in range(begin, n_q, TILE_M):
        rows = start + tl.arange(0, TILE_M)
        here = (to_queries + rows[:, None]) * D + dims
        q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
        do = tl.load(do_ptr + here, mask=rows[:, None] < n_q, other=0)
        L = tl.load(L_ptr + to_queries + rows, mask=rows < n_q, other=0)
        delta = tl.load(delta_ptr + to_queries + rows, mask=rows < n_q, other=0)
        # Everything is transposed: keys down, queries across.
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        seen = (rows < n_q)[:, None] & (keys < n_k)[None, :]
        if CAUSAL:
            seen = seen & (keys[None, :] <= rows[:, None] + n_k - n_q)
        p = tl.where(seen, tl.exp(s - L[:, None]), 0.0)
        keep = keep_tile(seed, offset, head, rows, first, threshold, TILE_N)
        z = rescale * keep.to(tl.float32)
        dv += tl.dot(tl.trans((p * z).to(do.dtype)), do, input_precision="ieee")
        ds = p * (z * tl.dot(do, v.T, input_precision="ieee") - delta[:, None])
        dk += tl.dot(tl.trans(ds.to(q.dtype)), q, input_precision="ieee")
    tl.store(dk_ptr + there, scale * dk, mask=keys[:, None] < n_k)
    tl.store(dv_ptr + there, dv, mask=keys[:, None] < n_k)


def dropout_dkdv(
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
    tile_m: int = 32,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    q, k, v, do = q.contiguous(), k.contiguous(), v.contiguous(), do.contiguous()
    L, delta = L.contiguous(), delta.contiguous()
    dk, dv = torch.empty_like(k), torch.empty_like(v)
    scale = d**-0.5 if scale is None else scale
    threshold, rescale = int(dropout_p * 2**32), 1 / (1 - dropout_p)
    dropout_dkdv_kernel[(triton.cdiv(k.shape[2], tile_n), batch * heads)](
        q, k, v, do, L, delta, dk, dv,
        n_q, k.shape[2], scale, threshold, rescale, seed, offset,
        CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return dk, dv
