# Multiplies k by q^T and stores the tile of S^T, (TILE_N, TILE_M), at the addresses of S.
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    m = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    n = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    c = tl.arange(0, D)
    k = tl.load(k_ptr + n[:, None] * D + c[None, :], mask=(n < n_k)[:, None])
    qt = tl.load(q_ptr + c[:, None] + m[None, :] * D, mask=(m < n_q)[None, :])
    st = scale * tl.dot(k, qt, input_precision="ieee")
    tl.store(s_ptr + m[None, :] * n_k + n[:, None], st, mask=(n < n_k)[:, None] & (m < n_q)[None, :])


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
