# A helper of its own loads a tile of rows, for q and for k alike.
@triton.jit
def tile_of(ptr, rows, n, D: tl.constexpr):
    return tl.load(ptr + rows[:, None] * D + tl.arange(0, D), mask=rows[:, None] < n, other=0.0)


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    keys = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    s = tl.dot(tile_of(q_ptr, rows, n_q, D), tile_of(k_ptr, keys, n_k, D).T, input_precision="ieee")
    tl.store(s_ptr + rows[:, None] * n_k + keys, s * scale, mask=(rows < n_q)[:, None] & (keys < n_k))


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
