# style: no tl.dot at all: loop over d, one column of q times one column of k as outer product in float32
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    in_q = rows < n_q
    in_k = columns < n_k
    acc = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for c in range(D):
        q = tl.load(q_ptr + rows * D + c, mask=in_q, other=0.0).to(tl.float32)
        k = tl.load(k_ptr + columns * D + c, mask=in_k, other=0.0).to(tl.float32)
        acc += q[:, None] * k[None, :]
    tl.store(
        s_ptr + rows[:, None] * n_k + columns[None, :],
        acc * scale,
        mask=in_q[:, None] & in_k[None, :],
    )


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
