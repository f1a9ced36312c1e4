# A grid of one axis, whose number is divided into tile of queries and tile of keys; offsets are 64 bits wide.
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    across = tl.cdiv(n_k, TILE_N)
    pid = tl.program_id(0)
    rows = ((pid // across) * TILE_M + tl.arange(0, TILE_M)).to(tl.int64)
    keys = ((pid % across) * TILE_N + tl.arange(0, TILE_N)).to(tl.int64)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (rows[:, None] * D + d[None, :]), mask=(rows < n_q)[:, None], other=0.0)
    k = tl.load(k_ptr + (keys[:, None] * D + d[None, :]), mask=(keys < n_k)[:, None], other=0.0)
    s = tl.dot(q, tl.permute(k, (1, 0)), input_precision="ieee")
    s *= scale
    tl.store(s_ptr + rows[:, None] * n_k + keys[None, :], s, mask=(rows < n_q)[:, None] & (keys < n_k)[None, :])


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m) * triton.cdiv(n_k, tile_n),)
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
