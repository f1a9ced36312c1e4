# Walks along d in pieces of 16 with an accumulator; the keys are loaded as columns, so nothing is transposed.
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    i = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)[:, None]
    j = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)[None, :]
    c = tl.arange(0, 16)
    q_at = q_ptr + i * D + c[None, :]
    k_at = k_ptr + j * D + c[:, None]
    s = tl.zeros((TILE_M, TILE_N), tl.float32)
    for begin in range(0, D, 16):
        q = tl.load(q_at + begin, mask=i < n_q, other=0.0).to(tl.float32)
        k = tl.load(k_at + begin, mask=j < n_k, other=0.0).to(tl.float32)
        s = tl.dot(q, k, s, input_precision="ieee")
    tl.store(s_ptr + i * n_k + j, s * scale, mask=(i < n_q) & (j < n_k))


def score_tile(q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64) -> Tensor:
    s = q.new_empty((q.shape[0], k.shape[0]), dtype=torch.float32)
    grid = (triton.cdiv(q.shape[0], tile_m), triton.cdiv(k.shape[0], tile_n))
    score_tile_kernel[grid](
        q, k, s, q.shape[0], k.shape[0], scale, D=q.shape[1], TILE_M=tile_m, TILE_N=tile_n
    )
    return s
