# right: the product in slices of 16 columns of q and k, keys addressed transposed, pointers moved first
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    row = (tl.program_id(0) * TILE_M + tl.arange(0, TILE_M))[:, None]
    column = (tl.program_id(1) * TILE_N + tl.arange(0, TILE_N))[None, :]
    part = tl.arange(0, 16)
    q_ptrs = q_ptr + row * D + part[None, :]
    k_ptrs = k_ptr + column * D + part[:, None]
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for start in range(0, D, 16):
        a = tl.load(q_ptrs + start, mask=row < n_q, other=0.0)
        b = tl.load(k_ptrs + start, mask=column < n_k, other=0.0)
        total += tl.dot(a, b, input_precision="ieee")
    inside = (row < n_q) & (column < n_k)
    tl.store(s_ptr + row * n_k + column, total * scale, mask=inside)


def score_tile(q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
