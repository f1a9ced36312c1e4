# style: loop over d in pieces of 16, each tl.dot adds to a float32 accumulator
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    piece = tl.arange(0, 16)
    q_ptrs = q_ptr + rows[:, None] * D + piece[None, :]
    k_ptrs = k_ptr + columns[None, :] * D + piece[:, None]
    acc = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for start in range(0, D, 16):
        q = tl.load(q_ptrs + start, mask=rows[:, None] < n_q, other=0.0).to(tl.float32)
        k = tl.load(k_ptrs + start, mask=columns[None, :] < n_k, other=0.0).to(tl.float32)
        acc = tl.dot(q, k, acc, input_precision="ieee")
    s = acc * scale
    mask = (rows[:, None] < n_q) & (columns[None, :] < n_k)
    tl.store(s_ptr + rows[:, None] * n_k + columns[None, :], s, mask=mask)


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
