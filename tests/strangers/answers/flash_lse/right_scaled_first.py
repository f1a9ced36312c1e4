# scales the scores to base 2 right after the product, counts tiles instead of keys, additive -inf mask, and takes L as m log 2 + log l
@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet all keys; scale_2 is scale log2(e)."""
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + columns
    LOG2: tl.constexpr = 0.6931471805599453
    row_real = rows < n_q
    q = tl.load(q_ptr + here, mask=row_real[:, None], other=0.0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    for t in range(0, tl.cdiv(n_k, TILE_N)):
        keys = t * TILE_N + tl.arange(0, TILE_N)
        real = keys < n_k
        kt = tl.load(k_ptr + keys[None, :] * D + columns[:, None], mask=real[None, :], other=0.0)
        bias = tl.where(real, 0.0, float("-inf"))
        x = tl.dot(q, kt, input_precision="ieee") * scale_2 + bias[None, :]
        top = tl.maximum(m, tl.max(x, axis=1))
        p = tl.exp2(x - top[:, None])
        keep = tl.exp2(m - top)
        v = tl.load(v_ptr + keys[:, None] * D + columns[None, :], mask=real[:, None], other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * keep[:, None], input_precision="ieee")
        l = tl.sum(p, axis=1) + keep * l
        m = top
    o = acc / l[:, None]
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=row_real[:, None])
    tl.store(L_ptr + rows, m * LOG2 + tl.log(l), mask=row_real)


def flash_lse(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention and its log-sum-exp, with exponentials to base 2 inside.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d), contiguous, float32 or 16 bits wide; d: a power of
    two from 16 to 128. tile_m, tile_n: powers of two from 16 on. scale: factor of the scores,
    positive, 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, the natural logarithm

        L_i = log sum_j exp(S_ij)        S = scale * q k^T

    Sums, traffic, programs and memory: as in `flash_full`, with L besides.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_lse_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
